import { isSaturated } from '../../model/index.ts'
import { since } from '../divergence.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { reachesItems } from '../intensity.ts'
import type { CycleSource, CycleStrategy, DivergenceView, PricedStrategy } from '../strategy.ts'
import { modelStrategy } from './modelled.ts'
import { type RankedSource, topWithin } from './top.ts'

/**
 * The first step of 2Steps alone (thesis 4.4.2): refresh when the window is full. The price is how full: 1 is the
 * published strategy, which spends only what saturation asks for; other values let it meet any budget.
 */
export function onlySat<State>(estimator: IntensityEstimator<State>): PricedStrategy<State> {
  return modelStrategy(estimator, {
    id: 'only-sat',
    due: (intensity, facts, price, from) =>
      reachesItems(intensity, from, (price * facts.windowSize * facts.cost) / facts.weight),
    full: (intensity, facts, from) => reachesItems(intensity, from, facts.windowSize),
    priceOf: (ratePerHour, intervalHours) => (ratePerHour * intervalHours) / USUAL_WINDOW,
    because: 'then its window is full',
  })
}

const USUAL_WINDOW = 20

/**
 * FIRST step of Algorithm 4.1: up to b saturated sources with the largest window divergence. Estimated window
 * divergences are equal for all saturated sources of one window size; the one that is longest without refresh goes
 * first then.
 */
export function saturatedFirst<Memory>(
  view: DivergenceView<Memory>,
  sources: readonly CycleSource<Memory>[],
  now: number,
  budget: number,
): CycleSource<Memory>[] {
  const saturated: RankedSource<Memory>[] = []
  for (const source of sources) {
    const { memory, facts } = source
    if (!isSaturated(view.stream(memory, facts, now), facts.windowSize)) continue
    const value = view.window(memory, facts, now) / facts.cost
    if (value > 0) saturated.push({ source, value, tie: since(facts) })
  }
  return topWithin(saturated, budget)
}

/** *OnlySat* of thesis 4.4.2. */
export function onlySatCycle<Memory>(view: DivergenceView<Memory>): CycleStrategy<Memory, number> {
  return {
    id: 'only-sat',
    begin: ({ budgetPerCycle }) => budgetPerCycle,
    withBudget: (_state, budgetPerCycle) => budgetPerCycle,
    select: (budget, sources, now) => ({
      state: budget,
      refresh: saturatedFirst(view, sources, now, budget).map(({ facts }) => facts.id),
    }),
  }
}
