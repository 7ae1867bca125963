import type { DurationMs, InstantMs, Source, SourceState } from '../model/index.ts'
import { LONGEST_DELAY_MS } from './hints/publisher-requests.ts'

/**
 * A source as it is read from the store, with the times of its last success and of what the publisher wished then as they
 * are by the clock of today. They were stored by the clock of their day, which may have been set since: the scheduler,
 * whose times are moved with it, knows when the refresh really was (`lastRefreshAt`).
 */
export function withCorrectedTimes(source: Source, lastRefreshAt: InstantMs | null, now: InstantMs): Source {
  const { lastSuccessAt } = source.state
  if (lastSuccessAt === null || lastSuccessAt === lastRefreshAt) return source
  const correctedAt = Math.min(lastRefreshAt ?? lastSuccessAt, now)
  const byMs = correctedAt - lastSuccessAt
  return byMs === 0 ? source : { ...source, state: moveTimes(source.state, correctedAt, byMs, now) }
}

function moveTimes(state: SourceState, lastSuccessAt: InstantMs, byMs: DurationMs, now: InstantMs): SourceState {
  const { notBefore, nextCheckAt } = state
  return {
    ...state,
    lastSuccessAt,
    notBefore: notBefore === null ? null : Math.min(notBefore + byMs, now + LONGEST_DELAY_MS),
    nextCheckAt: nextCheckAt === null ? null : nextCheckAt + byMs,
  }
}
