import { HOUR_MS, type InstantMs } from '../../model/index.ts'
import { describeMs } from '../describe.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { expectedItems, type Intensity, meanRatePerHour } from '../intensity.ts'
import type { PricedStrategy, SourceFacts } from '../strategy.ts'

/** What is special to a strategy that decides from a publication model; its memory is the estimator's state. */
export interface ModelledRule {
  readonly id: string
  readonly timetable?: true
  /** `from` is the last refresh. */
  due(intensity: Intensity, facts: SourceFacts, price: number, from: InstantMs): InstantMs
  /** Price at which a source of the given rate is refreshed every `intervalHours`. */
  priceOf(ratePerHour: number, intervalHours: number): number
  /** Ends the sentence that `reason` begins. */
  readonly because: string
}

/** About two items a day: between the many quiet feeds and the few busy ones (SCC07 Figure 7). */
export const PRIOR_PER_HOUR = 0.1

export function modelled<State>(estimator: IntensityEstimator<State>, rule: ModelledRule): PricedStrategy<State> {
  const dueAt = (state: State, facts: SourceFacts, price: number): InstantMs => {
    if (facts.lastRefreshAt === null) return facts.addedAt
    return rule.due(estimator.intensity(state), facts, price, facts.lastRefreshAt)
  }
  return {
    id: rule.id,
    ...(rule.timetable ? { timetable: true } : {}),
    start: (facts) => estimator.start({ ratePerHour: PRIOR_PER_HOUR, at: facts.addedAt, sourceId: facts.id }),
    observe: (state, observation) => estimator.observe(state, observation),
    dueAt,
    reason(state, facts, price) {
      const intervalMs = dueAt(state, facts, price) - (facts.lastRefreshAt ?? facts.addedAt)
      const perDay = meanRatePerHour(estimator.intensity(state)) * 24
      const when = Number.isFinite(intervalMs) ? `after ${describeMs(intervalMs)}` : 'never'
      return `${when}: about ${perDay.toPrecision(2)} items a day; ${rule.because} (${rule.id})`
    },
    firstPrice(sources, budget) {
      const intervalMs = (Math.max(1, sources) * budget.perMs) / budget.requests
      return rule.priceOf(PRIOR_PER_HOUR, intervalMs / HOUR_MS)
    },
    expected: (state, from, to) => expectedItems(estimator.intensity(state), from, to),
  }
}
