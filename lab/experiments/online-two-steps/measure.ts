import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Random } from '../../../src/model/index.ts'
import { estimatedDivergence } from '../../../src/refresh/divergence.ts'
import type { AnyEstimator } from '../../../src/refresh/estimator.ts'
import { fixedAlpha, periodic, singleVariable } from '../../../src/refresh/estimators/index.ts'
import { intensityEstimator } from '../../../src/refresh/estimators/intensity-estimator.ts'
import type { Intensity } from '../../../src/refresh/intensity.ts'
import { twoStepsCycle } from '../../../src/refresh/strategies/two-steps.ts'
import { runCycles } from '../../simulator/cycles.ts'
import { inTurns } from '../../simulator/in-turns.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import { type SimWorld, simSource } from '../../simulator/world.ts'
import { hourlyShares, type ShapeName } from '../shapes/normalised-source.ts'
import { CONFIG } from './config.ts'

/** A priori (the green curve of 7.9), or one of the two online models. */
export type Knowing = 'known' | 'single variable' | 'periodic'

export interface Quality {
  readonly completeness: number
  readonly freshness: number
  readonly perCycle: number
}

const CYCLE_MS = 10 * MINUTE_MS
const CYCLES_PER_DAY = DAY_MS / CYCLE_MS

export function qualityOf(shape: ShapeName, knowing: Knowing, budget: number, seeds: number): Quality {
  const sum = { completeness: 0, freshness: 0, perCycle: 0 }
  for (let seed = 1; seed <= seeds; seed++) {
    const quality = qualityIn(shapedWorld(shape, seed), knowing, budget, seed)
    sum.completeness += quality.completeness / seeds
    sum.freshness += quality.freshness / seeds
    sum.perCycle += quality.perCycle / seeds
  }
  return sum
}

/** Sources with the daily models that are known of them a priori. */
export interface ModelledWorld {
  readonly world: SimWorld
  readonly intensities: readonly Intensity[]
}

/** 2Steps over the days of CONFIG, after those of its warm-up. */
export function qualityIn(
  { world, intensities }: ModelledWorld,
  knowing: Knowing,
  budget: number,
  seed: number,
): Quality {
  const estimator = estimatorOf(knowing, intensities)
  const cycles = CONFIG.days * CYCLES_PER_DAY
  const { completeness, freshnessBefore, freshnessAfter, refreshes } = runCycles({
    world,
    strategy: inTurns(twoStepsCycle(estimatedDivergence(estimator), { firstThreshold: 10 }), budget),
    knowledge: {
      start: (facts) => estimator.start({ ratePerHour: 1, at: facts.addedAt, sourceId: facts.id }),
      observe: (state, observation) => estimator.observe(state, observation),
    },
    cycleMs: CYCLE_MS,
    budgetPerCycle: budget,
    warmupCycles: CONFIG.warmupDays * CYCLES_PER_DAY,
    cycles,
    random: sourceRandom(seed, 79),
    lossKnown: true,
  })
  return {
    completeness,
    freshness: (freshnessBefore.plain + freshnessAfter.plain) / 2,
    perCycle: refreshes / cycles,
  }
}

function estimatorOf(knowing: Knowing, intensities: readonly Intensity[]): AnyEstimator {
  if (knowing === 'single variable') return singleVariable({ alpha: fixedAlpha(0.1) })
  if (knowing === 'periodic') return periodic({ alpha: fixedAlpha(0.1) })
  return intensityEstimator<number>({
    id: 'known',
    start: ({ sourceId }) => sourceId!,
    observe: (state) => state,
    intensity: (state) => entryAt(intensities, state),
  })
}

function shapedWorld(shape: ShapeName, seed: number): ModelledWorld {
  const endMs = (CONFIG.warmupDays + CONFIG.days) * DAY_MS
  const intensities = Array.from({ length: CONFIG.sources }, (_, id): Intensity => {
    const random = sourceRandom(seed, id)
    const perDay = CONFIG.leastPerDay + random() * (CONFIG.mostPerDay - CONFIG.leastPerDay)
    const shares = hourlyShares(shape, Math.floor(random() * (shape === 'peaks' ? 4 : 8)))
    return { periodMs: DAY_MS, ratesPerHour: shares.map((share) => share * perDay) }
  })
  const sources = intensities.map((intensity, id) =>
    simSource(id, periodicTimes(intensity, endMs, sourceRandom(seed, 100 + id)), CONFIG.windowSize),
  )
  return { world: { startMs: 0, endMs, sources }, intensities }
}

/** Periodic Poisson, hour by hour. */
function periodicTimes({ ratesPerHour }: Intensity, endMs: number, random: Random): Float64Array {
  const times: number[] = []
  for (let hour = 0; hour * HOUR_MS < endMs; hour++) {
    const gap = () => -Math.log(1 - random()) / entryAt(ratesPerHour, hour % 24)
    for (let at = gap(); at < 1; at += gap()) times.push((hour + at) * HOUR_MS)
  }
  return Float64Array.from(times)
}
