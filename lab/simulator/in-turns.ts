import type { ThresholdState } from '../../src/refresh/strategies/only-tau.ts'
import type { CycleStrategy } from '../../src/refresh/strategy.ts'

/**
 * Gives a threshold strategy whole budgets that are `budgetPerCycle` on average. Sources are whole, so with a fractional
 * b the band p·b … b of Algorithm 4.2 may hold one number or none, and spending jumps from one b to the next; and below
 * one, top_b would always take one. Nothing is decided in a cycle in which no request may be spent.
 */
export function inTurns<Memory>(
  strategy: CycleStrategy<Memory, ThresholdState>,
  budgetPerCycle: number,
): CycleStrategy<Memory, ThresholdState> {
  let credit = 0
  return {
    ...strategy,
    select(state, sources, now, random) {
      credit += budgetPerCycle
      const whole = Math.floor(credit + 1e-9)
      if (whole < 1) return { state, refresh: [] }
      credit -= whole
      return strategy.select({ budgetPerCycle: whole, threshold: state.threshold }, sources, now, random)
    },
  }
}
