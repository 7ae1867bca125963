import type { ShareService } from '../api/services.ts'
import type { Relevance, RelevanceMap } from '../crawler/weights.ts'
import { DAY_MS, type InstantMs, MINUTE_MS, type QueryFeedId, type SourceId } from '../model/index.ts'
import { type FeedAddress, feedPath, parseFeedPath } from '../publisher/addresses.ts'
import type { FeedService } from '../publisher/feeds.ts'
import { relevance, type Wanted } from '../refresh/relevance.ts'
import type { Clock } from '../runtime/clock.ts'
import { type PeriodicRun, periodic } from '../runtime/periodic.ts'
import { allSources } from '../store/all-sources.ts'
import type { FeedRead } from '../store/scheduling.ts'
import type { Store } from '../store/store.ts'
import { createShareReader, NO_SHARES, type ShareStore } from './shares.ts'

/** A reader that has not come for so long has gone. */
const READ_WITHIN_MS = 14 * DAY_MS
const NOTE_EVERY_MS = MINUTE_MS

export interface NotedReads {
  readonly feeds: FeedService
  /** Read in another way than through the feed. */
  note(address: FeedAddress): void
  readonly run: PeriodicRun
}

/** Notes which feeds are fetched, a minute at a time. */
export function noteReads(feeds: FeedService, store: Pick<Store, 'recordFeedReads'>, clock: Clock): NotedReads {
  const reads = new Map<string, InstantMs>()
  const note = (address: FeedAddress) => void reads.set(feedPath(address), clock.now())
  const flush = async () => {
    if (reads.size === 0) return
    const noted = [...reads].map(([feed, at]): FeedRead => ({ feed, at }))
    await store.recordFeedReads(noted)
    // What was read once more meanwhile waits for the next time.
    for (const { feed, at } of noted) if (reads.get(feed) === at) reads.delete(feed)
  }
  return {
    feeds: {
      ...feeds,
      async get(address, format) {
        const feed = await feeds.get(address, format)
        if (feed !== null) note(address)
        return feed
      },
    },
    note,
    run: periodic({ clock, everyMs: NOTE_EVERY_MS, action: flush }),
  }
}

type ReadingStore = Pick<
  Store,
  'feedReads' | 'follows' | 'sources' | 'queryFeeds' | 'queryFeedOwners' | 'subscriptions'
> &
  ShareStore

/** A feed of the node that somebody gets, and who. */
interface Reader {
  readonly address: FeedAddress
  readonly reader: string
}

/** Who fetches a feed is not known: all of them are one reader. */
const WHO_FETCHES = 'fetched'

/**
 * Which share of each source is read: through feeds that somebody fetched lately or follows, and through query feeds that
 * are fetched, followed, subscribed to or a user's own, by their selectivity and weight: what they keep by their form counts
 * whole, before its first item too. As long as nobody has read anything, everything counts alike.
 */
export function readRelevance(
  store: ReadingStore,
  archiveShare: number,
  shares: Pick<ShareService, 'read'> = createShareReader(store),
): Relevance {
  return async (now): Promise<RelevanceMap> => {
    const readers = await readersOf(store, now)
    const queries = await queriesInUse(store, readers)
    if (readers.length === 0 && queries.size === 0) return { of: new Map(), others: 1 }
    const ofAll = readers.filter(({ address }) => address.kind === 'all').map(({ reader }) => reader)
    const { everything, pairs } = queries.size > 0 ? await shares.read() : NO_SHARES
    const anyway: readonly Wanted[] = [
      ...(ofAll.length === 0 ? [] : [{ share: 1, weight: 1, readers: ofAll }]),
      ...[...queries].filter(([id]) => everything.has(id)).map(([, query]) => ({ share: 1, ...query })),
    ]
    const wanted = new Map<SourceId, Wanted[]>()
    const want = (id: SourceId, by: Wanted) => {
      const known = wanted.get(id)
      if (known === undefined) wanted.set(id, [by])
      else known.push(by)
    }
    for (const { address, reader } of readers) {
      for (const id of await shownIn(store, address)) want(id, { share: 1, weight: 1, readers: [reader] })
    }
    for (const { feedId, sourceId, share } of pairs) {
      const query = queries.get(feedId)
      if (query !== undefined) want(sourceId, { share, ...query })
    }
    const of = new Map([...wanted].map(([id, by]) => [id, relevance([...by, ...anyway], archiveShare)]))
    return { of, others: relevance(anyway, archiveShare) }
  }
}

async function readersOf(store: ReadingStore, now: InstantMs): Promise<readonly Reader[]> {
  const read = (feed: string, reader: string): readonly Reader[] => {
    const address = parseFeedPath(`${feed}.rss`)?.address
    return address === undefined ? [] : [{ address, reader }]
  }
  const reads = (await store.feedReads()).filter(({ at }) => at >= now - READ_WITHIN_MS)
  const follows = await store.follows()
  return [
    ...reads.flatMap(({ feed }) => read(feed, WHO_FETCHES)),
    ...follows.flatMap(({ feed, userId }) => read(feed, `user ${userId}`)),
  ]
}

/** Query feeds that somebody gets, with who does. */
async function queriesInUse(
  store: ReadingStore,
  all: readonly Reader[],
): Promise<ReadonlyMap<QueryFeedId, Pick<Wanted, 'weight' | 'readers'>>> {
  const owners = await store.queryFeedOwners()
  const subscriptions = await store.subscriptions()
  const subscribed = new Set(subscriptions.map(({ feedId }) => feedId))
  const inUse = new Map<QueryFeedId, { weight: number; readers: string[] }>()
  for (const { id, name, weight } of await store.queryFeeds()) {
    const readers = all
      .filter(({ address }) => address.kind === 'query' && address.name === name)
      .map((one) => one.reader)
    if (owners.has(id)) readers.push(`user ${owners.get(id)}`)
    if (readers.length > 0 || subscribed.has(id)) inUse.set(id, { weight, readers })
  }
  for (const { feedId, output } of subscriptions) inUse.get(feedId)?.readers.push(JSON.stringify(output))
  return inUse
}

async function shownIn(store: ReadingStore, address: FeedAddress): Promise<readonly SourceId[]> {
  if (address.kind === 'source') return [address.sourceId]
  if (address.kind !== 'category') return []
  return (await allSources(store, { category: address.category })).map(({ id }) => id)
}
