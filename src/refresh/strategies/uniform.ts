import { describeMs } from '../describe.ts'
import type { CycleStrategy, PricedStrategy } from '../strategy.ts'

/**
 * Every source equally often, whatever it publishes (thesis 4.4.2): the baseline, and the form of "fixed interval"
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
    `every ${describeMs(price * facts.cost)}: all sources share the budget equally (uniform)`,
  firstPrice: (sources, budget) => (Math.max(1, sources) * budget.perMs) / budget.requests,
}

export interface RoundRobinState {
  readonly budgetPerCycle: number
  readonly credit: number
  /** Index of the source that is next. */
  readonly position: number
}

/** *Uniform* of thesis 4.4.2: frequency b/|S| for each source, in turn. */
export const uniformCycle: CycleStrategy<unknown, RoundRobinState> = {
  id: 'uniform',
  begin: ({ budgetPerCycle }) => ({ budgetPerCycle, credit: 0, position: 0 }),
  withBudget: (state, budgetPerCycle) => ({ ...state, budgetPerCycle }),
  select(state, sources) {
    const credit = state.credit + state.budgetPerCycle
    const count = Math.min(sources.length, Math.floor(credit + 1e-9))
    const refresh = Array.from({ length: count }, (_, k) => sources[(state.position + k) % sources.length]!.facts.id)
    const position = sources.length === 0 ? 0 : (state.position + count) % sources.length
    // What exceeds one turn over all sources cannot be spent.
    return { state: { ...state, credit: Math.min(credit - count, sources.length), position }, refresh }
  },
}
