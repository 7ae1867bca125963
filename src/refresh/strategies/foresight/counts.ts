import type { InstantMs } from '../../../model/index.ts'
import { type Counts, MOST_COUNT } from './memory.ts'

const MOST_EXPONENT = 15

/** Adds items, each in its part; `aged`: what was counted before is worth half. */
export function addToCounts(
  counts: Counts,
  times: readonly InstantMs[],
  partOf: (time: InstantMs) => number,
  aged: boolean,
): Counts {
  const of = counts.of.slice()
  let { exponent } = counts
  if (aged) {
    // Counting every item again after every second one makes the old ones worth half.
    if (exponent > 0) exponent--
    else halve(of)
  }
  for (const time of times) {
    if (exponent > 0 && (scattered(time) & ((1 << exponent) - 1)) !== 0) continue
    const part = partOf(time)
    if (of[part] === MOST_COUNT) {
      halve(of)
      if (exponent < MOST_EXPONENT) exponent++
    }
    of[part]!++
  }
  return { of, exponent }
}

function halve(of: number[]): void {
  for (let part = 0; part < of.length; part++) of[part]! >>= 1
}

/** A hash of the second, so that which items are counted has nothing to do with when they came, and is the same each time. */
function scattered(time: InstantMs): number {
  let hash = Math.imul(Math.floor(time / 1_000) | 0, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 8
}
