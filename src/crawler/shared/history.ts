import { DAY_MS, type InstantMs, type Observation, type SourceId, WEEK_MS } from '../../model/index.ts'

/** Item dates of one source. */
export interface History {
  readonly id: SourceId
  /** All that are known, oldest first. */
  readonly times: Float64Array
  /** From here on nothing was missed; before it there are only the items of a first window. */
  readonly watchedFrom: InstantMs
  /** From here on all hours of the day were seen: where watching began, or as far as a quiet feed's first window reaches. */
  readonly shownFrom: InstantMs
  /** Dates that show habits: of whole weeks, or of whole days, laid evenly over the week. */
  readonly habits: Float64Array
}

/** A first window that reaches back so far shows all hours of the day. */
const LEAST_SPAN_MS = 3 * DAY_MS

/**
 * The first window of a busy feed shows the hours before the node came and no others, and so does a day of watching that
 * is not over: counted in, those hours would look like the busiest of all. The same with days: a node that was started on
 * a Monday must not believe on Friday that nobody publishes on Saturdays.
 */
export function historyOfSource(id: SourceId, newestFirst: readonly Observation[], now: InstantMs): History | null {
  const first = newestFirst.at(-1)
  if (first === undefined) return null
  const watchedFrom = first.previousAt ?? first.at
  const times = Float64Array.from(newestFirst.flatMap(({ itemTimes }) => itemTimes))
    .filter((time) => time <= now)
    .sort()
  const oldest = times[0]
  const reachesBack = oldest !== undefined && watchedFrom - oldest >= LEAST_SPAN_MS
  const shownFrom = reachesBack ? oldest : watchedFrom
  const habits = wholeWeeks(times, shownFrom, now)
  return habits.length === 0 ? null : { id, times, watchedFrom, shownFrom, habits }
}

function wholeWeeks(times: Float64Array, from: InstantMs, now: InstantMs): Float64Array {
  const weeks = Math.floor((now - from) / WEEK_MS)
  if (weeks > 0) return times.filter((time) => time >= now - weeks * WEEK_MS)
  const days = Math.floor((now - from) / DAY_MS)
  return times.filter((time) => time >= now - days * DAY_MS).map((time, index) => time + (index % 7) * DAY_MS)
}
