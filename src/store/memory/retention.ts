import { valueAt } from '../../model/entry-at.ts'
import type { InstantMs, Item, ItemSeq } from '../../model/index.ts'
import { DEFAULT_FEED_WINDOW, REMEMBER_REMOVED_MS, REMEMBER_REMOVED_SOURCE_MS } from '../defaults.ts'
import type { RetentionPolicy } from '../store.ts'
import { forgetDays } from './intake.ts'
import { newestFirst } from './items.ts'
import { forgetOldQuality } from './quality.ts'
import { dropItems, type SourceFile, slowestCursor, type World } from './world.ts'

export function prune(
  world: World,
  policy: RetentionPolicy,
  now: InstantMs,
): { readonly items: number; readonly observations: number } {
  const total = { items: 0, observations: 0 }
  const awaited = awaitedByReaders(world)
  for (const file of world.files.values()) {
    total.items += pruneItems(world, file, policy, now, awaited)
    total.observations += pruneObservations(file, policy, now)
    forgetDays(file, now)
    for (const [key, { removedAt }] of file.removedItems) {
      if (removedAt < now - REMEMBER_REMOVED_MS) file.removedItems.delete(key)
    }
  }
  const known = world.removedSources.filter(({ removedAt }) => removedAt >= now - REMEMBER_REMOVED_SOURCE_MS)
  world.removedSources.splice(0, world.removedSources.length, ...known)
  forgetOldQuality(world, now)
  return total
}

function awaitedByReaders(world: World): ReadonlySet<ItemSeq> {
  const slowest = slowestCursor(world) ?? Number.POSITIVE_INFINITY
  return new Set(world.entries.filter(({ cursor }) => cursor > slowest).map(({ seq }) => seq))
}

function pruneItems(
  world: World,
  file: SourceFile,
  { maxAgeMs, maxItemsPerSource, feedWindow = DEFAULT_FEED_WINDOW }: RetentionPolicy,
  now: InstantMs,
  awaited: ReadonlySet<ItemSeq>,
): number {
  const inWindow = new Set(file.source.state.window.map(({ key }) => key))
  const items = [...file.seqByKey.values()].map((seq) => valueAt(world.items, seq)).sort(newestFirst)
  const expired = (item: Item, rank: number) =>
    (maxAgeMs !== null && item.firstSeenAt < now - maxAgeMs) ||
    (maxItemsPerSource !== null && rank >= maxItemsPerSource)
  const removed = items
    .filter(expired)
    .filter(({ key, seq }) => !inWindow.has(key) && !awaited.has(seq) && !standsInFeed(world, seq, feedWindow))
  for (const { key, contentHash } of removed) {
    file.seqByKey.delete(key)
    file.removedItems.set(key, { contentHash, removedAt: now })
  }
  dropItems(world, new Set(removed.map(({ seq }) => seq)))
  return removed.length
}

/** In the present window of a query feed, or still to be delivered by a subscription. */
function standsInFeed({ queries }: World, seq: ItemSeq, feedWindow: number): boolean {
  const all = [...queries.publications.values()]
  return all.some((one) => {
    if (one.itemSeq !== seq) return false
    const newer = all.filter((other) => other.feedId === one.feedId && other.seq > one.seq).length
    const awaits = [...queries.subscriptions.values()].some(
      ({ feedId, deliveredSeq }) => feedId === one.feedId && deliveredSeq < one.seq && !one.isHistory,
    )
    return awaits || newer < (valueAt(queries.feeds, one.feedId).limit ?? feedWindow)
  })
}

function pruneObservations(file: SourceFile, { maxObservationAgeMs }: RetentionPolicy, now: InstantMs): number {
  if (maxObservationAgeMs === null) return 0
  const before = file.observations.size
  for (const at of file.observations.keys()) if (at < now - maxObservationAgeMs) file.observations.delete(at)
  return before - file.observations.size
}
