import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../../model/index.ts'

/** `source` tends to publish when `by` does. Numbers are places in the list of histories. */
export interface Sibling {
  readonly source: number
  readonly by: number
  /** Share of the publications of `source` that come with one of `by`, beyond what their hours alone would bring. */
  readonly excess: number
}

const SLOT_MS = 10 * MINUTE_MS
const SLOTS_PER_DAY = DAY_MS / SLOT_MS
const LEAST_SLOTS = 20
// Below this a signal is followed so rarely that it brings nothing.
const LEAST_EXCESS = 0.2

/**
 * Siblings by common bursts: pairs that publish within the same ten minutes more often than the hours of their days
 * explain. Only pairs that ever meet are examined. The best sibling of each source, where it has one.
 */
export function findSiblings(histories: readonly ArrayLike<InstantMs>[]): Sibling[] {
  const slots = histories.map(slotsOf)
  const shapes = slots.map(dayShape)
  const first = Math.min(...slots.map((own) => own[0] ?? Number.POSITIVE_INFINITY))
  const last = Math.max(...slots.map((own) => own.at(-1) ?? Number.NEGATIVE_INFINITY))
  const days = Math.max(1, (last - first + 1) / SLOTS_PER_DAY)
  const found: Sibling[] = []
  for (const [key, count] of meetings(slots)) {
    const source = Math.floor(key / histories.length)
    const by = key % histories.length
    const chance = expectedMeetings(shapes[source]!, shapes[by]!, days)
    const excess = (count - chance) / slots[source]!.length
    if (slots[source]!.length >= LEAST_SLOTS && excess >= LEAST_EXCESS) found.push({ source, by, excess })
  }
  return bestOfEach(found)
}

function slotsOf(times: ArrayLike<InstantMs>): number[] {
  const slots: number[] = []
  for (let index = 0; index < times.length; index++) {
    const slot = Math.floor(times[index]! / SLOT_MS)
    if (slots.at(-1) !== slot) slots.push(slot)
  }
  return slots
}

/** Slots with items, by hour of the day. */
function dayShape(slots: readonly number[]): Float64Array {
  const shape = new Float64Array(24)
  for (const slot of slots) shape[Math.floor((slot % SLOTS_PER_DAY) / (HOUR_MS / SLOT_MS))]! += 1
  return shape
}

function expectedMeetings(a: Float64Array, b: Float64Array, days: number): number {
  const slotsPerHour = (days * HOUR_MS) / SLOT_MS
  let sum = 0
  for (let hour = 0; hour < 24; hour++) sum += (a[hour]! * b[hour]!) / slotsPerHour
  return sum
}

/** How often each ordered pair met, by source × histories + by. */
function meetings(slots: readonly (readonly number[])[]): Map<number, number> {
  const bySlot = new Map<number, number[]>()
  slots.forEach((own, source) => {
    for (const slot of own) {
      const there = bySlot.get(slot)
      if (there === undefined) bySlot.set(slot, [source])
      else there.push(source)
    }
  })
  const counts = new Map<number, number>()
  for (const there of bySlot.values()) {
    for (const source of there) {
      for (const by of there) {
        if (source === by) continue
        const key = source * slots.length + by
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    }
  }
  return counts
}

function bestOfEach(found: readonly Sibling[]): Sibling[] {
  const best = new Map<number, Sibling>()
  for (const sibling of found) {
    const known = best.get(sibling.source)
    if (known === undefined || sibling.excess > known.excess) best.set(sibling.source, sibling)
  }
  return [...best.values()].sort((a, b) => a.source - b.source)
}
