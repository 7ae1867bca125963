import { DAY_MS, type DurationMs, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { runScheduled } from '../simulator/scheduled-run.ts'
import { Tally } from '../simulator/tally.ts'
import type { Arena } from './arena.ts'
import { maxIntervalOf } from './policies.ts'
import type { BreathingRow } from './types.ts'

/** What is saved up when a node begins, however much may be. */
const FIRST_SAVED_MS = 15 * MINUTE_MS

/**
 * The scheduler itself meets the budget, its own controller moves the price: nothing is calibrated. A small burst keeps
 * the rate flat; a large one lets it follow the day of the sources.
 */
export function breathing(
  { world, measureFromMs, seed }: Arena,
  strategy: AnyPricedStrategy,
  perDay: number,
  burstsMs: readonly DurationMs[],
): BreathingRow[] {
  const requests = perDay * world.sources.length
  return burstsMs.map((burstMs) => {
    const burst = Math.max(1, (requests * burstMs) / DAY_MS)
    const tally = new Tally(measureFromMs, world.endMs)
    runScheduled(
      {
        world,
        scheduler: {
          strategy,
          budget: { requests, perMs: DAY_MS },
          burst,
          firstSaved: Math.min(burst, Math.max(1, (requests * FIRST_SAVED_MS) / DAY_MS)),
          minIntervalMs: SECOND_MS,
          ...maxIntervalOf(strategy.id),
          random: seededRandom(seed),
        },
      },
      tally,
    )
    return {
      policy: strategy.id,
      burstMs,
      requests: tally.requests,
      meanDelayMinutes: tally.meanDelayMs / MINUTE_MS,
      lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
    }
  })
}
