import { DAY_MS, MINUTE_MS } from '../../src/model/index.ts'
import { runFollowed } from '../simulator/followed-run.ts'
import { Tally } from '../simulator/tally.ts'
import { type Arena, budgetOf } from './arena.ts'
import { maxIntervalOf, pricedPolicy } from './policies.ts'
import type { FollowedRow } from './types.ts'

/** Policies under a price that follows the budget day by day: nothing is chosen in hindsight, and requests are equal. */
export function followBudget(arena: Arena, policies: readonly string[], perDay: number): FollowedRow[] {
  const { world, measureFromMs, seed } = arena
  const requestsPerDay = perDay * world.sources.length
  return policies.map((policy) => {
    const strategy = pricedPolicy(policy, arena.learnt)
    if (strategy === null) throw new Error(`${policy} has no price`)
    const tally = new Tally(measureFromMs, world.endMs)
    const firstPrice = strategy.firstPrice(world.sources.length, { requests: requestsPerDay, perMs: DAY_MS })
    const limits = maxIntervalOf(policy)
    const prices = runFollowed({ world, strategy, requestsPerDay, firstPrice, measureFromMs, seed, ...limits }, tally)
    return {
      policy,
      ...prices,
      requests: tally.requests,
      drift: tally.requests / budgetOf(arena, perDay) - 1,
      meanDelayMinutes: tally.meanDelayMs / MINUTE_MS,
      lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
    }
  })
}
