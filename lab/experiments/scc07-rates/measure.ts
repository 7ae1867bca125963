import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, type DurationMs, HOUR_MS } from '../../../src/model/index.ts'
import {
  activityDistribution,
  countWithin,
  fitPowerLaw,
  type PowerLaw,
  type RateBin,
  rateBins,
  rateStability,
  type Stability,
  type WatchedSpan,
} from '../../analysis/index.ts'
import type { Trace } from '../../worlds/trace.ts'
import { activeWithin, firstDays } from '../traces/days.ts'

export interface Rates {
  readonly sources: number
  /** Figure 3: items of all sources by week and by two hours. */
  readonly weekly: readonly number[]
  readonly twoHourly: readonly number[]
  /** Figure 7: sources per number of items, with bins of equal width in the logarithm. */
  readonly bins: readonly RateBin[]
  readonly fit: PowerLaw | null
  /** The same line through the bare counts of sources with exactly so many items. */
  readonly bareFit: PowerLaw | null
  readonly onceADay: number
  /** Figure 9: the first stretch against the next (a) and against the last (b). */
  readonly next: Stability
  readonly last: Stability
}

export function measureRates(trace: Trace, days: number, stretchDays: number): Rates {
  const span = firstDays(trace, days)
  const active = activeWithin(trace, span)
  const counts = active.map(({ times }) => countWithin(times, span))
  const perDay = counts.map((items) => (items * DAY_MS) / (span.to - span.from))
  const stretch = stretchDays * DAY_MS
  const first = { from: span.from, to: span.from + stretch }
  const bins = rateBins(counts)
  return {
    sources: active.length,
    weekly: totals(trace, span, 7 * DAY_MS),
    twoHourly: totals(trace, span, 2 * HOUR_MS),
    bins,
    fit: fitPowerLaw(bins),
    bareFit: fitPowerLaw(bareCounts(counts)),
    onceADay: 1 - entryAt(activityDistribution(perDay), 0).shareOfSources,
    next: rateStability(active, first, { from: first.to, to: first.to + stretch }),
    last: rateStability(active, first, { from: span.to - stretch, to: span.to }),
  }
}

/** Items of all sources in each whole stretch of a span. */
function totals(trace: Trace, span: WatchedSpan, widthMs: DurationMs): number[] {
  const count = Math.floor((span.to - span.from) / widthMs)
  return Array.from({ length: count }, (_, index) => {
    const from = span.from + index * widthMs
    return trace.sources.reduce((sum, { times }) => sum + countWithin(times, { from, to: from + widthMs }), 0)
  })
}

/** A point for each number of items that some source has, as a plot without bins shows them. */
function bareCounts(counts: readonly number[]): RateBin[] {
  const sources = new Map<number, number>()
  for (const items of counts) sources.set(items, (sources.get(items) ?? 0) + 1)
  return [...sources].sort(([a], [b]) => a - b).map(([items, n]) => ({ items, sources: n, density: n }))
}

/** Standard deviation over mean. */
export function variation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / values.length) / mean
}

/** Correlation of a series with itself `lag` steps later: near 1 where the same days come again. */
export function autocorrelation(values: readonly number[], lag: number): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let [product, squares] = [0, 0]
  values.forEach((value, index) => {
    squares += (value - mean) ** 2
    if (index >= lag) product += (value - mean) * (entryAt(values, index - lag) - mean)
  })
  return squares > 0 ? product / squares : 0
}

/** How wide the band is that holds nine dots in ten, as a share of the axis: the largest rate of Figure 9. */
export function bandOfAxis({ pairs, distanceB }: Stability): number {
  const axis = Math.max(...pairs.flatMap(({ first, second }) => [first, second]))
  return axis > 0 ? distanceB / axis : 0
}
