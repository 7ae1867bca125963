import type { FeedSlot } from './feed-set.ts'
import type { Publication } from './publication.ts'
import type { Running } from './running.ts'
import type { VirtualTime } from './virtual-time.ts'
import { itemTruth } from './window.ts'
import type { TruthItem, WorldStats } from './world.ts'

/** What the world published and what it gave away: generated when asked for, from the start of the world on. */
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
  return { now: time.now(), startAt: time.startAt, hosts: hosts.stats(), feeds: all }
}

/** The window at the start and everything since, oldest first. */
function published({ feed }: FeedSlot, time: VirtualTime): Publication[] {
  const first: Publication[] = []
  for (const publication of feed.source.newestFirst(time.startAt)) {
    if (first.length >= feed.plan.windowItems) break
    first.push(publication)
  }
  return [...first.reverse(), ...feed.source.between(time.startAt, time.now())]
}
