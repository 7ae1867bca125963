import type { ShareService } from '../../api/services.ts'
import type { Relevance, RelevanceMap } from '../../crawler/weights.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type QueryFeedId, type SourceId } from '../../model/index.ts'
import { type FeedAddress, feedPath, parseFeedPath } from '../../publisher/addresses.ts'
import type { FeedFetcher, FeedService } from '../../publisher/feeds.ts'
import { type ItemDemand, type ReaderWeight, relevance } from '../../refresh/relevance.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type RepeatedRun, repeat } from '../../runtime/repeat.ts'
import { allListedSources } from '../../store/all-sources.ts'
import type { FeedRead, Fetch } from '../../store/scheduling.ts'
import type { Store } from '../../store/store.ts'
import { fetcherName, readersAmong, saidSubscribers } from './fetchers.ts'
import { createShareReader, NO_SHARES, type ShareStore } from './shares.ts'

/** A reader that has not come for so long has gone. */
const READ_WITHIN_MS = 14 * DAY_MS
const NOTE_EVERY_MS = MINUTE_MS

/** Between two writes; beyond so many names, fetchers are no longer distinguished. */
const MOST_NOTED = 10_000
const FORGET_EVERY_MS = HOUR_MS

/** What readers count. */
export interface ReaderSettings {
  readonly readerWeight: ReaderWeight
  /** Subscribers that a fetcher may say it has; 0: none is believed. */
  readonly believeSubscribers: number
}

const USUAL_READERS: ReaderSettings = { readerWeight: 'logarithm', believeSubscribers: 0 }

export interface NotedReads {
  readonly feeds: FeedService
  /** Read in another way than through the feed. */
  note(address: FeedAddress): void
  readonly run: RepeatedRun
}

/** Notes which feeds are fetched and by whom, a minute at a time. `key`: what names of fetchers are made with. */
export function noteReads(
  feeds: FeedService,
  store: Pick<Store, 'recordFeedReads' | 'recordFetches'>,
  clock: Clock,
  key: string,
): NotedReads {
  const reads = new Map<string, InstantMs>()
  const fetches = new Map<string, Fetch>()
  let forgotAt = Number.NEGATIVE_INFINITY
  const note = (address: FeedAddress) => void reads.set(feedPath(address), clock.now())
  const noteFetch = (address: FeedAddress, by: FeedFetcher) => {
    const feed = feedPath(address)
    const fetch = { feed, reader: fetcherName(key, by), at: clock.now(), subscribers: saidSubscribers(by.userAgent) }
    const readerKey = `${feed} ${fetch.reader}`
    if (fetches.size < MOST_NOTED || fetches.has(readerKey)) fetches.set(readerKey, fetch)
    else note(address)
  }
  const flush = async () => {
    const feedReads = [...reads].map(([feed, at]): FeedRead => ({ feed, at }))
    if (feedReads.length > 0) await store.recordFeedReads(feedReads)
    // What was read once more meanwhile waits for the next time.
    for (const { feed, at } of feedReads) if (reads.get(feed) === at) reads.delete(feed)
    const now = clock.now()
    if (fetches.size === 0 && now - forgotAt < FORGET_EVERY_MS) return
    const fetched = [...fetches]
    await store.recordFetches(
      fetched.map(([, fetch]) => fetch),
      now - READ_WITHIN_MS,
    )
    forgotAt = now
    for (const [key, fetch] of fetched) if (fetches.get(key) === fetch) fetches.delete(key)
  }
  return {
    feeds: {
      ...feeds,
      async get(address, format, by) {
        const feed = await feeds.get(address, format)
        if (feed !== null && by !== undefined) noteFetch(address, by)
        return feed
      },
    },
    note,
    run: repeat({ clock, everyMs: NOTE_EVERY_MS, action: flush }),
  }
}

type ReadingStore = Pick<
  Store,
  'feedReads' | 'fetches' | 'follows' | 'listedSources' | 'queryFeeds' | 'queryFeedOwners' | 'subscriptions'
> &
  ShareStore

/** A feed of the node that somebody gets, and who. */
interface Reader {
  readonly address: FeedAddress
  readonly reader: string
  /** How many it stands for. */
  readonly count: number
}

