import { usualBurst } from '../../../src/app/crawling/crawling.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/model/index.ts'
import { ESTIMATORS } from '../../../src/refresh/estimators/index.ts'
import type { LearningPlan } from '../../../src/refresh/learning/plan.ts'
import { findStrategy } from '../../../src/refresh/strategies/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { runScheduled } from '../../simulator/scheduled-run.ts'
import { Tally } from '../../simulator/tally.ts'
import type { SimWorld } from '../../simulator/world.ts'
import { CONFIG } from './config.ts'

export interface Quality {
  /** Of the items of the measured weeks, minutes. */
  readonly delay: number
  readonly completeness: number
  /** Of the budget, over the measured weeks. */
  readonly spent: number
}

/** The node's scheduler, learning in one way, over the measured weeks. */
export function qualityOf(world: SimWorld, learning: LearningPlan, perDay: number, seed: number): Quality {
  const { startMs, endMs, sources } = world
  const fromMs = startMs + CONFIG.measuredFromDay * DAY_MS
  const tally = new Tally(fromMs, endMs)
  const budget = { requests: perDay * sources.length, perMs: DAY_MS }
  const strategy = findStrategy(CONFIG.strategy)!.priced!(ESTIMATORS[CONFIG.estimator]())
  const scheduler = {
    strategy,
    learning,
    budget,
    burst: usualBurst(budget, strategy),
    minIntervalMs: 5 * MINUTE_MS,
    random: seededRandom(seed),
  }
  runScheduled({ world, scheduler }, tally)
  return {
    delay: tally.meanDelayMs / MINUTE_MS,
    completeness: 1 - tally.lost / Math.max(1, tally.items),
    spent: (tally.requests * DAY_MS) / (budget.requests * (endMs - fromMs)),
  }
}
