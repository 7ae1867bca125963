import type { IntensityEstimator } from './estimator.ts'
import { expectedItems, utilityItemHours } from './intensity.ts'
import type { DivergenceView, SourceFacts } from './strategy.ts'

/** When divergence began to grow: the last refresh, or the adding of the source. */
export function since(facts: SourceFacts): number {
  return facts.lastRefreshAt ?? facts.addedAt
}

/** Divergence as an estimator believes it; weights stand for query relevance (Definition 2.1.2). */
export function estimatedDivergence<State>(estimator: IntensityEstimator<State>): DivergenceView<State> {
  return {
    stream: (state, facts, now) => expectedItems(estimator.intensity(state), since(facts), now),
    window: (state, facts, now) =>
      facts.weight * Math.min(facts.windowSize, expectedItems(estimator.intensity(state), since(facts), now)),
    utility: (state, facts, now) => facts.weight * utilityItemHours(estimator.intensity(state), since(facts), now),
  }
}
