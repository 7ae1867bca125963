import type { ImportanceMap, ShareService } from '../../api/services.ts'
import type { Relevance, RelevanceMap } from '../../crawler/weights.ts'
import type { QueryFeedId, SourceId } from '../../model/index.ts'
import { feedPath } from '../../publisher/addresses.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import { byAddress, type ReaderSettings, readersOf, readRelevance, shownIn } from './reading.ts'
import { createShareReader, NO_SHARES, type ShareStore } from './shares.ts'

type ImportanceStore = Pick<
  Store,
  'subscriptions' | 'queryFeedOwners' | 'queryFeeds' | 'follows' | 'feedReads' | 'fetches' | 'listedSources'
> &
  ShareStore

/**
 * What the scheduler counts a source for, and how many get its items: users and fetchers of it, its category or a query feed
 * that keeps some of them, whose feed that is, and subscriptions to it; a user once, in however many ways. Only of sources
 * that somebody wants something of.
 */
export function createImportance(
  store: ImportanceStore,
  relevance: (now: number) => Promise<RelevanceMap>,
  clock: Pick<Clock, 'now'>,
  shares: Pick<ShareService, 'read'> = createShareReader(store),
): () => Promise<ImportanceMap> {
  return async () => {
    const { of, others } = await relevance(clock.now())
    const { bySource, anyway } = await readersOfSources(store, shares, clock.now())
    const ids = new Set([...of.keys(), ...bySource.keys()])
    const entries = [...ids].map(
      (id) => [id, { relevance: of.get(id) ?? others, subscribers: bySource.get(id) ?? anyway }] as const,
    )
    return { of: new Map(entries), others: { relevance: others, subscribers: anyway } }
  }
}

/** `anyway`: of sources that are missing, through feeds that keep everything. */
async function readersOfSources(
  store: ImportanceStore,
  shares: Pick<ShareService, 'read'>,
  now: number,
): Promise<{ readonly bySource: ReadonlyMap<SourceId, number>; readonly anyway: number }> {
  const readers = new Map<SourceId, Set<string>>()
  const note = (sourceId: SourceId, who: Iterable<string>) => {
    const known = readers.get(sourceId) ?? new Set()
    for (const one of who) known.add(one)
    readers.set(sourceId, known)
  }
  // What they say of their subscribers weighs, but is not shown as known.
  const known = await readersOf(store, now, 0)
  const ofFeed = await readersByFeed(store, known)
  const { everything, pairs } = ofFeed.size === 0 ? NO_SHARES : await shares.read()
  for (const { feedId, sourceId } of pairs) note(sourceId, ofFeed.get(feedId) ?? [])
  for (const [address, names] of byAddress(known)) for (const id of await shownIn(store, address)) note(id, names)
  const ofAll = new Set([...everything].flatMap((feedId) => [...(ofFeed.get(feedId) ?? [])]))
  for (const { address, reader } of known) if (address.kind === 'all') ofAll.add(reader)
  const bySource = [...readers].map(([id, who]) => [id, new Set([...who, ...ofAll]).size] as const)
  return { bySource: new Map(bySource), anyway: ofAll.size }
}

async function readersByFeed(
  store: ImportanceStore,
  known: Awaited<ReturnType<typeof readersOf>>,
): Promise<ReadonlyMap<QueryFeedId, ReadonlySet<string>>> {
  const readers = new Map<QueryFeedId, Set<string>>()
  const note = (feedId: QueryFeedId, who: string) => {
    readers.set(feedId, (readers.get(feedId) ?? new Set()).add(who))
  }
  for (const { feedId, output } of await store.subscriptions()) note(feedId, JSON.stringify(output))
  for (const [feedId, userId] of await store.queryFeedOwners()) note(feedId, `user ${userId}`)
  const byPath = new Map((await store.queryFeeds()).map(({ id, name }) => [feedPath({ kind: 'query', name }), id]))
  for (const { address, reader } of known) {
    const feedId = byPath.get(feedPath(address))
    if (feedId !== undefined) note(feedId, reader)
  }
  return readers
}

/** What the scheduler counts sources for, beside the weights that users gave them. */
export function sourceRelevance(
  store: Store,
  archiveShare: number,
  shares: Pick<ShareService, 'read'> = createShareReader(store),
  readers?: ReaderSettings,
): Relevance {
  return withTrust(readRelevance(store, archiveShare, shares, readers), store, archiveShare)
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
