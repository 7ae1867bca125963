import type { DurationMs, InstantMs, Observation } from '../../model/index.ts'
import { timesOf } from './interval-policy.ts'

/** Item times, ascending. */
export type ItemTimes = readonly InstantMs[]

/** The last `count` items, as a window shows them. */
export function lastItems(times: ItemTimes, observation: Observation, count: number): ItemTimes {
  const added = timesOf(observation)
  return added.length === 0 ? times : merged(times, added).slice(-Math.max(1, count))
}

function merged(times: ItemTimes, added: ItemTimes): InstantMs[] {
  const inOrder = times.length === 0 || added[0]! >= times[times.length - 1]!
  const all = times.concat(added)
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

/** Most windows have fewer gaps. Reused between calls: a refresh with news needs it once, and to make a new one costs more. */
const FEW = new Float64Array(64)

function sortedGaps(times: ItemTimes): Float64Array {
  const count = times.length - 1
  if (count > FEW.length) return Float64Array.from({ length: count }, (_, k) => times[k + 1]! - times[k]!).sort()
  for (let k = 0; k < count; k++) {
    const gap = times[k + 1]! - times[k]!
    let index = k
    for (; index > 0 && FEW[index - 1]! > gap; index--) FEW[index] = FEW[index - 1]!
    FEW[index] = gap
  }
  return FEW
}
