import type { Cause, InstantMs, Observation } from '../../model/index.ts'
import { type LearningPlan, phaseAt } from './plan.ts'

/** What a refresh does to the model: teaches it, is saved until the next learning request, or nothing. */
export type Lesson = 'now' | 'later' | 'none'

export interface LessonInput {
  readonly previousAt: InstantMs | null
  readonly at: InstantMs
  /** When the source was added. */
  readonly addedAt: InstantMs
  /** Made for learning. */
  readonly isLearningRequest: boolean
}

/** What was seen before the plan began always teaches the model, whatever the plan; so does every first refresh. */
export function lessonOf(plan: LearningPlan, since: InstantMs, input: LessonInput): Lesson {
  const { previousAt, at, addedAt, isLearningRequest } = input
  if (plan.way === 'online' || at <= since || previousAt === null) return 'now'
  if (plan.learnMs === null) return isLearningRequest ? 'now' : 'later'
  // One that is added when the others have learnt has a period of its own.
  if (at < addedAt + plan.learnMs) return 'now'
  // Both ends must lie in one period: an interval that began before it was watched too rarely to learn from.
  const first = phaseAt(plan, since, previousAt)
  const last = phaseAt(plan, since, at)
  return first.isLearning && last.isLearning && first.endsAt === last.endsAt ? 'now' : 'none'
}

/** Learning requests, by why they were made. */
export function isLearningRequest(cause: Cause | null): boolean {
  return cause === 'learning' || cause === 'new'
}

/** Two observations in a row as one: what a single refresh at the later time would have seen. */
export function joinObservations(first: Observation, second: Observation): Observation {
  const saturated = first.overlap === 'none' || second.overlap === 'none'
  const dated = first.itemTimes.length === first.newItems && second.itemTimes.length === second.newItems
  return {
    ...second,
    previousAt: first.previousAt,
    newItems: first.newItems + second.newItems,
    windowSize: second.windowSize ?? first.windowSize,
    overlap: saturated ? 'none' : second.overlap,
    lostAtLeast: first.lostAtLeast + second.lostAtLeast,
    itemTimes: dated ? [...first.itemTimes, ...second.itemTimes] : [],
    notModified: first.notModified && second.notModified,
    bytes: first.bytes + second.bytes,
    latencyMs: first.latencyMs + second.latencyMs,
  }
}
