import { DAY_MS, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import { countBefore, type WatchedSpan } from './collection.ts'

/** Items of each hour of the day (UTC) over the days of a span: how many, and how they vary from day to day (6.3). */
export interface HourOfDay {
  readonly hour: number
  /** μ_i: mean items per day in this hour. */
  readonly mean: number
  /** σ_i: standard deviation over the days (divided by n, as printed). */
  readonly deviation: number
}

/**
 * Hours named in `masked` are left out: a collector may have thinned them, and what is judged by hours must not take its
 * habits for the sources'.
 */
export function hoursOfDay(
  times: ArrayLike<InstantMs>,
  days: WatchedSpan,
  masked: readonly number[] = [],
): HourOfDay[] {
  const count = Math.round((days.to - days.from) / DAY_MS)
  const sums = new Float64Array(24)
  const squares = new Float64Array(24)
  const perDay = new Float64Array(24)
  let index = countBefore(times, days.from)
  for (let day = 0; day < count; day++) {
    perDay.fill(0)
    const end = days.from + (day + 1) * DAY_MS
    for (; index < times.length && (times[index] ?? 0) < end; index++) {
      const hour = Math.floor(sinceMidnight(times[index] ?? 0) / HOUR_MS)
      perDay[hour] = (perDay[hour] ?? 0) + 1
    }
    for (let hour = 0; hour < 24; hour++) {
      sums[hour] = (sums[hour] ?? 0) + (perDay[hour] ?? 0)
      squares[hour] = (squares[hour] ?? 0) + (perDay[hour] ?? 0) ** 2
    }
  }
  return Array.from({ length: 24 }, (_, hour) => {
    const mean = count > 0 ? (sums[hour] ?? 0) / count : 0
    const variance = count > 0 ? (squares[hour] ?? 0) / count - mean * mean : 0
    return { hour, mean, deviation: Math.sqrt(Math.max(0, variance)) }
  }).filter(({ hour }) => !masked.includes(hour))
}

/** Not by %, which on doubles is a slow call; also before the epoch. */
function sinceMidnight(time: InstantMs): number {
  const ms = time - Math.floor(time / DAY_MS) * DAY_MS
  // The quotient of the last fraction of a millisecond is rounded up to the next day.
  return ms < 0 ? ms + DAY_MS : ms
}

/**
 * Coefficient of variation, (1/24)·Σ σ_i/μ_i over hours with μ_i ≠ 0 (thesis 6.3). As printed it divides by 24 even
 * where hours are left out, which makes a source that posts in one hour only look regular; we take the mean over the
 * hours that count. Null for a source without items.
 */
export function coefficientOfVariation(hours: readonly HourOfDay[]): number | null {
  const active = hours.filter(({ mean }) => mean > 0)
  if (active.length === 0) return null
  return active.reduce((sum, { mean, deviation }) => sum + deviation / mean, 0) / active.length
}

/** The same divided by 24, as printed. */
export function printedCoefficientOfVariation(hours: readonly HourOfDay[]): number | null {
  const active = hours.filter(({ mean }) => mean > 0).length
  const cv = coefficientOfVariation(hours)
  return cv === null ? null : (cv * active) / 24
}

/** "Periodic" at a coefficient of variation of at most 1 (6.3). */
export const PERIODIC_UP_TO = 1

/** Posting pattern: share of the items in each hour (SCC07 4.3); null where there are none. Masked hours are absent. */
export function postingPattern(hours: readonly HourOfDay[]): readonly number[] | null {
  const total = hours.reduce((sum, { mean }) => sum + mean, 0)
  return total > 0 ? hours.map(({ mean }) => mean / total) : null
}
