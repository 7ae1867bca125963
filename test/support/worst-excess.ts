import type { InstantMs } from '../../src/model/index.ts'
import type { Budget } from '../../src/refresh/strategy.ts'

export interface SavedUp {
  readonly startMs: InstantMs
  readonly firstSaved: number
  /** The most that may be saved up. */
  readonly burst: number
}

/** How much more than its budget the worst period spent, whenever it began, less what was saved up by then. */
export function worstExcess(
  times: readonly InstantMs[],
  { requests, perMs }: Budget,
  { startMs, firstSaved, burst }: SavedUp,
): number {
  let saved = firstSaved
  let at = startMs
  let worst = Number.NEGATIVE_INFINITY
  let end = 0
  times.forEach((time, index) => {
    saved = Math.min(burst, saved + ((time - at) * requests) / perMs)
    at = time
    while (end < times.length && (times[end] ?? 0) < time + perMs) end++
    worst = Math.max(worst, end - index - requests - saved)
    saved -= 1
  })
  return worst
}
