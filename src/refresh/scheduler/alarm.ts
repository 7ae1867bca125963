import type { DurationMs, InstantMs, Observation } from '../../model/index.ts'

/**
 * What a publication model has not learnt yet about a source that changed, as one number: models move slowly (thesis
 * 7.2.4: α is at most a fifth), windows overflow fast.
 *
 * Positive: *alarm*, the pace just seen in ms per item. Negative: *silence*, minus the items that were expected since
 * the last one came. 0: nothing special.
 */
export type Surprise = number

/** So many times what was expected count as a surprise. */
const MUCH_MORE = 1.5
/**
 * Nothing came though so many were expected. Less would mistake the nights and weekends that a model does not know for the
 * end of a source: on rss-2024 at 4 refreshes a day, 3 cost 20 % of delay and doubled the loss, 30 cost 1 %.
 */
const SILENT_FROM = 30
/** Nothing came: counts as this part of an item in the pace. */
const NOTHING = 0.5
/** An alarm is over when it asks for refreshes this much rarer than the model does. */
const OVER = 4

/** After a refresh: what was expected of it and what the model wishes from here on. */
export interface AlarmInput {
  readonly observation: Observation
  readonly expected: number
  readonly windowSize: number
}

/**
 * At least half of the window new and well above what was expected starts an alarm; every refresh after that moves its
 * pace half of the way, in the logarithm, to the one just seen.
 */
export function nextSurprise(before: Surprise, { observation, expected, windowSize }: AlarmInput): Surprise {
  const { previousAt, at, newItems, lostAtLeast } = observation
  if (previousAt === null || !(at > previousAt) || observation.overlap === 'first') return 0
  const items = newItems + lostAtLeast
  if (newItems >= windowSize / 2 && items >= MUCH_MORE * expected) return paceMs(observation)
  if (before > 0) return Math.sqrt(before * paceMs(observation))
  return newItems > 0 ? 0 : before - expected
}

/** Counted back from the refresh to the oldest new item; without dates, to the refresh before. */
function paceMs({ previousAt, at, newItems, itemTimes }: Observation): DurationMs {
  const oldest = itemTimes.length === newItems && itemTimes[0]! > previousAt! ? itemTimes[0]! : previousAt!
  return Math.max(1, at - oldest) / Math.max(NOTHING, newItems)
}

/** The latest moment for the next look: half a window more will have come at the pace of the alarm. */
export function latestLook(surprise: Surprise, refreshedAt: InstantMs, windowSize: number): InstantMs {
  return surprise > 0 ? refreshedAt + (surprise * windowSize) / 2 : Number.POSITIVE_INFINITY
}

export function isOver(surprise: Surprise, windowSize: number, wishedMs: DurationMs): boolean {
  return surprise > 0 && (surprise * windowSize) / 2 > OVER * wishedMs
}

/**
 * How much longer to wait than the model says: with E expected and none come, the rate is about λ/(1 + E) (one item of
 * doubt), and intervals go with the root of the rate.
 */
export function patience(surprise: Surprise): number {
  return surprise < -SILENT_FROM ? Math.sqrt(1 - surprise) : 1
}
