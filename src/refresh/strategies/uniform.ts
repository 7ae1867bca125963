import type { PricedStrategy } from '../strategy.ts'
import { inWords } from '../words.ts'

/**
 * Every source equally often, whatever it publishes (thesis 4.3.2): the baseline, and the form of "fixed interval"
 * that respects a budget. Utility is the age itself, so the price is an interval in milliseconds per unit of cost.
 * The first interval is cut at random, so that sources added together do not stay together for ever.
 */
export const uniform: PricedStrategy<{ readonly phase: number }> = {
  id: 'uniform',
  start: (_facts, random) => ({ phase: random() }),
  observe: (memory, observation) => (observation.previousAt === null ? memory : { phase: 1 }),
  dueAt(memory, facts, price) {
    if (facts.lastRefreshAt === null) return facts.addedAt
    return facts.lastRefreshAt + price * facts.cost * memory.phase
  },
  reason: (_memory, facts, price) =>
    `every ${inWords(price * facts.cost)}: all sources share the budget equally (uniform)`,
  firstPrice: (sources, budget) => (Math.max(1, sources) * budget.perMs) / budget.requests,
}
