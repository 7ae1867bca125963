import { DAY_MS, HOUR_MS } from '../../../src/model/index.ts'
import type { AnyEstimator } from '../../../src/refresh/estimator.ts'
import { fixedAlpha, periodic, singleVariable } from '../../../src/refresh/estimators/index.ts'
import { simSource } from '../../simulator/world.ts'
import { divergenceError, leastError } from '../divergence-error/measure.ts'
import { CONFIG as ONLINE } from '../online-two-steps/config.ts'
import { type Knowing, type ModelledWorld, type Quality, qualityIn } from '../online-two-steps/measure.ts'
import { halvingWeeks, type Robustness, robustness } from '../periodic-robustness/measure.ts'
import { concatenateSources } from '../shapes/normalised-source.ts'
import { CONFIG } from './config.ts'
import { normaliseSource, type ShapedFeed } from './shaped-feeds.ts'

/** Figure 7.8 of ten feeds: the error at each refresh interval, each with the best α. */
export function errorsOf(feeds: readonly ShapedFeed[], model: 'single variable' | 'periodic'): number[] {
  const days = CONFIG.warmupDays + CONFIG.measuredDays
  const sources = feeds.map((feed) => normaliseSource(feed, days))
  const config = { ...CONFIG, itemsPerDay: Number.NaN }
  return CONFIG.refreshHours.map((hours) => {
    const errorAt = (alpha: number) => {
      const options = { alpha: fixedAlpha(alpha) }
      const estimator: AnyEstimator = model === 'periodic' ? periodic(options) : singleVariable(options)
      return divergenceError(sources, estimator, hours, config, 1)
    }
    return leastError(CONFIG.alphas, errorAt).error
  })
}

export interface ShapeFollowing extends Robustness {
  readonly refreshHours: number
  /** Weeks from each change until the distance has halved. */
  readonly halving: readonly number[]
}

/** Figures 7.6 and 7.7: 16 weeks of one feed, then of another, then of a third. */
export function followShapes(phases: readonly ShapedFeed[], refreshHours: number): ShapeFollowing {
  const source = concatenateSources(phases.map((feed) => normaliseSource(feed, 7 * CONFIG.weeksPerPhase)))
  const config = { phases: CONFIG.phases, weeksPerPhase: CONFIG.weeksPerPhase, itemsPerDay: Number.NaN }
  const runs = CONFIG.alphas.map((alpha) =>
    robustness(source, periodic({ alpha: fixedAlpha(alpha) }), refreshHours, config, 1),
  )
  const mean = ({ distances }: Robustness) => distances.reduce((sum, each) => sum + each, 0)
  const best = runs.reduce((a, b) => (mean(b) < mean(a) ? b : a))
  return { ...best, refreshHours, halving: halvingWeeks(best.distances, best.shocks, CONFIG.weeksPerPhase) }
}

/** Figures 7.9 and 7.10 of ten feeds at each budget. */
export function qualitiesOf(feeds: readonly ShapedFeed[], knowing: Knowing): Quality[] {
  const world = worldOf(feeds)
  return CONFIG.budgets.map((budget) => qualityIn(world, knowing, budget, 1))
}

/** The feeds as they published; known a priori is the mean day of the whole time. */
function worldOf(feeds: readonly ShapedFeed[]): ModelledWorld {
  const days = ONLINE.warmupDays + ONLINE.days
  const sources = feeds.map(({ name, times, from }, id) => {
    const within = times.filter((at) => at >= from && at < from + days * DAY_MS).map((at) => at - from)
    return simSource(id, within, CONFIG.windowSize, { name })
  })
  const intensities = sources.map(({ times }) => {
    const ratesPerHour = new Array<number>(24).fill(0)
    for (const at of times)
      ratesPerHour[Math.floor(at / HOUR_MS) % 24] = (ratesPerHour[Math.floor(at / HOUR_MS) % 24] ?? 0) + 1 / days
    return { periodMs: DAY_MS, ratesPerHour }
  })
  return { world: { startMs: 0, endMs: days * DAY_MS, sources }, intensities }
}
