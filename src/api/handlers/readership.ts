import type { QueryFeedId, SourceId, UserId } from '../../model/index.ts'
import { feedPath, parseFeedPath } from '../../publisher/addresses.ts'
import type { Store } from '../../store/store.ts'
import type { ShareService } from '../services.ts'
import type { SourceRow } from './source-directory.ts'
import type { Readership } from './suggestions.ts'

type ReadershipStore = Pick<Store, 'follows' | 'queryFeeds' | 'queryFeedOwners'>

/**
 * Users by the sources whose items they get: through own query feeds, and all that they follow. What private feeds of
 * others keep is nobody's business: only `visible` ones count.
 */
export async function readershipOf(
  rows: readonly SourceRow[],
  visible: ReadonlySet<QueryFeedId>,
  store: ReadershipStore,
  shares: Awaited<ReturnType<ShareService['read']>>,
): Promise<Readership> {
  const readers = new Map<SourceId, Set<string>>()
  const note = (id: SourceId, userId: UserId) => {
    const known = readers.get(id)
    if (known === undefined) readers.set(id, new Set([nameOf(userId)]))
    else known.add(nameOf(userId))
  }
  const matchesBySource = new Map<SourceId, Map<QueryFeedId, number>>()
  const byFeed = await usersByFeed(store)
  const keeps = (feedId: QueryFeedId, sourceId: SourceId, share: number) => {
    const known = matchesBySource.get(sourceId) ?? new Map<QueryFeedId, number>()
    matchesBySource.set(sourceId, known.set(feedId, share))
    for (const userId of byFeed.get(feedId) ?? []) note(sourceId, userId)
  }
  for (const { feedId, sourceId, share } of shares.pairs) if (visible.has(feedId)) keeps(feedId, sourceId, share)
  for (const feedId of shares.everything) if (visible.has(feedId)) for (const { id } of rows) keeps(feedId, id, 1)
  for (const { feed, userId } of await store.follows()) for (const id of shownBy(feed, rows)) note(id, userId)
  return { readers, matches: matchesBySource }
}

export function sourcesReadBy(userId: UserId, { readers }: Readership): ReadonlySet<SourceId> {
  const name = nameOf(userId)
  return new Set([...readers].filter(([, who]) => who.has(name)).map(([id]) => id))
}

async function usersByFeed(store: ReadershipStore): Promise<ReadonlyMap<QueryFeedId, ReadonlySet<UserId>>> {
  const users = new Map<QueryFeedId, Set<UserId>>()
  const byPath = new Map((await store.queryFeeds()).map(({ id, name }) => [feedPath({ kind: 'query', name }), id]))
  for (const [feedId, userId] of await store.queryFeedOwners()) users.set(feedId, new Set([userId]))
  for (const { feed, userId } of await store.follows()) {
    const feedId = byPath.get(feed)
    if (feedId !== undefined) users.set(feedId, (users.get(feedId) ?? new Set()).add(userId))
  }
  return users
}

function inCategory(rows: readonly SourceRow[], category: string): readonly SourceRow[] {
  return rows.filter(({ categories }) => categories.some((one) => one === category || one.startsWith(`${category}/`)))
}

function nameOf(userId: UserId): string {
  return `user ${userId}`
}

function shownBy(feed: string, rows: readonly SourceRow[]): readonly SourceId[] {
  const address = parseFeedPath(`${feed}.rss`)?.address
  if (address?.kind === 'source') return [address.sourceId]
  return address?.kind === 'category' ? inCategory(rows, address.category).map(({ id }) => id) : []
}
