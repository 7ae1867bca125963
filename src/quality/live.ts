import {
  type DelayCount,
  type DurationMs,
  type InstantMs,
  NO_COUNTS,
  type Observation,
  type QualityTally,
} from '../model/index.ts'
import { delayBucket, delayQuantile } from './delay-buckets.ts'

/** What the crawler knows of one refresh beyond its observation. */
export interface RefreshCost {
  readonly requests: number
  readonly bytes: number
  /** Of the new items, those that came from older pages. */
  readonly repaired: number
  /** Items in the window, also where the answer did not say (304). */
  readonly windowSize: number
}

export function tallyOfFailure(bytes: number): QualityTally {
  return { ...NO_COUNTS, requests: 1, failures: 1, bytes, delays: [] }
}

function lossCounts(loss: Observation['loss']): Pick<QualityTally, 'lost' | 'lostAtLeast' | 'lostAtMost'> {
  return { lost: loss?.items ?? 0, lostAtLeast: loss?.atLeast ?? 0, lostAtMost: loss?.atMost ?? 0 }
}

/** What one refresh adds to the sums. */
export function tallyOf(observation: Observation, cost: RefreshCost): QualityTally {
  const { newItems, overlap, loss } = observation
  const common = {
    ...NO_COUNTS,
    requests: cost.requests,
    useful: newItems > 0 ? 1 : 0,
    unchanged: observation.notModified ? 1 : 0,
    bytes: cost.bytes,
    repaired: cost.repaired,
  }
  if (observation.previousAt === null || overlap === 'first') return { ...common, delays: [] }
  const watchedMs = Math.max(0, observation.at - observation.previousAt)
  const { delays, guessed } = delaysOf(observation, watchedMs)
  return {
    ...common,
    items: newItems,
    ...lossCounts(loss),
    saturated: overlap === 'none' || overlap === 'repaired' ? 1 : 0,
    delayMs: delays.reduce((sum, delay) => sum + delay, 0),
    guessedDelays: guessed,
    watchedMs,
    staleMs: staleness(delays, loss?.items ?? 0, cost.windowSize, watchedMs),
    delays: countDelays(delays),
  }
}

/** From publication to first sight; half the time since the refresh before for items whose date says nothing. */
function delaysOf(observation: Observation, watchedMs: DurationMs): { delays: DurationMs[]; guessed: number } {
  const { at, previousAt, newItems } = observation
  const delays: DurationMs[] = []
  for (const time of observation.itemTimes) {
    // Dated before the last refresh yet new: it became visible later than it says, at an unknown time.
    if (time <= at && time >= previousAt!) delays.push(at - time)
  }
  const guessed = Math.max(0, newItems - delays.length)
  for (let index = 0; index < guessed; index++) delays.push(watchedMs / 2)
  return { delays, guessed }
}

/**
 * The integral of 1 − F_W over the time between two refreshes (thesis 2.3.1): each new item makes the copy stale by its
 * share of the window from its publication on; a window full of unknown items is stale altogether.
 */
function staleness(delays: readonly DurationMs[], lost: number, windowSize: number, watchedMs: DurationMs): DurationMs {
  const delaySum = delays.reduce((sum, delay) => sum + delay, 0)
  // What was lost came before what is left of it.
  const lostSum = lost * watchedMs * 0.75
  return Math.min(watchedMs, (delaySum + lostSum) / Math.max(1, windowSize))
}

function countDelays(delays: readonly DurationMs[]): DelayCount[] {
  const counts = new Map<number, number>()
  for (const delay of delays) {
    const bucket = delayBucket(delay)
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
  }
  return [...counts].sort(([a], [b]) => a - b).map(([bucket, items]) => ({ bucket, items }))
}

/** A measure and whether it was counted or had to be estimated. */
export interface Measure {
  readonly value: number
  readonly estimated: boolean
}

export interface QualityMeasures {
  /** Items got over items published, Definition 2.2.2; null: nothing was published as far as we know. */
  readonly completeness: Measure | null
  /** Time average of F_W, Definition 2.3.3; null: nothing was watched. Always estimated between two looks. */
  readonly freshness: Measure | null
  readonly delay: {
    readonly meanMs: DurationMs
    readonly medianMs: DurationMs
    readonly p95Ms: DurationMs
    /** Some or all of the items had no credible date. */
    readonly estimated: boolean
  } | null
  readonly items: number
  readonly lost: {
    readonly items: number
    readonly atLeast: number
    readonly atMost: number
    readonly estimated: boolean
  }
  readonly repairedItems: number
  readonly saturatedRefreshes: number
  readonly requests: number
  readonly failedRequests: number
  readonly bytes: number
  /** Refreshes that brought something new, of all requests; null: none was made. */
  readonly usefulShare: number | null
}

/** Of a query feed: `published` was counted, the sums are estimated by the shares that it keeps of its sources. */
export function measureOfFeed(tally: QualityTally, published: number): QualityMeasures {
  const { delay, ...measures } = measureQuality(tally)
  const { lost } = measures
  const all = published + lost.items
  return {
    ...measures,
    completeness: all > 0 ? { value: completenessOf(published, all), estimated: lost.estimated } : null,
    delay: delay && { ...delay, estimated: true },
    items: published,
  }
}

export function measureQuality(tally: QualityTally): QualityMeasures {
  const { items, requests, watchedMs } = tally
  // What was counted as lost and came later is taken off in the hour in which it came.
  const lost = Math.max(0, tally.lost)
  return {
    completeness:
      items + lost > 0 ? { value: completenessOf(items, items + lost), estimated: tally.saturated > 0 } : null,
    freshness: watchedMs > 0 ? { value: 1 - tally.staleMs / watchedMs, estimated: true } : null,
    delay:
      items > 0
        ? {
            meanMs: tally.delayMs / items,
            medianMs: delayQuantile(tally.delays, 0.5) ?? 0,
            p95Ms: delayQuantile(tally.delays, 0.95) ?? 0,
            estimated: tally.guessedDelays > 0,
          }
        : null,
    items,
    lost: {
      items: lost,
      atLeast: Math.max(0, tally.lostAtLeast),
      atMost: Math.max(0, tally.lostAtMost),
      estimated: tally.saturated > 0,
    },
    repairedItems: tally.repaired,
    saturatedRefreshes: tally.saturated,
    requests,
    failedRequests: tally.failures,
    bytes: tally.bytes,
    usefulShare: requests > 0 ? tally.useful / requests : null,
  }
}

export const PERIODS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
export type MeasuredPeriod = keyof typeof PERIODS

/**
 * The last hour, day or week in whole hours: the one under way and as many before it as make up at least the period, so
 * that a figure is never of five minutes only.
 */
export function periodUntil(
  over: MeasuredPeriod,
  now: InstantMs,
): { readonly since: InstantMs; readonly until: InstantMs } {
  const hour = PERIODS.hour
  const until = (Math.floor(now / hour) + 1) * hour
  return { since: until - PERIODS[over] - hour, until }
}

/** C_F(f, t) = |F(f, t)|/|I(f, t)|, Definition 2.2.2; an empty ideal is complete. */
export function completenessOf(streamItems: number, idealItems: number): number {
  return idealItems > 0 ? streamItems / idealItems : 1
}
