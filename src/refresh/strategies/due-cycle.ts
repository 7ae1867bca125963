import type { CycleStrategy, PricedStrategy } from '../strategy.ts'

/** The cycle form of any priced strategy at a fixed price: refresh whatever is due by now. It knows no budget. */
export function dueCycle<Memory>(strategy: PricedStrategy<Memory>, price: number): CycleStrategy<Memory, number> {
  return {
    id: strategy.id,
    begin: () => price,
    withBudget: (state) => state,
    select: (state, sources, now) => ({
      state,
      refresh: sources
        .filter(({ memory, facts }) => strategy.dueAt(memory, facts, state) <= now)
        .map(({ facts }) => facts.id),
    }),
  }
}
