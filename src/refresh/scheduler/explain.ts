import type { InstantMs } from '../../model/index.ts'
import { utilityItemHours } from '../intensity.ts'
import type { PricedStrategy, SourceFacts } from '../strategy.ts'
import type { Explanation } from './types.ts'

export interface Subject<Memory> {
  readonly memory: Memory
  readonly facts: SourceFacts
  readonly price: number
}

/** What a strategy believes of one source at one price, without the scheduler: another process may ask, too. */
export function explain<Memory>(
  strategy: PricedStrategy<Memory>,
  { memory, facts, price }: Subject<Memory>,
  now: InstantMs,
): Explanation {
  const from = facts.lastRefreshAt ?? facts.addedAt
  const fullAt = strategy.urgentAt?.(memory, facts) ?? null
  const belief = strategy.believes?.(memory) ?? null
  const utility = belief === null ? null : facts.weight * utilityItemHours(belief.intensity, from, now)
  return {
    strategy: strategy.id,
    price,
    nextAt: strategy.dueAt(memory, facts, price),
    reason: strategy.reason(memory, facts, price),
    belief,
    expected: strategy.expected?.(memory, from, now) ?? null,
    utility,
    worth: utility === null || !strategy.priceIsUtility ? null : utility / (price * facts.cost),
    fullAt: fullAt === null || !Number.isFinite(fullAt) ? null : fullAt,
    counts: null,
  }
}
