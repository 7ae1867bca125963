import type { FeedSlot } from './feed-set.ts'
import type { WorldPublication } from './publication.ts'
import type { Running } from './running.ts'
import type { VirtualTime } from './virtual-time.ts'
import type { TruthItem, WorldStats } from './world.ts'
import { itemTruth } from './world-window.ts'

/** What the world published and what it gave away: generated when asked for, from the moment on at which this process took the world up. */
export function truthOf(slot: FeedSlot, time: VirtualTime): TruthItem[] {
  return published(slot, time).map((publication) => ({
    ...itemTruth(publication, slot.feed.context),
    firstServedAt: slot.counter.firstServedAt(publication.key),
  }))
}

export function statsOf({ feeds, time, hosts }: Running): WorldStats {
  const all = [...feeds.all()].map((slot) => ({
    index: slot.feed.index,
    published: published(slot, time).length,
    ...slot.counter.stats(),
  }))
  return { now: time.now(), beganAt: time.beganAt, hosts: hosts.stats(), feeds: all }
}

/** The window at that moment and everything since, oldest first. */
function published({ feed }: FeedSlot, time: VirtualTime): WorldPublication[] {
  const first: WorldPublication[] = []
  for (const publication of feed.source.newestFirst(time.beganAt)) {
    if (first.length >= feed.plan.windowItems) break
    first.push(publication)
  }
  return [...first.reverse(), ...feed.source.between(time.beganAt, time.now())]
}
