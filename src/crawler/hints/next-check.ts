import { type DurationMs, type InstantMs, MINUTE_MS, type Observation, type SourceState } from '../../model/index.ts'
import { inWords } from '../../refresh/words.ts'
import type { NextCheck, Planner } from '../planner.ts'
import { type HintFacts, hintedNotBefore, outOfSkipTimes } from './after-hints.ts'
import { safeUntil, turnoverMs } from './turnover.ts'
import type { Hints } from './wishes.ts'

export interface CheckFacts {
  /** Of the window as it is now. */
  readonly state: Pick<SourceState, 'window' | 'datesCredible'>
  readonly hints: Hints
  readonly ownInterval: boolean
}

export interface DecidedCheck extends NextCheck {
  /** The publisher's wish as far as it is followed; null: none. */
  readonly notBefore: InstantMs | null
}

/** No loss makes the node come back sooner than this. */
const SHORTEST_AFTER_LOSS_MS = 5 * MINUTE_MS

/** The next check from the plan, from what the publisher asks for, and from what was just lost. */
export function decideNextCheck(observation: Observation, facts: CheckFacts, plan: Planner): DecidedCheck {
  const saturated = observation.overlap === 'none' || observation.overlap === 'repaired'
  const hintFacts: HintFacts = {
    refreshedAt: observation.at,
    safeUntil: safeUntil(facts.state, observation.at),
    saturated,
    ownInterval: facts.ownInterval,
  }
  const notBefore = hintedNotBefore(facts.hints, hintFacts)
  const planned = plan(observation, notBefore)
  if (saturated) return { ...afterLoss(planned, observation, facts), notBefore: null }
  const next = outOfSkipTimes(planned, facts.hints.feed, hintFacts)
  return { ...next, notBefore: notBefore && Math.min(notBefore.at, next.at) }
}

/** Half a window at the pace just seen: the interval is shortened at once, whatever the strategy has learnt so far. */
function afterLoss(planned: NextCheck, observation: Observation, facts: CheckFacts): NextCheck {
  const what = lossInWords(observation)
  if (facts.ownInterval || planned.firm) return { ...planned, reason: `${planned.reason}: too rarely, ${what}` }
  const halfMs = (paceOf(observation, facts.state) ?? 0) / 2
  if (halfMs <= 0) return { ...planned, reason: `${planned.reason}; ${what}` }
  const soonestMs = (planned.earliestAt ?? observation.at) - observation.at
  const ms = Math.max(SHORTEST_AFTER_LOSS_MS, halfMs, soonestMs)
  const at = observation.at + ms
  if (at >= planned.at) return { ...planned, reason: `${planned.reason}; ${what}` }
  const why = ms === halfMs ? 'half its window' : 'as soon as may be, with half its window or more'
  return { at, reason: `after ${inWords(ms)}, ${why} at the pace just seen: ${what}` }
}

/** Time for a whole window. */
function paceOf(observation: Observation, state: CheckFacts['state']): DurationMs | null {
  const dated = state.datesCredible ? turnoverMs(state.window, observation.at) : null
  if (dated !== null) return dated
  const items = observation.newItems + observation.lostAtLeast
  if (observation.previousAt === null || items === 0) return null
  return ((observation.at - observation.previousAt) * state.window.length) / items
}

export function lossInWords({ overlap, loss }: Pick<Observation, 'overlap' | 'loss'>): string {
  if (overlap === 'repaired') return 'its window had turned over; what had fallen out was read from older pages'
  if (loss === undefined) return 'its window had turned over; how much was lost is unknown'
  if (loss.atMost === 0) return 'its window had turned over; nothing seems lost'
  return `its window had turned over; about ${loss.items} items lost (${loss.atLeast} to ${loss.atMost})`
}
