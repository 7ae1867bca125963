import type { Random } from '../../model/index.ts'
import { describeMs } from '../describe.ts'
import type { PricedStrategy } from '../strategy.ts'

/**
 * Irregular intervals around the same mean for every source (thesis 7.3.2), so that an estimator sees all hours of the
 * day: with a mean of one hour, anything between 10 minutes and two hours. The price is the mean interval in
 * milliseconds per unit of cost.
 */
export const uniformRandom: PricedStrategy<{ readonly share: number }> = {
  id: 'uniform-random',
  start: (_facts, random) => ({ share: drawShare(random) }),
  observe: (_memory, _observation, _facts, random) => ({ share: drawShare(random) }),
  dueAt(memory, facts, price) {
    if (facts.lastRefreshAt === null) return facts.addedAt
    return facts.lastRefreshAt + price * facts.cost * memory.share
  },
  reason: (_memory, facts, price) => `at random, every ${describeMs(price * facts.cost)} on average (uniform-random)`,
  firstPrice: (sources, budget) => (Math.max(1, sources) * budget.perMs) / budget.requests,
}

// 10 of 60 minutes is the shortest interval of the thesis's example; the mean of [1/6, 11/6) is 1.
const SHORTEST_SHARE = 1 / 6

function drawShare(random: Random): number {
  return SHORTEST_SHARE + random() * 2 * (1 - SHORTEST_SHARE)
}
