import { entryAt } from '../../../src/model/entry-at.ts'
import type { IntensityEstimator } from '../../../src/refresh/estimator.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import {
  CYCLES_PER_DAY,
  CYCLES_PER_HOUR,
  type NormalisedSource,
  normalisedSource,
  randomRefreshes,
  type ShapeName,
} from '../shapes/normalised-source.ts'
import { runOnline } from '../shapes/online-run.ts'

export interface DivergenceErrorConfig {
  readonly sources: number
  readonly itemsPerDay: number
  readonly warmupDays: number
  readonly measuredDays: number
}

/** The sources of one shape, each with its own phase (people live in different time zones), from a seed. */
export function shapedSources(shape: ShapeName, config: DivergenceErrorConfig, seed: number): NormalisedSource[] {
  const days = config.warmupDays + config.measuredDays
  return Array.from({ length: config.sources }, (_, index) => {
    const random = seededRandom(seed * 1000 + index)
    return normalisedSource(shape, days, config.itemsPerDay, Math.floor(random() * 24), random)
  })
}

/**
 * divErr of equation 7.4: the root mean square, over the sources, of real less estimated divergence at each cycle, and
 * its mean over the measured cycles. The same refreshes for every estimator.
 */
export function divergenceError<State>(
  sources: readonly NormalisedSource[],
  estimator: IntensityEstimator<State>,
  refreshHours: number,
  config: DivergenceErrorConfig,
  seed: number,
): number {
  const first = config.warmupDays * CYCLES_PER_DAY
  const squares = new Float64Array(config.measuredDays * CYCLES_PER_DAY)
  sources.forEach((source, index) => {
    const random = seededRandom(seed * 1_000_003 + index)
    runOnline({
      source,
      refreshes: randomRefreshes(source.length, Math.round(refreshHours * CYCLES_PER_HOUR), random),
      estimator,
      onCycle(cycle, real, estimated) {
        if (cycle >= first) squares[cycle - first] = entryAt(squares, cycle - first) + (real - estimated) ** 2
      },
    })
  })
  let sum = 0
  for (const square of squares) sum += Math.sqrt(square / sources.length)
  return sum / squares.length
}

/** "In each case, we chose an experimentally found value of α such that it minimizes the divergence errors" (7.3.1). */
export function leastError(
  alphas: readonly number[],
  errorAt: (alpha: number) => number,
): { readonly alpha: number; readonly error: number } {
  let best = { alpha: Number.NaN, error: Number.POSITIVE_INFINITY }
  for (const alpha of alphas) {
    const error = errorAt(alpha)
    if (error < best.error) best = { alpha, error }
  }
  return best
}
