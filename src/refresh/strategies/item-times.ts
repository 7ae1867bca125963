import type { DurationMs, InstantMs, Observation } from '../../model/index.ts'
import { timesOf } from './interval-policy.ts'

/** Item times, ascending. */
export type ItemTimes = readonly InstantMs[]

/** With the new items of an observation added, and those older than `spanMs` before it dropped. */
export function withinSpan(times: ItemTimes, observation: Observation, spanMs: DurationMs): ItemTimes {
  const oldest = observation.at - spanMs
  const added = youngerThan(oldest, timesOf(observation))
  let first = 0
  while (first < times.length && times[first]! < oldest) first++
  if (added.length === 0) return first === 0 ? times : times.slice(first)
  return merged(times, added, first)
}

/** Most often all of them are, and nothing is copied. */
function youngerThan(oldest: InstantMs, times: readonly InstantMs[]): readonly InstantMs[] {
  for (let index = 0; index < times.length; index++) {
    if (times[index]! < oldest) return times.filter((each) => each >= oldest)
  }
  return times
}

/** The last `count` items, as a window shows them. */
export function lastItems(times: ItemTimes, observation: Observation, count: number): ItemTimes {
  const added = timesOf(observation)
  return added.length === 0 ? times : merged(times, added).slice(-Math.max(1, count))
}

const LONG = 100

function merged(times: ItemTimes, added: ItemTimes, first = 0): InstantMs[] {
  const inOrder = times.length <= first || added[0]! >= times[times.length - 1]!
  // One copy; pushing to a slice is two, for it grows at once. The front of a long list is cut off without one.
  const isLong = times.length > LONG
  const all = (first === 0 || isLong ? times : times.slice(first)).concat(added)
  if (first > 0 && isLong) all.splice(0, first)
  return inOrder ? all : all.sort((a, b) => a - b)
}

/** Mean gap between neighbours; null with fewer than two items. */
export function meanGapMs(times: ItemTimes): DurationMs | null {
  return times.length < 2 ? null : (times[times.length - 1]! - times[0]!) / (times.length - 1)
}

export function medianGapMs(times: ItemTimes): DurationMs | null {
  if (times.length < 2) return null
  const gaps = sortedGaps(times)
  const count = times.length - 1
  const middle = count >> 1
  return count % 2 === 1 ? gaps[middle]! : (gaps[middle - 1]! + gaps[middle]!) / 2
}

/** Most windows have fewer gaps. Kept between calls: a refresh with news asks once, and to make it anew costs more. */
const FEW = new Float64Array(64)

function sortedGaps(times: ItemTimes): Float64Array {
  const count = times.length - 1
  if (count > FEW.length) return Float64Array.from({ length: count }, (_, k) => times[k + 1]! - times[k]!).sort()
  for (let k = 0; k < count; k++) {
    const gap = times[k + 1]! - times[k]!
    let place = k
    for (; place > 0 && FEW[place - 1]! > gap; place--) FEW[place] = FEW[place - 1]!
    FEW[place] = gap
  }
  return FEW
}
