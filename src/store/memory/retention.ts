import type { InstantMs, Item, ItemSeq } from '../../model/index.ts'
import { REMEMBER_REMOVED_MS, REMEMBER_REMOVED_SOURCE_MS } from '../defaults.ts'
import type { RetentionPolicy } from '../store.ts'
import { newestFirst } from './items.ts'
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
    for (const [key, { removedAt }] of file.removedItems) {
      if (removedAt < now - REMEMBER_REMOVED_MS) file.removedItems.delete(key)
    }
  }
  const known = world.removedSources.filter(({ removedAt }) => removedAt >= now - REMEMBER_REMOVED_SOURCE_MS)
  world.removedSources.splice(0, world.removedSources.length, ...known)
  return total
}

function awaitedByReaders(world: World): ReadonlySet<ItemSeq> {
  const slowest = slowestCursor(world) ?? Number.POSITIVE_INFINITY
  return new Set(world.entries.filter(({ cursor }) => cursor > slowest).map(({ seq }) => seq))
}

function pruneItems(
  world: World,
  file: SourceFile,
  { maxAgeMs, maxItemsPerSource }: RetentionPolicy,
  now: InstantMs,
  awaited: ReadonlySet<ItemSeq>,
): number {
  const inWindow = new Set(file.source.state.window.map(({ key }) => key))
  const items = [...file.seqByKey.values()].map((seq) => world.items.get(seq)!).sort(newestFirst)
  const expired = (item: Item, rank: number) =>
    (maxAgeMs !== null && item.firstSeenAt < now - maxAgeMs) ||
    (maxItemsPerSource !== null && rank >= maxItemsPerSource)
  const removed = items.filter(expired).filter((item) => !inWindow.has(item.key) && !awaited.has(item.seq))
  for (const { key, contentHash } of removed) {
    file.seqByKey.delete(key)
    file.removedItems.set(key, { contentHash, removedAt: now })
  }
  dropItems(world, new Set(removed.map(({ seq }) => seq)))
  return removed.length
}

function pruneObservations(file: SourceFile, { maxObservationAgeMs }: RetentionPolicy, now: InstantMs): number {
  if (maxObservationAgeMs === null) return 0
  const before = file.observations.size
  for (const at of file.observations.keys()) if (at < now - maxObservationAgeMs) file.observations.delete(at)
  return before - file.observations.size
}
