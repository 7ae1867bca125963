import type { InstantMs, Observation } from '../../model/index.ts'

/** As many times what was expected before it counts as a surprise. */
const SURPRISE = 2

/**
 * A source that publishes far more than its model expected would lose items before the model has learnt it: α lets a rate
 * move by a fifth per refresh at most (thesis 7.2.4). So when at least half of the window is new and that is twice what
 * was expected, the next look comes when half a window more will have come at the pace just seen. Null: no surprise.
 */
export function alarmAt(observation: Observation, expected: number, windowSize: number): InstantMs | null {
  const { previousAt, at, newItems, lostAtLeast, itemTimes } = observation
  if (previousAt === null || !(at > previousAt)) return null
  const seen = newItems + lostAtLeast
  if (newItems < windowSize / 2 || seen < SURPRISE * expected) return null
  // Counted back from the refresh to the oldest new item; without dates, to the refresh before.
  const oldest = itemTimes.length === newItems && itemTimes[0]! > previousAt ? itemTimes[0]! : previousAt
  const paceMs = Math.max(1, at - oldest) / newItems
  return at + paceMs * (windowSize / 2)
}
