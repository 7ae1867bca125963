import { DAYS, HOURS, MINUTE_PARTS } from './tables.ts'

/**
 * What is learnt of one source: 64 bytes when packed (pack.ts), and no value here holds more than its packed form, so
 * that a node with packed sources decides as one with plain ones.
 */
export interface ForesightMemory {
  readonly v: 1
  /** Items and exposure, older ones fading within days; exposure in hours of average activity. */
  readonly recentItems: number
  readonly recentHours: number
  /** The same, fading within weeks: what the recent rate is held to while it has little to say. */
  readonly longItems: number
  readonly longHours: number
  /** Items by hour of the day, day of the week, five minutes of the hour. */
  readonly hours: Counts
  readonly days: Counts
  readonly parts: Counts
  /** Items whose date was a whole minute, and all items, 0 to 255: whether dates are rounded. */
  readonly wholeMinutes: number
  readonly dated: number
  /** When the counts were halved for age last, in half-lives since the epoch modulo 16. */
  readonly era: number
  /** Shared shapes that fit best (tables.ts). */
  readonly weekCluster: number
  readonly minuteCluster: number
}

/**
 * About two items a day, as the other strategies begin (modelled.ts), but held with four items' trust and never
 * forgotten: a source that was silent for weeks may wake up busy, and is refreshed every few days for that. With half an
 * item's trust delay is 1 to 6 % and loss up to twice as much (docs/decisions).
 */
export const PRIOR_ITEMS = 4
export const PRIOR_HOURS = 40

export const MOST_COUNT = 255

/**
 * Counts of a byte each with one exponent for all of them: where one would pass 255 all are halved, and from then on only
 * every second item is counted (counts.ts). Halving alone would weigh what came last: a busy source fills Sunday after
 * it has filled Monday.
 */
export interface Counts {
  readonly of: readonly number[]
  /** One in 2^exponent items is counted; 0 to 15. */
  readonly exponent: number
}

export function startMemory(era: number): ForesightMemory {
  return {
    v: 1,
    recentItems: 0,
    recentHours: 0,
    longItems: PRIOR_ITEMS,
    longHours: PRIOR_HOURS,
    hours: none(HOURS),
    days: none(DAYS),
    parts: none(MINUTE_PARTS),
    wholeMinutes: 0,
    dated: 0,
    era,
    weekCluster: 0,
    minuteCluster: 0,
  }
}

/** How many items' worth the long-term rate holds the recent one. */
const REMEMBERED_ITEMS = 6

/** Items per hour of average activity: Gamma with the long-term rate as its prior (refresh-science §3). */
export function ratePerHour(memory: ForesightMemory): number {
  const long = memory.longItems / memory.longHours
  return (REMEMBERED_ITEMS + memory.recentItems) / (REMEMBERED_ITEMS / long + memory.recentHours)
}

function none(parts: number): Counts {
  return { of: new Array<number>(parts).fill(0), exponent: 0 }
}

/** How many items' worth that rate is trusted. */
export function trustedItems(memory: ForesightMemory): number {
  return REMEMBERED_ITEMS + memory.recentItems
}
