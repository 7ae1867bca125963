import { entryAt } from '../../../src/model/entry-at.ts'
import type { IntensityEstimator } from '../../../src/refresh/estimator.ts'
import type { PeriodicState } from '../../../src/refresh/estimators/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import {
  CYCLES_PER_DAY,
  CYCLES_PER_HOUR,
  concatenateSources,
  type NormalisedSource,
  normalisedSource,
  randomRefreshes,
  referenceModel,
  type ShapeName,
} from '../shapes/normalised-source.ts'
import { hourlyRates, runOnline } from '../shapes/online-run.ts'

export interface RobustnessConfig {
  readonly phases: readonly ShapeName[]
  readonly weeksPerPhase: number
  readonly itemsPerDay: number
}

/** 16 weeks of uniform, then of peaks, then of waves (7.3.2). */
export function threeShapesSource(config: RobustnessConfig, seed: number): NormalisedSource {
  const random = seededRandom(seed)
  const days = config.weeksPerPhase * 7
  return concatenateSources(config.phases.map((shape) => normalisedSource(shape, days, config.itemsPerDay, 0, random)))
}

export interface Robustness {
  /** Distance between real and estimated daily model at the end of each week: Figure 7.7. */
  readonly distances: readonly number[]
  /** Estimated and real model at the end of each phase: Figure 7.6. */
  readonly models: readonly { readonly estimated: readonly number[]; readonly real: readonly number[] }[]
  /** Distance, at each change, of the model as it then stood from the first week of the new behaviour. */
  readonly shocks: readonly number[]
}

export function robustness(
  source: NormalisedSource,
  estimator: IntensityEstimator<PeriodicState>,
  refreshHours: number,
  config: RobustnessConfig,
  seed: number,
): Robustness {
  const refreshes = randomRefreshes(source.length, refreshHours * CYCLES_PER_HOUR, seededRandom(seed + 77))
  const distances: number[] = []
  const models: { estimated: readonly number[]; real: readonly number[] }[] = []
  const shocks: number[] = []
  runOnline({
    source,
    refreshes,
    estimator,
    onDay(day, intensity) {
      if (day % 7 !== 0) return
      const estimated = Array.from(hourlyRates(intensity))
      const real = referenceModel(source, day * CYCLES_PER_DAY)
      distances.push(distance(estimated, real))
      if (day % (7 * config.weeksPerPhase) !== 0) return
      models.push({ estimated, real })
      const nextWeek = (day + 7) * CYCLES_PER_DAY
      if (nextWeek <= source.length) shocks.push(distance(estimated, referenceModel(source, nextWeek)))
    },
  })
  return { distances, models, shocks }
}

/** 24-dimensional Euclidean distance (7.3.2). */
function distance(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (entryAt(a, index) - entryAt(b, index)) ** 2
  return Math.sqrt(sum)
}

/**
 * For each change, the weeks until the distance is down to half of what the change made it; Infinity where it is not
 * within the phase. Linear between the weekly readings.
 */
export function halvingWeeks(
  distances: readonly number[],
  shocks: readonly number[],
  weeksPerPhase: number,
): readonly number[] {
  return shocks.map((shock, change) => {
    const start = (change + 1) * weeksPerPhase
    let before = shock
    for (let week = 1; week <= weeksPerPhase; week++) {
      const now = entryAt(distances, start + week - 1)
      if (now <= shock / 2) return week - 1 + (before - shock / 2) / (before - now)
      before = now
    }
    return Number.POSITIVE_INFINITY
  })
}

export function meanOfEach(rows: readonly (readonly number[])[]): number[] {
  return entryAt(rows, 0).map((_, index) => rows.reduce((sum, row) => sum + entryAt(row, index), 0) / rows.length)
}
