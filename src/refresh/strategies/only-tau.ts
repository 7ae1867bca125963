import type { IntensityEstimator } from '../estimator.ts'
import { firstTimeReached } from '../first-reached.ts'
import type { CycleStrategy, DivergenceView, PricedStrategy } from '../strategy.ts'
import { adjustThreshold, THESIS_THRESHOLD, type ThresholdRule } from '../threshold.ts'
import { modelStrategy } from './modelled.ts'

/**
 * The best effort strategy for unsaturated feeds (thesis 4.1), the second step of 2Steps alone: refresh as soon as
 * w·Uti ≥ τ·c (equation 4.4). Its steady state is SCC07's allocation, interval √(2τc/(wλ)).
 */
export function onlyTau<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return modelStrategy(estimator, {
    id: 'only-tau',
    priceIsUtility: true,
    due: (intensity, facts, price, from) =>
      firstTimeReached(intensity, from, Number.POSITIVE_INFINITY, (price * facts.cost) / facts.weight),
    priceOf: (ratePerHour, intervalHours) => (ratePerHour * intervalHours ** 2) / 2,
    because: 'then what waits is worth a request',
  })
}

export interface ThresholdState {
  readonly budgetPerCycle: number
  readonly threshold: number
}

export interface ThresholdOptions {
  readonly firstThreshold?: number
  /** Null keeps τ fixed. */
  readonly rule?: ThresholdRule | null
}

export function beginThreshold(budgetPerCycle: number, options: ThresholdOptions): ThresholdState {
  return { budgetPerCycle, threshold: options.firstThreshold ?? 1 }
}

export function nextThreshold(state: ThresholdState, spent: number, options: ThresholdOptions): ThresholdState {
  const rule = options.rule === undefined ? THESIS_THRESHOLD : options.rule
  if (rule === null) return state
  const { budgetPerCycle } = state
  // Field by field: a simulated year has a hundred thousand cycles.
  return { budgetPerCycle, threshold: adjustThreshold(state.threshold, spent, budgetPerCycle, rule) }
}

/** *OnlyTau* of thesis 4.4.2 with the threshold adjustment of Algorithm 4.2. */
export function onlyTauCycle<Memory>(
  view: DivergenceView<Memory>,
  options: ThresholdOptions = {},
): CycleStrategy<Memory, ThresholdState> {
  return {
    id: 'only-tau',
    begin: ({ budgetPerCycle }) => beginThreshold(budgetPerCycle, options),
    withBudget: (state, budgetPerCycle) => ({ ...state, budgetPerCycle }),
    threshold: ({ threshold }) => threshold,
    select(state, sources, now) {
      const chosen = sources.filter(
        ({ memory, facts }) => view.utility(memory, facts, now) >= state.threshold * facts.cost,
      )
      const spent = chosen.reduce((sum, { facts }) => sum + facts.cost, 0)
      return { state: nextThreshold(state, spent, options), refresh: chosen.map(({ facts }) => facts.id) }
    },
  }
}