/** Who reads a feed in the node, or fetched it before fetchers were distinguished: all of them are one reader. */
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
  { readerWeight, believeSubscribers }: ReaderSettings = USUAL_READERS,
): Relevance {
  return async (now): Promise<RelevanceMap> => {
    const readers = await readersOf(store, now, believeSubscribers)
    const crowds = crowdsOf(readers)
    const queries = await queriesInUse(store, readers)
    if (readers.length === 0 && queries.size === 0) return { of: new Map(), others: 1 }
    const ofAll = readers.filter(({ address }) => address.kind === 'all').map(({ reader }) => reader)
    const { everything, pairs } = queries.size > 0 ? await shares.read() : NO_SHARES
    const anyway: readonly ItemDemand[] = [
      ...(ofAll.length === 0 ? [] : [{ share: 1, weight: 1, readers: ofAll, crowds }]),
      ...[...queries].filter(([id]) => everything.has(id)).map(([, query]) => ({ share: 1, ...query, crowds })),
    ]
    const demands = new Map<SourceId, ItemDemand[]>()
    const want = (id: SourceId, by: ItemDemand) => {
      const known = demands.get(id)
      if (known === undefined) demands.set(id, [by])
      else known.push(by)
    }
    for (const [address, names] of byAddress(readers)) {
      for (const id of await shownIn(store, address)) want(id, { share: 1, weight: 1, readers: names, crowds })
    }
    for (const { feedId, sourceId, share } of pairs) {
      const query = queries.get(feedId)
      if (query !== undefined) want(sourceId, { share, ...query, crowds })
    }
    const of = new Map([...demands].map(([id, by]) => [id, relevance([...by, ...anyway], archiveShare, readerWeight)]))
    return { of, others: relevance(anyway, archiveShare, readerWeight) }
  }
}

/** Readers of the node's feeds: recent fetchers, and followers. */
export async function readersOf(
  store: Pick<ReadingStore, 'feedReads' | 'fetches' | 'follows'>,
  now: InstantMs,
  believeSubscribers: number,
): Promise<readonly Reader[]> {
  const read = (feed: string, reader: string, count = 1): readonly Reader[] => {
    const address = parseFeedPath(`${feed}.rss`)?.address
    return address === undefined ? [] : [{ address, reader, count }]
  }
  const reads = (await store.feedReads()).filter(({ at }) => at >= now - READ_WITHIN_MS)
  const fetches = (await store.fetches()).filter(({ at }) => at >= now - READ_WITHIN_MS)
  const follows = await store.follows()
  return [
    ...reads.flatMap(({ feed }) => read(feed, WHO_FETCHES)),
    ...[...byFeed(fetches)].flatMap(([feed, of]) =>
      readersAmong(feed, of, believeSubscribers).flatMap(({ name, count }) => read(feed, name, count)),
    ),
    ...follows.flatMap(({ feed, userId }) => read(feed, `user ${userId}`)),
  ]
}

function byFeed(fetches: readonly Fetch[]): ReadonlyMap<string, Fetch[]> {
  const found = new Map<string, Fetch[]>()
  for (const fetch of fetches) {
    const known = found.get(fetch.feed)
    if (known === undefined) found.set(fetch.feed, [fetch])
    else known.push(fetch)
  }
  return found
}

/** A reader of several feeds counts as the most that it counts in one. */
function crowdsOf(readers: readonly Reader[]): ReadonlyMap<string, number> {
  const crowds = new Map<string, number>()
  for (const { reader, count } of readers) if (count > (crowds.get(reader) ?? 1)) crowds.set(reader, count)
  return crowds
}

/** Those of one feed together: they all get the same. */
export function byAddress(readers: readonly Reader[]): Iterable<[FeedAddress, string[]]> {
  const found = new Map<string, [FeedAddress, string[]]>()
  for (const { address, reader } of readers) {
    const path = feedPath(address)
    const known = found.get(path)
    if (known === undefined) found.set(path, [address, [reader]])
    else known[1].push(reader)
  }
  return found.values()
}

/** Query feeds that have readers, with these. */
async function queriesInUse(
  store: ReadingStore,
  all: readonly Reader[],
): Promise<ReadonlyMap<QueryFeedId, Pick<ItemDemand, 'weight' | 'readers'>>> {
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

/** Sources by whose own or whose category's feed it is; those of other feeds are known otherwise. */
export async function shownIn(
  store: Pick<ReadingStore, 'listedSources'>,
  address: FeedAddress,
): Promise<readonly SourceId[]> {
  if (address.kind === 'source') return [address.sourceId]
  if (address.kind !== 'category') return []
  return (await allListedSources(store, address.category)).map(({ id }) => id)
}
