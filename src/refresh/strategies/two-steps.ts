import type { IntensityEstimator } from '../estimator.ts'
import { firstTimeReached } from '../first-reached.ts'
import { reachesItems } from '../intensity.ts'
import type { CycleStrategy, DivergenceView, PricedStrategy } from '../strategy.ts'
import { modelStrategy } from './modelled.ts'
import { saturatedFirst } from './only-sat.ts'
import { beginThreshold, nextThreshold, type ThresholdOptions, type ThresholdState } from './only-tau.ts'
import { sumOfCosts } from './top.ts'

/**
 * 2Steps, thesis Algorithm 4.1: first up to b saturated sources by window divergence; then, if b is not used up, every
 * source whose utility reaches τ·b/(b − b_sat). τ moves by Algorithm 4.2. (The 2010 paper's b_sat ≤ b divides by zero
 * at equality; the thesis has <.)
 */
export function twoStepsCycle<Memory>(
  view: DivergenceView<Memory>,
  options: ThresholdOptions = {},
): CycleStrategy<Memory, ThresholdState> {
  return {
    id: 'two-steps',
    begin: ({ budgetPerCycle }) => beginThreshold(budgetPerCycle, options),
    withBudget: (state, budgetPerCycle) => ({ ...state, budgetPerCycle }),
    threshold: ({ threshold }) => threshold,
    select(state, sources, now) {
      const budget = state.budgetPerCycle
      if (sources.length === 0) return { state: nextThreshold(state, 0, options), refresh: [] }
      const refreshed = saturatedFirst(view, sources, now, budget)
      const spentOnSaturated = sumOfCosts(refreshed)
      if (spentOnSaturated < budget) {
        const price = raisedThreshold(state.threshold, budget, spentOnSaturated)
        const already = refreshed.length > 0 ? new Set(refreshed) : null
        for (const source of sources) {
          const { memory, facts } = source
          if (view.utility(memory, facts, now) >= price * facts.cost && !already?.has(source)) refreshed.push(source)
        }
      }
      return {
        state: nextThreshold(state, sumOfCosts(refreshed), options),
        refresh: refreshed.map(({ facts }) => facts.id),
      }
    },
  }
}

/** τ for the part of the budget that the saturated sources left over; only for spent < budget. */
export function raisedThreshold(threshold: number, budget: number, spentOnSaturated: number): number {
  return (budget / (budget - spentOnSaturated)) * threshold
}

/**
 * 2Steps one source at a time: due when saturated or when its utility is worth the price. With
 * `raisedThreshold(τ, b, b_sat)` as the price it chooses what Algorithm 4.1 chooses as long as fewer than b are
 * saturated; the cut at b and the ranking among saturated sources need all of them (lab/wheel).
 */
export function twoSteps<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return modelStrategy(estimator, {
    id: 'two-steps',
    priceIsUtility: true,
    due: (intensity, facts, price, from) =>
      firstTimeReached(intensity, from, facts.windowSize, (price * facts.cost) / facts.weight),
    full: (intensity, facts, from) => reachesItems(intensity, from, facts.windowSize),
    priceOf: (ratePerHour, intervalHours) => (ratePerHour * intervalHours ** 2) / 2,
    because: 'then what waits is worth a request, or its window is full',
  })
}
