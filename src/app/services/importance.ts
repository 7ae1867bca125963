import type { ImportanceMap } from '../../api/services.ts'
import type { Relevance, RelevanceMap } from '../../crawler/weights.ts'
import type { SourceId } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import { readRelevance } from '../reading.ts'

type ImportanceStore = Pick<Store, 'subscriptions' | 'selectivities' | 'queryFeedOwners'>

/**
 * What the scheduler counts a source for, and how many get its items through query feeds (subscriptions, and the user whose
 * feed it is). Only of sources that somebody wants something of.
 */
export function createImportance(
  store: ImportanceStore,
  relevance: (now: number) => Promise<RelevanceMap>,
  clock: Pick<Clock, 'now'>,
): () => Promise<ImportanceMap> {
  return async () => {
    const { of, others } = await relevance(clock.now())
    const readers = await readersBySource(store)
    const wanted = new Set([...of.keys(), ...readers.keys()])
    const shown = [...wanted].map(
      (id) => [id, { relevance: of.get(id) ?? others, subscribers: readers.get(id) ?? 0 }] as const,
    )
    return { of: new Map(shown), others }
  }
}

async function readersBySource(store: ImportanceStore): Promise<ReadonlyMap<SourceId, number>> {
  const ofFeed = new Map<number, number>()
  for (const { feedId } of await store.subscriptions()) ofFeed.set(feedId, (ofFeed.get(feedId) ?? 0) + 1)
  for (const feedId of (await store.queryFeedOwners()).keys()) ofFeed.set(feedId, (ofFeed.get(feedId) ?? 0) + 1)
  const readers = new Map<SourceId, number>()
  for (const { feedId, sourceId, share } of ofFeed.size === 0 ? [] : await store.selectivities()) {
    const count = share > 0 ? (ofFeed.get(feedId) ?? 0) : 0
    if (count > 0) readers.set(sourceId, (readers.get(sourceId) ?? 0) + count)
  }
  return readers
}

/** What the scheduler counts sources for, beside the weights that users gave them. */
export function sourceRelevance(store: Store, archiveShare: number): Relevance {
  return withTrust(readRelevance(store, archiveShare), store, archiveShare)
}

/** Trust of the users weighs what is read: a source that nobody trusts counts as if nobody read it. */
export function withTrust(
  relevance: (now: number) => Promise<RelevanceMap>,
  store: Pick<Store, 'meanTrust'>,
  archiveShare: number,
): (now: number) => Promise<RelevanceMap> {
  return async (now) => {
    const { of, others } = await relevance(now)
    const trust = await store.meanTrust()
    if (trust.size === 0) return { of, others }
    const weighed = new Map(of)
    for (const [id, mean] of trust) weighed.set(id, Math.max(archiveShare, (of.get(id) ?? others) * mean))
    return { of: weighed, others }
  }
}
