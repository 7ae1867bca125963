import type { InstantMs, SourceId, SourceState } from '../model/index.ts'
import type { StoredModel } from './scheduling.ts'

/** A source as long lists show it: without windows, so that fifty thousand are read in a moment. */
export interface SourceSummary {
  readonly id: SourceId
  readonly url: string
  readonly name: string | null
  readonly title: string | null
  readonly categories: readonly string[]
  readonly weight: number
  readonly paused: boolean
  readonly status: SourceState['status']
  readonly isSaturated: boolean
  /** When the last two refreshes lost something, newest first. */
  readonly lastLosses: readonly InstantMs[]
  /** Of what it showed last, something was refused. */
  readonly isRefused: boolean
  readonly errorCode: string | null
  readonly lastCheckAt: InstantMs | null
  readonly nextCheckAt: InstantMs | null
  readonly lastNewItemAt: InstantMs | null
  /** Archived. */
  readonly items: number
  readonly model: StoredModel | null
}

/** A source as exports and lists of feeds name it: a tenth of the cost of a whole one. */
export interface ListedSource {
  readonly id: SourceId
  readonly url: string
  readonly name: string | null
  readonly title: string | null
  readonly siteUrl: string | null
  readonly categories: readonly string[]
}

export interface ListPage {
  readonly afterId: SourceId
  readonly limit: number
  /** With its subfolders; absent: all sources. */
  readonly category?: string
}

/** Part of `Store`. */
export interface SummaryStore {
  /** The names that users gave, each once, sorted by code points. */
  sourceNames(): Promise<readonly string[]>
  /** In the order of ids, after one, at most `limit`. */
  listedSources(page: ListPage): Promise<readonly ListedSource[]>
  /** Likewise, with how each does. */
  sourceSummaries(page: { readonly afterId: SourceId; readonly limit: number }): Promise<readonly SourceSummary[]>
}
