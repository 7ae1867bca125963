import type { InstantMs, Observation } from '../model/index.ts'
import { type HintFacts, hintedNotBefore, outOfSkipTimes } from './hints/after-hints.ts'
import type { Hints } from './hints/publisher-requests.ts'
import { safeUntil } from './hints/turnover.ts'
import { afterLoss, isLoss, type LossFacts, type LossOutcome } from './loss.ts'
import type { NextCheck, Planner } from './planner.ts'

export interface CheckFacts extends LossFacts {
  readonly hints: Hints
}

export interface DecidedCheck extends NextCheck {
  /** The publisher's wish as far as it is followed; null: none. */
  readonly notBefore: InstantMs | null
  /** What else follows from a loss; null: there was none. */
  readonly loss: LossOutcome | null
  /** Items that were believed to have come; null: the strategy does not say. */
  readonly expected: number | null
}

/** The next check from the plan, from what the publisher asks for, and from what was just lost (loss.ts). */
export function decideNextCheck(observation: Observation, facts: CheckFacts, plan: Planner): DecidedCheck {
  const hintFacts: HintFacts = {
    refreshedAt: observation.at,
    safeUntil: safeUntil(facts.state, observation.at),
    saturated: isLoss(observation.overlap),
    ownInterval: facts.ownInterval,
  }
  const notBefore = hintedNotBefore(facts.hints, hintFacts)
  const planned = plan(observation, notBefore)
  const { expected } = planned
  const loss = afterLoss(observation, planned, facts)
  if (loss !== null) return { ...loss.next, notBefore: null, loss, expected }
  const { at, reason } = outOfSkipTimes(planned, facts.hints.feed, hintFacts)
  return { at, reason, notBefore: notBefore && Math.min(notBefore.at, at), loss, expected }
}
