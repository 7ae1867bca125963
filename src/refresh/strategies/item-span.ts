import type { DurationMs, InstantMs, Observation } from '../../model/index.ts'
import { timesOf } from './interval-policy.ts'
import type { ItemTimes } from './item-times.ts'

/**
 * Items of some days before the last refresh, ascending, in two lists: a long one that stays the same value from refresh to
 * refresh, and what came since. So a refresh with news copies a few dozen of them instead of a month.
 */
export interface ItemSpan {
  /** The newest, or all. */
  readonly times: ItemTimes
  /** Those before them; absent in memories that were stored with one list. */
  readonly earlier?: ItemTimes
  /** So many of `earlier` are too old by now. */
  readonly dropped?: number
}

/** More than this are put behind the earlier ones. Half or twice as many cost about the same. */
const MOST_NEWEST = 128

const NONE: ItemTimes = []

export function itemsInSpan({ times, earlier = NONE, dropped = 0 }: ItemSpan): number {
  return earlier.length - dropped + times.length
}

export function oldestItem({ times, earlier = NONE, dropped = 0 }: ItemSpan): InstantMs | undefined {
  return dropped < earlier.length ? earlier[dropped] : times[0]
}

export function newestItem({ times, earlier = NONE, dropped = 0 }: ItemSpan): InstantMs | undefined {
  if (times.length > 0) return times[times.length - 1]
  return dropped < earlier.length ? earlier[earlier.length - 1] : undefined
}

/** Mean gap between neighbours; null with fewer than two items. */
export function meanGapWithin(span: ItemSpan): DurationMs | null {
  const count = itemsInSpan(span)
  return count < 2 ? null : (newestItem(span)! - oldestItem(span)!) / (count - 1)
}

/** With the new items of an observation added, and those older than `spanMs` before it dropped. */
export function withinSpan(span: ItemSpan, observation: Observation, spanMs: DurationMs): ItemSpan {
  const oldest = observation.at - spanMs
  const added = youngerThan(oldest, timesOf(observation))
  const younger = youngerPart(span, oldest)
  return added.length === 0 ? younger : withAdded(younger, added)
}

/** Most often all of them are, and nothing is copied. */
function youngerThan(oldest: InstantMs, times: ItemTimes): ItemTimes {
  for (let index = 0; index < times.length; index++) {
    if (times[index]! < oldest) return times.filter((each) => each >= oldest)
  }
  return times
}

function youngerPart(span: ItemSpan, oldest: InstantMs): ItemSpan {
  const { times, earlier = NONE, dropped = 0 } = span
  let old = dropped
  while (old < earlier.length && earlier[old]! < oldest) old++
  if (old < earlier.length) {
    if (old === dropped) return span
    // What is dropped would be stored for ever of a source that has ended.
    if (old > earlier.length / 2) return { times, earlier: earlier.slice(old), dropped: 0 }
    return { times, earlier, dropped: old }
  }
  let first = 0
  while (first < times.length && times[first]! < oldest) first++
  if (first === 0 && earlier.length === 0) return span
  return { times: first === 0 ? times : times.slice(first), earlier: NONE, dropped: 0 }
}

function withAdded(span: ItemSpan, added: ItemTimes): ItemSpan {
  const { times, earlier = NONE, dropped = 0 } = span
  const newest = newestItem(span)
  if (newest !== undefined && !(added[0]! >= newest)) {
    const all = earlier.slice(dropped).concat(times, added)
    return { times: NONE, earlier: all.sort((a, b) => a - b), dropped: 0 }
  }
  if (times.length + added.length <= MOST_NEWEST) return { times: times.concat(added), earlier, dropped }
  return { times: NONE, earlier: earlier.slice(dropped).concat(times, added), dropped: 0 }
}
