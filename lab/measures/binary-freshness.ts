import type { DurationMs, InstantMs } from '../../src/model/index.ts'

/**
 * Freshness and age of a copy, as Cho and Garcia-Molina (2003) define them for pages and SCC07 2.3 contrasts with delay:
 * a copy is fresh (1) while the original has not changed since it was taken; its age is the time since the first change
 * that it lacks.
 */
export function freshnessAt(
  changes: ArrayLike<InstantMs>,
  refreshes: ArrayLike<InstantMs>,
  t: InstantMs,
): { fresh: 0 | 1; ageMs: DurationMs } {
  const refreshedAt = lastAtOrBefore(refreshes, t)
  const missed = firstAfter(changes, refreshedAt)
  return missed !== undefined && missed <= t ? { fresh: 0, ageMs: t - missed } : { fresh: 1, ageMs: 0 }
}

/** Time averages of both over [from, to), exactly: between refreshes a copy is fresh up to the first change. */
export function meanFreshnessAndAge(
  changes: ArrayLike<InstantMs>,
  refreshes: ArrayLike<InstantMs>,
  from: InstantMs,
  to: InstantMs,
): { freshness: number; ageMs: DurationMs } {
  let fresh = 0
  let age = 0
  let start = from
  let last = lastAtOrBefore(refreshes, from)
  const ends = [...Array.from(refreshes).filter((at) => at > from && at < to), to]
  for (const end of ends) {
    const missed = firstAfter(changes, last) ?? Number.POSITIVE_INFINITY
    const stale = Math.min(end, Math.max(start, missed))
    fresh += stale - start
    if (missed < end) age += ((end - missed) ** 2 - (stale - missed) ** 2) / 2
    start = end
    last = end
  }
  const span = to - from
  return span > 0 ? { freshness: fresh / span, ageMs: age / span } : { freshness: 1, ageMs: 0 }
}

/** Expected freshness of a copy taken every I hours of a page changing at rate λ: (1 − e^{−λI})/(λI). */
export function expectedFreshness(ratePerHour: number, intervalHours: number): number {
  const mean = ratePerHour * intervalHours
  return mean > 0 ? -Math.expm1(-mean) / mean : 1
}

/** Expected age in hours: I·(½ − 1/(λI) + (1 − e^{−λI})/(λI)²). */
export function expectedAgeHours(ratePerHour: number, intervalHours: number): number {
  const mean = ratePerHour * intervalHours
  // Below that the formula cancels to noise; its series starts with λI²/6.
  if (mean < 1e-4) return (ratePerHour * intervalHours * intervalHours) / 6
  return intervalHours * (0.5 - 1 / mean - Math.expm1(-mean) / (mean * mean))
}

function lastAtOrBefore(times: ArrayLike<InstantMs>, t: InstantMs): InstantMs {
  const count = countUntil(times, t)
  return count > 0 ? (times[count - 1] ?? 0) : Number.NEGATIVE_INFINITY
}

function firstAfter(times: ArrayLike<InstantMs>, t: InstantMs): InstantMs | undefined {
  return times[countUntil(times, t)]
}

function countUntil(times: ArrayLike<InstantMs>, t: InstantMs): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= t) low = middle + 1
    else high = middle
  }
  return low
}
