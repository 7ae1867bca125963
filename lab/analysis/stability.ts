import { DAY_MS, type DurationMs, type InstantMs } from '../../src/model/index.ts'
import { countWithin, type WatchedSpan } from './collection.ts'

/** A dot of SCC07's Figure 9: the rate of a source in one stretch of time against that in another, items per day. */
export interface RatePair {
  readonly id: string
  readonly first: number
  readonly second: number
  /** A: the half of the dots closest to the diagonal; B: those up to 90 %; C: the rest. */
  readonly group: 'A' | 'B' | 'C'
  /** Distance to the diagonal y = x. */
  readonly distance: number
}

export interface Stability {
  readonly pairs: readonly RatePair[]
  /** Pearson's correlation of the two rates. */
  readonly correlation: number
  /** Half the dots, and nine in ten, lie within this distance of the diagonal. */
  readonly distanceA: number
  readonly distanceB: number
  /** Share of sources whose rate changed by less than a factor of 1.5 either way; silent in both counts as unchanged. */
  readonly withinHalfAgain: number
}

export const STRETCH_MS: DurationMs = 14 * DAY_MS

/** Rates in two stretches of 14 days: the first and the one after it (Figure 9a), or the first and the last (9b). */
export function rateStability(
  sources: readonly { readonly id: string; readonly times: ArrayLike<InstantMs> }[],
  first: WatchedSpan,
  second: WatchedSpan,
): Stability {
  const rate = (times: ArrayLike<InstantMs>, span: WatchedSpan) =>
    (countWithin(times, span) * DAY_MS) / (span.to - span.from)
  const dots = sources
    .map(({ id, times }) => ({ id, first: rate(times, first), second: rate(times, second) }))
    .map((dot) => ({ ...dot, distance: Math.abs(dot.first - dot.second) / Math.SQRT2 }))
    .sort((a, b) => a.distance - b.distance)
  const pairs = dots.map((dot, index) => ({ ...dot, group: groupOf(index, dots.length) }))
  return {
    pairs,
    correlation: correlation(pairs),
    distanceA: pairs.filter(({ group }) => group === 'A').at(-1)?.distance ?? 0,
    distanceB: pairs.filter(({ group }) => group !== 'C').at(-1)?.distance ?? 0,
    withinHalfAgain: pairs.length > 0 ? pairs.filter(steady).length / pairs.length : 1,
  }
}

function groupOf(rank: number, count: number): RatePair['group'] {
  if (rank < count * 0.5) return 'A'
  return rank < count * 0.9 ? 'B' : 'C'
}

function steady({ first, second }: RatePair): boolean {
  return Math.max(first, second) <= 1.5 * Math.min(first, second)
}

function correlation(pairs: readonly RatePair[]): number {
  const meanFirst = pairs.reduce((sum, { first }) => sum + first, 0) / pairs.length
  const meanSecond = pairs.reduce((sum, { second }) => sum + second, 0) / pairs.length
  let [sxx, sxy, syy] = [0, 0, 0]
  for (const { first, second } of pairs) {
    sxx += (first - meanFirst) ** 2
    syy += (second - meanSecond) ** 2
    sxy += (first - meanFirst) * (second - meanSecond)
  }
  return sxx > 0 && syy > 0 ? sxy / Math.sqrt(sxx * syy) : 0
}
