import { valueAt } from '../../model/entry-at.ts'
import type { InstantMs, ItemSeq } from '../../model/index.ts'
import { type Cutoffs, cutoffsAt, isNeeded, isPastRetention, type PlaceInFeed } from '../rules/retention.ts'
import type { RetentionPolicy } from '../store.ts'
import { forgetDays } from './intake.ts'
import { newestFirst } from './items.ts'
import { forgetOldQuality } from './quality.ts'
import { dropItems, type MemoryTables, type SourceFile, slowestCursor } from './tables.ts'

export function prune(
  world: MemoryTables,
  policy: RetentionPolicy,
  now: InstantMs,
  /** Of the clock; what retention takes for the present may be behind it. */
  clockNow: InstantMs,
): { readonly items: number; readonly observations: number } {
  const total = { items: 0, observations: 0 }
  const cutoffs = cutoffsAt(policy, now)
  const awaited = awaitedByReaders(world, clockNow)
  for (const file of world.files.values()) {
    total.items += pruneItems(world, file, policy, now, awaited)
    total.observations += pruneObservations(file, cutoffs)
    forgetDays(file, cutoffs)
    for (const [key, { removedAt }] of file.removedItems) {
      if (removedAt < cutoffs.removedItemsBefore) file.removedItems.delete(key)
    }
  }
  const known = world.removedSources.filter(({ removedAt }) => removedAt >= cutoffs.removedSourcesBefore)
  world.removedSources.splice(0, world.removedSources.length, ...known)
  forgetOldQuality(world, cutoffs)
  return total
}

function awaitedByReaders(world: MemoryTables, now: InstantMs): ReadonlySet<ItemSeq> {
  const slowest = slowestCursor(world, now) ?? Number.POSITIVE_INFINITY
  return new Set(world.entries.filter(({ cursor }) => cursor > slowest).map(({ seq }) => seq))
}

function pruneItems(
  world: MemoryTables,
  file: SourceFile,
  policy: RetentionPolicy,
  now: InstantMs,
  awaited: ReadonlySet<ItemSeq>,
): number {
  const cutoffs = cutoffsAt(policy, now)
  const inWindow = new Set(file.source.state.window.map(({ key }) => key))
  const items = [...file.seqByKey.values()].map((seq) => valueAt(world.items, seq)).sort(newestFirst)
  const expired = items.filter((item, rank) => isPastRetention(item, rank, policy, cutoffs))
  const removed = expired.filter(({ key, seq }) => {
    const needs = {
      isInSourceWindow: () => inWindow.has(key),
      isAwaited: () => awaited.has(seq),
      places: () => placesOf(world, seq),
    }
    return !isNeeded(needs, policy)
  })
  for (const { key, contentHash } of removed) {
    file.seqByKey.delete(key)
    file.removedItems.set(key, { contentHash, removedAt: now })
  }
  dropItems(world, new Set(removed.map(({ seq }) => seq)))
  return removed.length
}

function placesOf({ queries }: MemoryTables, itemSeq: ItemSeq): PlaceInFeed[] {
  const all = [...queries.publications.values()]
  return all
    .filter((one) => one.itemSeq === itemSeq)
    .map(({ seq, feedId, isHistory }) => {
      const subscriptions = [...queries.subscriptions.values()].filter((one) => one.feedId === feedId)
      return {
        seq,
        isHistory,
        limit: valueAt(queries.feeds, feedId).limit,
        deliveredUpTo:
          subscriptions.length === 0 ? null : Math.min(...subscriptions.map(({ deliveredSeq }) => deliveredSeq)),
        countNewer: () => all.filter((other) => other.feedId === feedId && other.seq > seq).length,
      }
    })
}

function pruneObservations(file: SourceFile, { observationsBefore }: Cutoffs): number {
  if (observationsBefore === null) return 0
  const before = file.observations.size
  for (const at of file.observations.keys()) if (at < observationsBefore) file.observations.delete(at)
  return before - file.observations.size
}
