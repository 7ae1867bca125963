import { HOUR_MS, type InstantMs, type Observation, SECOND_MS } from '../../model/index.ts'

/** What an observation says about a stretch of time, cleaned of what cannot be. */
export interface ObservedInterval {
  readonly from: InstantMs
  readonly to: InstantMs
  readonly hours: number
  /** x of thesis 7.2: new items, with those known to be lost. */
  readonly items: number
  /** New items that were really seen. */
  readonly fetchedItems: number
  /** Every item of the window was new: `items` is a lower bound (thesis 2.1.1). */
  readonly saturated: boolean
  /** Dates of the new items within the interval, ascending; empty where not all of them are known. */
  readonly times: readonly InstantMs[]
}

// Two refreshes within a second say nothing about a rate, yet one item between them would read as 3,600 an hour.
const SHORTEST_MS = SECOND_MS

/**
 * Null where nothing can be learnt: the first refresh (how long its items took to gather is unknown), a clock that
 * stood still or ran backwards, or times that are no numbers.
 */
export function observedInterval(observation: Observation): ObservedInterval | null {
  const { previousAt, at } = observation
  if (previousAt === null || !Number.isFinite(previousAt) || !Number.isFinite(at)) return null
  if (observation.overlap === 'first' || at - previousAt < SHORTEST_MS) return null
  const seen = countOf(observation.newItems)
  const saturated = observation.overlap === 'none' && seen > 0
  return {
    from: previousAt,
    to: at,
    hours: (at - previousAt) / HOUR_MS,
    items: seen + (saturated ? countOf(observation.lostAtLeast) : 0),
    fetchedItems: seen,
    saturated,
    times: timesWithin(observation, previousAt, at, seen),
  }
}

function countOf(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0
}

function timesWithin(observation: Observation, from: InstantMs, to: InstantMs, seen: number): readonly InstantMs[] {
  const { itemTimes } = observation
  // Most refreshes bring nothing: then no list is made.
  if (itemTimes.length === 0) return itemTimes
  if (itemTimes.length !== Math.round(seen)) return []
  for (let index = 0; index < itemTimes.length; index++) {
    const time = itemTimes[index]!
    if (!(time >= from && time <= to)) return []
  }
  return itemTimes
}

/** A rate that a prior or a division may give, made usable. */
export function saneRate(ratePerHour: number): number {
  if (!(ratePerHour > 0)) return 0
  return Math.min(ratePerHour, MOST_PER_HOUR)
}

// A thousand items a second: beyond any feed, and far from where doubles overflow.
export const MOST_PER_HOUR = 3.6e6
