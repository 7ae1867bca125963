import type { CycleStrategy, DivergenceView } from '../strategy.ts'
import { topByValue } from './top.ts'

export interface TopKState {
  readonly budgetPerCycle: number
  /** What fractions of b left unspent so far. */
  readonly credit: number
}

/** *topKUtility* of the 2010 paper, section 5: the b sources of highest utility, every cycle. */
export function topKUtilityCycle<Memory>(view: DivergenceView<Memory>): CycleStrategy<Memory, TopKState> {
  return {
    id: 'top-k-utility',
    begin: ({ budgetPerCycle }) => ({ budgetPerCycle, credit: 0 }),
    withBudget: (state, budgetPerCycle) => ({ ...state, budgetPerCycle }),
    select(state, sources, now) {
      const credit = state.credit + state.budgetPerCycle
      // Rounding errors of a sum of fractions must not take a whole request away.
      const whole = Math.floor(credit + 1e-9)
      const chosen = topByValue(sources, ({ memory, facts }) => view.utility(memory, facts, now) / facts.cost, whole)
      return { state: { ...state, credit: credit - whole }, refresh: chosen.map(({ facts }) => facts.id) }
    },
  }
}
