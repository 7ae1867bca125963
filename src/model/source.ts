import type { FeedFormat, FeedHints } from './feed.ts'
import type { ItemKey, SourceId } from './ids.ts'
import type { Listing } from './listing.ts'
import type { LossEstimate } from './observation.ts'
import type { DurationMs, InstantMs } from './time.ts'

/** `fetch`: each page once. `follow`: some times more in the first week, and what has changed is an edit of its item. */
export type PageWish = 'off' | 'fetch' | 'follow'

/** What the user decides about a source. */
export interface SourceSettings {
  readonly url: string
  /** The user's own name for it; null: the feed's title is shown. */
  readonly name: string | null
  /** Folder paths joined with `/`, as `News/Science`. Sorted, without repeats. */
  readonly categories: readonly string[]
  /** Importance, > 0; 1 is usual. */
  readonly weight: number
  /** Own interval instead of the strategy's; null: the strategy decides. */
  readonly intervalMs: DurationMs | null
  /** Never more often and never less often than this, whatever the strategy says; null or absent: as the node has it. */
  readonly minIntervalMs?: DurationMs | null
  readonly maxIntervalMs?: DurationMs | null
  readonly headers: Readonly<Record<string, string>>
  readonly basicAuth: { readonly user: string; readonly password: string } | null
  readonly userAgent: string | null
  readonly proxyUrl: string | null
  readonly paused: boolean
  /** New items a day that are stored at most, or `off`: all of them; null or absent: learnt (crawler/intake). */
  readonly dailyAllowance?: number | 'off' | null
  /** Whether the pages that its new items link to are fetched; absent: `off`. */
  readonly pages?: PageWish
  /** How its page is read; null or absent: it is a feed or a sitemap. */
  readonly listing?: Listing | null
}

/** A failure that a user can read and a program can distinguish. Codes: runtime/errors.ts. */
export interface SourceError {
  readonly code: string
  readonly message: string
  readonly at: InstantMs
}

/** One line of the last window: enough to know an item again without asking the archive (advaRSS II, local files). */
export interface WindowEntry {
  readonly key: ItemKey
  readonly contentHash: string
  /** Hashes of link, title and text, 24 hex digits: distinguish a rewritten guid from a new item. null without any. */
  readonly alias: string | null
  /** The stated date: one that moves between polls is not credible. */
  readonly published: InstantMs | null
}

/** The source publishes faster than it is refreshed: its window had turned over completely at the last look. */
export interface Saturation {
  readonly at: InstantMs
  /** Everything that had fallen out of the window was recovered from older pages. */
  readonly repaired: boolean
  /** What was not; null: nothing, or nobody can say how much. */
  readonly loss: LossEstimate | null
  /** Items that came from older pages instead of the window. */
  readonly repairedItems: number
}

/** Older pages that were not read yet, because there were too many or no turn for them: read on at the next refresh. */
export interface OpenGap {
  /** The next one, and by which custom it was found (crawler/repair/older-pages.ts). */
  readonly page: { readonly url: string; readonly how: 'archive' | 'paged' | 'wordpress' }
  /** What is dated before this was known before the gap; 0: dates say nothing. */
  readonly since: InstantMs
  /** Of what was counted as lost, how much may still come. */
  readonly lost: number
}

/** What deltas (RFC 3229) of a source have spared. */
export interface DeltaSavings {
  readonly count: number
  readonly savedBytes: number
  /** Of the last whole document, as sent; null: unknown. */
  readonly wholeBytes: number | null
}

/** The last refresh showed more new items than the allowance of the day had room for. */
export interface Refusal {
  readonly at: InstantMs
  /** New items that were not stored; they are, if they are still shown when there is room again. */
  readonly items: number
  /** Of that day. */
  readonly allowance: number
  /** Nothing more can be stored before; null: it is refreshed as usual, to learn whether it rewrites its guids. */
  readonly until: InstantMs | null
}

/**
 * What the node has learnt about a source. The life of a source:
 *
 * `new` (never fetched) → `active` (last refresh fine) ⇄ `failing` (last refresh failed; retried for ever, ever more
 * slowly). `retired`: the site said 410 Gone; not fetched again unless the user refreshes it by hand, which a good
 * answer turns into `active`. Paused is the user's setting, not a state.
 */
export interface SourceState {
  readonly status: 'new' | 'active' | 'failing' | 'retired'
  readonly format: FeedFormat | null
  readonly title: string | null
  readonly siteUrl: string | null
  /** The icon that its document names; absent: none. */
  readonly iconUrl?: string | undefined
  /** What the feed's document says that it is about (thesis 1.1); the folders that people put it in are settings. */
  readonly feedCategories: readonly string[]
  readonly etag: string | null
  readonly lastModified: string | null
  /** Hash of the last body, 32 hex digits; the same again is not parsed. */
  readonly bodyHash: string | null
  readonly window: readonly WindowEntry[]
  readonly lastCheckAt: InstantMs | null
  readonly lastSuccessAt: InstantMs | null
  /** Last refresh that brought a new item. */
  readonly lastNewItemAt: InstantMs | null
  readonly nextCheckAt: InstantMs | null
  /** In words, for people: "every 10 min (own interval)", "backing off after 3 failures". */
  readonly nextCheckReason: string | null
  readonly failureCount: number
  readonly lastError: SourceError | null
  /** A permanent redirect waiting for confirmation. */
  readonly movingTo: { readonly url: string; readonly confirmations: number } | null
  /** False once dates proved not credible (future, "now" at each poll …). */
  readonly datesCredible: boolean
  readonly hints: FeedHints | null
  /** The publisher asks not to be visited before then; see crawler/hints. */
  readonly notBefore: InstantMs | null
  /** Set by a refresh without overlap, until one with overlap follows. */
  readonly saturation: Saturation | null
  /** When the last two refreshes lost something, newest first; absent: none did. */
  readonly lastLosses?: readonly InstantMs[]
  /** null: nothing is left to read of what fell out of its window. */
  readonly openGap: OpenGap | null
  /**
   * Refreshes in a row, up to a few, at which no guid was known although the items were: from some number on the guids of
   * the source are not believed (crawler/dedup/rewritten-guids.ts).
   */
  readonly guidChanges: number
  /** null: everything that was new at the last refresh was stored. */
  readonly refusal: Refusal | null
  /** Absent: it never sent a delta. */
  readonly deltas?: DeltaSavings
}

export interface Source extends SourceSettings {
  readonly id: SourceId
  readonly addedAt: InstantMs
  /** It has headers, a log-in or a proxy that cannot be read without the key that they were sealed with; it is not fetched. */
  readonly isLocked: boolean
  readonly state: SourceState
  /** Addresses that it has moved from by permanent redirects, and that no other source has, sorted; absent: none. */
  readonly formerUrls?: readonly string[]
}

/** All addresses that mean a source: queries and lists go on naming the one that they know. */
export function addressesOf({ url, formerUrls = [] }: Pick<Source, 'url' | 'formerUrls'>): readonly string[] {
  return [url, ...formerUrls]
}

/** Begins the addresses of sources whose items come as letters: nothing is fetched from them (src/letters). */
export const LETTERS_SCHEME = 'letters:'

export function isForLetters({ url }: Pick<SourceSettings, 'url'>): boolean {
  return url.startsWith(LETTERS_SCHEME)
}
