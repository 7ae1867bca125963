import { type DurationMs, type InstantMs, MINUTE_MS, type Observation, type SourceState } from '../model/index.ts'
import { describeDuration } from '../refresh/words.ts'
import { turnoverMs } from './hints/turnover.ts'
import type { NextCheck, PlannedCheck } from './planner.ts'
import type { RepairResult } from './repair/read-older-pages.ts'
import { canReadOn } from './repair/read-on.ts'

/** What is known when a loss is judged. */
export interface LossFacts {
  /** Of the window as it is now. */
  readonly state: Pick<SourceState, 'window' | 'datesCredible'>
  /** The user set an interval of his own. */
  readonly ownInterval: boolean
  /** What older pages had; null: they were not read. */
  readonly repaired: RepairResult | null
}

/** All that follows from a loss. */
export interface LossOutcome {
  readonly next: NextCheck
  /** The price may not move the next check. */
  readonly isFixed: boolean
  readonly saturation: NonNullable<SourceState['saturation']>
  /** What older pages still have, for the next refresh; null: nothing that could be recognised. */
  readonly openGap: SourceState['openGap']
}

/** No loss makes the node come back sooner than this. */
const SHORTEST_AFTER_LOSS_MS = 5 * MINUTE_MS

/** The window showed nothing that was known: something may have fallen out, whether or not older pages still had it. */
export function isLoss(overlap: Observation['overlap']): boolean {
  return overlap === 'none' || overlap === 'repaired'
}

const REMEMBERED_LOSSES = 2

/** With those before, newest first. What older pages still had is no loss, nor is a full window behind which nothing was. */
export function lossesWith(
  before: readonly InstantMs[] | undefined,
  { at, overlap, loss }: Pick<Observation, 'at' | 'overlap' | 'loss'>,
): Pick<SourceState, 'lastLosses'> {
  if (overlap !== 'none' || loss?.atMost === 0) return {}
  return { lastLosses: [at, ...(before ?? [])].slice(0, REMEMBERED_LOSSES) }
}

/**
 * What a refresh found, once older pages were read. A document that holds the whole feed (RFC 5005 §2) cannot have lost
 * anything, whatever it shows.
 */
export function overlapAfterRepair(
  shown: Observation['overlap'],
  isWholeFeed: boolean,
  repaired: RepairResult | null,
): Observation['overlap'] {
  if (shown !== 'none') return shown
  if (isWholeFeed) return 'some'
  return repaired?.closed ? 'repaired' : 'none'
}

/** What follows from a refresh that found a loss; null: it found none. Nowhere else is that decided. */
export function afterLoss(observation: Observation, planned: PlannedCheck, facts: LossFacts): LossOutcome | null {
  if (!isLoss(observation.overlap)) return null
  const { repaired } = facts
  const rest = repaired?.rest ?? null
  return {
    next: nextAfterLoss(observation, planned, facts),
    isFixed: planned.hurriesAfterLoss,
    saturation: {
      at: observation.at,
      repaired: observation.overlap === 'repaired',
      loss: observation.loss ?? null,
      repairedItems: repaired?.added.length ?? 0,
    },
    openGap: rest === null || !canReadOn(rest) ? null : { ...rest, lost: observation.loss?.items ?? 0 },
  }
}

/** Half a window at the pace just seen: the interval is shortened at once, whatever the strategy has learnt so far. */
function nextAfterLoss(observation: Observation, planned: PlannedCheck, facts: LossFacts): NextCheck {
  const what = lossInWords(observation)
  const { at: plannedAt, reason } = planned
  if (facts.ownInterval || !planned.hurriesAfterLoss) return { at: plannedAt, reason: `${reason}: too rarely, ${what}` }
  const halfMs = (paceOf(observation, facts.state) ?? 0) / 2
  if (halfMs <= 0) return { at: plannedAt, reason: `${reason}; ${what}` }
  const soonestMs = planned.earliestAt - observation.at
  const ms = Math.max(SHORTEST_AFTER_LOSS_MS, halfMs, soonestMs)
  const at = observation.at + ms
  if (at >= plannedAt) return { at: plannedAt, reason: `${reason}; ${what}` }
  const why = ms === halfMs ? 'half its window' : 'as soon as may be, with half its window or more'
  return { at, reason: `after ${describeDuration(ms)}, ${why} at the pace just seen: ${what}` }
}

/** Time for a whole window. */
function paceOf(observation: Observation, state: LossFacts['state']): DurationMs | null {
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
