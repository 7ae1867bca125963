import type { Item, SourceId } from '../../model/index.ts'

/**
 * Which items are in a feed that mixes sources. They are chosen by arrival, but half of the places are shared: there, no
 * source has more than a few while others have items. Without this rule one source that stores hundreds of items at once
 * takes all places, and readers never see what it pushed out.
 *
 * Nothing that has left the window comes back into it: an item enters the shared places only when it arrives, and the
 * number of those before it, each source counted up to its share, only ever grows. See docs/decisions/0054-floods.md.
 */

export function perSourceSlots(limit: number): number {
  return Math.floor(limit / 2)
}

/** Of one source among the shared places: ten that flood at once are needed to fill them. */
export function maxPerSource(limit: number): number {
  return Math.max(1, Math.ceil(limit / 20))
}

/** Arrivals that are looked through for items of others, so that the cost of a feed does not grow with a flood. */
export const MOST_ARRIVALS = 20_000

type Arrival = Pick<Item, 'seq' | 'sourceId'>

/** `everything`: all arrivals, last first; `isIn`: those of the feed. Answers with at most `limit`, last first. */
export function mixedWindow<One extends Arrival>(
  everything: readonly One[],
  isIn: (arrival: One) => boolean,
  limit: number,
): One[] {
  const floor = (everything[0]?.seq ?? 0) - MOST_ARRIVALS
  const chosen = new Set(sharedAmong(everything, (arrival) => arrival.seq > floor && isIn(arrival), limit))
  for (const arrival of everything) {
    if (chosen.size >= limit) break
    if (isIn(arrival)) chosen.add(arrival)
  }
  return [...chosen].sort((a, b) => b.seq - a.seq)
}

function sharedAmong<One extends Arrival>(
  arrivals: readonly One[],
  isIn: (arrival: One) => boolean,
  limit: number,
): One[] {
  const shared: One[] = []
  const counts = new Map<SourceId, number>()
  for (const arrival of arrivals) {
    if (shared.length >= perSourceSlots(limit)) break
    const count = counts.get(arrival.sourceId) ?? 0
    if (count >= maxPerSource(limit) || !isIn(arrival)) continue
    counts.set(arrival.sourceId, count + 1)
    shared.push(arrival)
  }
  return shared
}

/** Do the last arrivals fill the shared places by themselves? Then they are the window. */
export function isMixed(lastArrivals: readonly Arrival[], limit: number): boolean {
  return sharedAmong(lastArrivals, () => true, limit).length >= perSourceSlots(limit)
}
