import type { Decision, InstantMs, SourceId } from '../model/index.ts'
import type { Asker } from './askers.ts'
import type { NamedState } from './node-state.ts'
import type { SourcePart } from './shards.ts'

/** What was learnt of a source, as it survives a restart. */
export interface StoredModel {
  /** Names strategy, estimator and version that wrote the state: another one learns again from the observations. */
  readonly form: string
  /** Publication window W as last seen. */
  readonly windowSize: number
  /** Of one request, in units of the budget. */
  readonly cost: number
  /** The last observation that is in it. */
  readonly learntAt: InstantMs
  /** When it was rebuilt by another process, for the node to take it over; null: never. */
  readonly relearntAt: InstantMs | null
  readonly state: Uint8Array
}

export interface SavedModel extends StoredModel {
  readonly sourceId: SourceId
}

export interface SaveModelsOptions<Value> {
  /** Saved in the same transaction (the price): both are of one moment. */
  readonly also?: { readonly state: NamedState<Value>; readonly value: Value }
  readonly part?: SourcePart
}

/** A refresh requested by hand, or by a hub that says that there is news. */
export interface RefreshRequest {
  readonly sourceId: SourceId
  readonly by: Asker
  readonly at: InstantMs
}

/** Somebody fetched one of the published feeds. */
export interface FeedRead {
  /** Path without format, as `/feeds/all`. */
  readonly feed: string
  readonly at: InstantMs
}

/** A known fetcher fetched one. */
export interface Fetch extends FeedRead {
  /** Hashes of the fetcher. */
  readonly reader: string
  /** How many subscribers it reported; 0: it did not say. */
  readonly subscribers: number
}

/** A decision with what came of it. */
export interface PastDecision extends Decision {
  readonly newItems: number
}

/** Part of `Store`: what the scheduler must find again. */
export interface SchedulingStore {
  /** All in one transaction. Sources that are gone, or not of the part, are left out. */
  saveModels<Value>(models: readonly SavedModel[], options?: SaveModelsOptions<Value>): Promise<void>
  /** Of those sources that have one. */
  models(sourceIds: readonly SourceId[]): Promise<ReadonlyMap<SourceId, StoredModel>>
  /** Newest first; refreshes that failed are not among them. */
  decisions(sourceId: SourceId, limit: number): Promise<readonly PastDecision[]>
  /** A later time wins. */
  recordFeedReads(reads: readonly FeedRead[]): Promise<void>
  feedReads(): Promise<readonly FeedRead[]>
  /**
   * A later time wins. Those from before `forgetBefore` are forgotten, and of each feed all but the latest MOST_FETCHERS.
   */
  recordFetches(fetches: readonly Fetch[], forgetBefore: InstantMs): Promise<void>
  /** By feed and reader. */
  fetches(): Promise<readonly Fetch[]>
}

/** Of one feed; a client with ever new addresses must not fill the disk. */
export const MOST_FETCHERS = 5_000
