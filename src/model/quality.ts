import type { SourceId } from './ids.ts'
import type { DurationMs } from './time.ts'

/** A quality that a user or a query feed wishes for: all that is given is to be met. */
export interface QualityWish {
  /** Share of the published items that are fetched, below 1. */
  readonly completeness: number | null
  /** From publication to refresh, on average. */
  readonly meanDelayMs: DurationMs | null
}

/**
 * What refreshes add up to: sums only, so that hours add up to days and sources to categories. The measures of
 * src/quality/live.ts are ratios of these.
 */
export interface QualityCounts {
  /** With the requests for older pages. */
  readonly requests: number
  readonly failures: number
  /** Refreshes that brought something new. */
  readonly useful: number
  /** Answered 304, or with the same bytes as before. */
  readonly unchanged: number
  readonly bytes: number
  /** New items, but for those of a first refresh: nobody can say what was missed before it. */
  readonly items: number
  /** Estimated, with the sums of the lower and upper ends of the estimates. */
  readonly lost: number
  readonly lostAtLeast: number
  readonly lostAtMost: number
  /** Items that had fallen out of the window and came from older pages. */
  readonly repaired: number
  /** Refreshes that found a window without anything known in it. */
  readonly saturated: number
  /** Sum over `items` of the time from publication to first sight. */
  readonly delayMs: DurationMs
  /** Of `items`, those without a credible date: their delay is taken as half the time since the refresh before. */
  readonly guessedDelays: number
  /** Time between refreshes, and of it the time that the copy was stale, weighed by how much of the window was missing. */
  readonly watchedMs: DurationMs
  readonly staleMs: DurationMs
}

/** How many items had a delay within one bucket; buckets as in src/quality/delay-buckets.ts. */
export interface DelayCount {
  readonly bucket: number
  readonly items: number
}

export interface QualityTally extends QualityCounts {
  readonly delays: readonly DelayCount[]
}

/** Whose quality: the node's, a category's with its subfolders, or that of some sources (one, or those a feed reads). */
export type QualityScope =
  | { readonly kind: 'node' }
  | { readonly kind: 'category'; readonly category: string }
  | { readonly kind: 'sources'; readonly ids: readonly SourceId[] }

export const NO_COUNTS: QualityCounts = {
  requests: 0,
  failures: 0,
  useful: 0,
  unchanged: 0,
  bytes: 0,
  items: 0,
  lost: 0,
  lostAtLeast: 0,
  lostAtMost: 0,
  repaired: 0,
  saturated: 0,
  delayMs: 0,
  guessedDelays: 0,
  watchedMs: 0,
  staleMs: 0,
}

export function addCounts(a: QualityCounts, b: QualityCounts): QualityCounts {
  return {
    requests: a.requests + b.requests,
    failures: a.failures + b.failures,
    useful: a.useful + b.useful,
    unchanged: a.unchanged + b.unchanged,
    bytes: a.bytes + b.bytes,
    items: a.items + b.items,
    lost: a.lost + b.lost,
    lostAtLeast: a.lostAtLeast + b.lostAtLeast,
    lostAtMost: a.lostAtMost + b.lostAtMost,
    repaired: a.repaired + b.repaired,
    saturated: a.saturated + b.saturated,
    delayMs: a.delayMs + b.delayMs,
    guessedDelays: a.guessedDelays + b.guessedDelays,
    watchedMs: a.watchedMs + b.watchedMs,
    staleMs: a.staleMs + b.staleMs,
  }
}

/** What `a` has more than `b`. */
export function subtractCounts(a: QualityCounts, b: QualityCounts): QualityCounts {
  const rest: { -readonly [Name in keyof QualityCounts]: number } = { ...a }
  for (const name of COUNT_NAMES) rest[name] -= b[name]
  return rest
}

const COUNT_NAMES = Object.keys(NO_COUNTS) as readonly (keyof QualityCounts)[]
