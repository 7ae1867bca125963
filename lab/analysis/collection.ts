import { DAY_MS, type InstantMs } from '../../src/model/index.ts'

/** One source of a collection: when it published, ascending, and what it says of itself where known. */
export interface CollectedSource {
  readonly id: string
  readonly times: ArrayLike<InstantMs>
  readonly description?: SourceDescription
  /** When each item was first fetched, in the order of `times`; a trace does not say. */
  readonly fetchedAt?: ArrayLike<InstantMs>
  /** Window sizes as served, oldest first; a trace does not say. */
  readonly windowSizes?: readonly number[]
}

export interface SourceDescription {
  readonly title: string | null
  readonly url: string | null
  readonly feedCategories: readonly string[]
  readonly itemCategories: readonly string[]
}

/** The stretch of time that a collection was watched; `to` is exclusive. */
export interface WatchedSpan {
  readonly from: InstantMs
  readonly to: InstantMs
}

/** From the first item of any source to just after the last; null where there is none. */
export function spanOf(sources: readonly CollectedSource[]): WatchedSpan | null {
  let from = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const { times } of sources) {
    from = Math.min(from, times[0] ?? Number.POSITIVE_INFINITY)
    last = Math.max(last, times[times.length - 1] ?? Number.NEGATIVE_INFINITY)
  }
  return last >= from ? { from, to: last + 1 } : null
}

/** Whole days (UTC) within a span: an hour of the day is then seen equally often. Null where there is none. */
export function wholeDays(span: WatchedSpan): WatchedSpan | null {
  const from = Math.ceil(span.from / DAY_MS) * DAY_MS
  const to = Math.floor(span.to / DAY_MS) * DAY_MS
  return to > from ? { from, to } : null
}

export function daysOf(span: WatchedSpan): number {
  return (span.to - span.from) / DAY_MS
}

/** How many of the ascending times lie before a moment. */
export function countBefore(times: ArrayLike<InstantMs>, moment: InstantMs): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}

export function countWithin(times: ArrayLike<InstantMs>, span: WatchedSpan): number {
  return countBefore(times, span.to) - countBefore(times, span.from)
}

export function itemsPerDay(times: ArrayLike<InstantMs>, span: WatchedSpan): number {
  const days = daysOf(span)
  return days > 0 ? countWithin(times, span) / days : 0
}
