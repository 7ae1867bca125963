import type { DurationMs, InstantMs, Observation } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'

/**
 * Ways to spend on learning (thesis 7.3.4), as wrappers around any estimator. Where bandwidth is short, refreshes come
 * so rarely that online estimation goes astray; so learn in times of plenty and keep what was learnt, or learn from
 * requests of its own.
 */
export interface LearningState<State> {
  readonly v: 1
  readonly inner: State
  /** Where learning began. */
  readonly since: InstantMs
}

/** Learns for a while after the start, then uses what it learnt without updating it. */
export function learnThenFreeze<State>(
  estimator: IntensityEstimator<State>,
  options: { readonly learnMs: DurationMs },
): IntensityEstimator<LearningState<State>> {
  return learningWhile(estimator, `${estimator.id}, frozen`, (since, at) => at - since <= options.learnMs)
}

/** Learns in the first part of each round, and keeps the model through the rest of it. */
export function repeatedLearning<State>(
  estimator: IntensityEstimator<State>,
  options: { readonly learnMs: DurationMs; readonly everyMs: DurationMs },
): IntensityEstimator<LearningState<State>> {
  const within = (since: InstantMs, at: InstantMs) => {
    const age = Math.max(0, at - since)
    return age - Math.floor(age / options.everyMs) * options.everyMs <= options.learnMs
  }
  return learningWhile(estimator, `${estimator.id}, relearnt`, within)
}

function learningWhile<State>(
  inner: IntensityEstimator<State>,
  id: string,
  learns: (since: InstantMs, at: InstantMs) => boolean,
): IntensityEstimator<LearningState<State>> {
  return {
    id,
    start: (prior) => ({ v: 1, inner: inner.start(prior), since: prior.at }),
    observe(state, observation) {
      // Both ends must lie in the period: an interval that began before it was watched too rarely to learn from.
      const from = observation.previousAt ?? observation.at
      if (!learns(state.since, observation.at) || !learns(state.since, from)) return state
      return { ...state, inner: inner.observe(state.inner, observation) }
    },
    ...delegated(inner, (state) => state.inner),
  }
}

export interface SeparateLearningState<State> {
  readonly v: 1
  readonly inner: State
  /** What was seen since the last request made for learning; null right after one. */
  readonly pending: Observation | null
}

/**
 * Learning with a bandwidth of its own: requests made for learning come at least `everyMs` apart and see, with what the
 * requests in between fetched, all that was new since the last of them. So the model learns from even intervals, however
 * the refresh strategy bunches its own. `learningDueAt` says when the next one is due.
 */
export function separateLearning<State>(
  inner: IntensityEstimator<State>,
  options: { readonly everyMs: DurationMs },
): IntensityEstimator<SeparateLearningState<State>> {
  return {
    id: `${inner.id}, learning apart`,
    start: (prior) => ({ v: 1, inner: inner.start(prior), pending: null }),
    observe(state, observation) {
      const merged = state.pending === null ? observation : joined(state.pending, observation)
      const complete = merged.previousAt === null || merged.at - merged.previousAt >= options.everyMs
      // A clock set back makes the joined interval meaningless: it is dropped.
      if (merged.previousAt !== null && merged.at < merged.previousAt) return { ...state, pending: null }
      if (!complete) return { ...state, pending: merged }
      return { v: 1, inner: inner.observe(state.inner, merged), pending: null }
    },
    ...delegated(inner, (state) => state.inner),
  }
}

/** When a source wants its next request for learning. */
export function learningDueAt(
  state: SeparateLearningState<unknown>,
  lastRefreshAt: InstantMs,
  options: { readonly everyMs: DurationMs },
): InstantMs {
  return (state.pending?.previousAt ?? lastRefreshAt) + options.everyMs
}

/** Two observations in a row as one: what a single refresh at the later time would have told. */
function joined(first: Observation, second: Observation): Observation {
  const saturated = first.overlap === 'none' || second.overlap === 'none'
  const dated = first.itemTimes.length === first.newItems && second.itemTimes.length === second.newItems
  return {
    ...second,
    previousAt: first.previousAt,
    newItems: first.newItems + second.newItems,
    overlap: saturated ? 'none' : second.overlap,
    lostAtLeast: first.lostAtLeast + second.lostAtLeast,
    itemTimes: dated ? [...first.itemTimes, ...second.itemTimes] : [],
    notModified: first.notModified && second.notModified,
    bytes: first.bytes + second.bytes,
    latencyMs: first.latencyMs + second.latencyMs,
  }
}

function delegated<Outer, State>(inner: IntensityEstimator<State>, of: (state: Outer) => State) {
  return {
    expected: (state: Outer, from: InstantMs, to: InstantMs) => inner.expected(of(state), from, to),
    ratePerHour: (state: Outer, at: InstantMs) => inner.ratePerHour(of(state), at),
    reaches: (state: Outer, from: InstantMs, items: number) => inner.reaches(of(state), from, items),
    intensity: (state: Outer) => inner.intensity(of(state)),
  }
}
