import { HOUR_MS, type InstantMs } from '../../model/index.ts'
import { describeMs } from '../describe.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { expectedItems, type Intensity, meanRatePerHour } from '../intensity.ts'
import type { LearntModel, PricedStrategy, SourceFacts } from '../strategy.ts'

/** What is special to a strategy that decides from a publication model; its memory is the estimator's state. */
export interface ModelledRule {
  readonly id: string
  readonly timetable?: true
  readonly priceIsUtility?: true
  /** `from` is the last refresh. */
  due(intensity: Intensity, facts: SourceFacts, price: number, from: InstantMs): InstantMs
  /** Price at which a source of the given rate is refreshed every `intervalHours`. */
  priceOf(ratePerHour: number, intervalHours: number): number
  /** When the window is full, for strategies that put such sources first. */
  full?(intensity: Intensity, facts: SourceFacts, from: InstantMs): InstantMs
  /** Ends the sentence that `reason` begins. */
  readonly because: string
}

/** About two items a day: between the many quiet feeds and the few busy ones (SCC07 Figure 7). */
export const PRIOR_PER_HOUR = 0.1

/** What is learnt of a source by an estimator, whatever decides with it. */
function estimatorModel<State>(estimator: IntensityEstimator<State>): LearntModel<State> {
  const { packing, observe } = estimator
  return {
    id: estimator.id,
    start: (facts) => estimator.start({ ratePerHour: PRIOR_PER_HOUR, at: facts.addedAt, sourceId: facts.id }),
    observe: (state, observation) => observe(state, observation),
    expected: (state, from, to) => expectedItems(estimator.intensity(state), from, to),
    ...(packing === undefined ? {} : { packing }),
    memoryForm: `${estimator.id}/${estimator.stateForm ?? '1'}`,
    believes: (state) => ({
      model: estimator.id,
      intensity: estimator.intensity(state),
      details: estimator.describe?.(state) ?? {},
    }),
  }
}

/** The same, not packed: cycles must choose exactly what they would with the numbers as they were computed. */
export function exactModel<State>(estimator: IntensityEstimator<State>): LearntModel<State> {
  const { packing: _packing, ...model } = estimatorModel(estimator)
  const { stateForm } = estimator
  return { ...model, memoryForm: `${estimator.id}/exact${stateForm === undefined ? '' : `-${stateForm}`}` }
}

export function modelStrategy<State>(estimator: IntensityEstimator<State>, rule: ModelledRule): PricedStrategy<State> {
  // Looked up once: estimators and rules are of many forms, and every decision comes here.
  const { intensity } = estimator
  const { due } = rule
  const dueAt = (state: State, facts: SourceFacts, price: number): InstantMs => {
    if (facts.lastRefreshAt === null) return facts.addedAt
    return due(intensity(state), facts, price, facts.lastRefreshAt)
  }
  return {
    ...estimatorModel(estimator),
    id: rule.id,
    ...(rule.timetable ? { timetable: true } : {}),
    ...(rule.priceIsUtility ? { priceIsUtility: true } : {}),
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
    ...urgency(estimator, rule),
    ...duePacked(estimator, rule),
  }
}

function urgency<State>(
  estimator: IntensityEstimator<State>,
  rule: ModelledRule,
): Pick<PricedStrategy<State>, 'urgentAt'> {
  const { full } = rule
  if (full === undefined) return {}
  return {
    urgentAt: (state, facts) =>
      facts.lastRefreshAt === null
        ? Number.POSITIVE_INFINITY
        : full(estimator.intensity(state), facts, facts.lastRefreshAt),
  }
}

function duePacked<State>(
  { packing }: IntensityEstimator<State>,
  rule: ModelledRule,
): Pick<PricedStrategy<State>, 'dueAtPacked'> {
  const intensityAt = packing?.intensityAt
  if (intensityAt === undefined) return {}
  return {
    dueAtPacked: (source, offset, facts, price) =>
      facts.lastRefreshAt === null
        ? facts.addedAt
        : rule.due(intensityAt(source, offset), facts, price, facts.lastRefreshAt),
  }
}
