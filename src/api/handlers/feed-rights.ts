import type { QueryFeed } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Call } from '../routes.ts'

type FeedStore = Pick<Store, 'queryFeeds' | 'queryFeed' | 'queryFeedOwners'>

/** The public ones and the own; for an admin all. */
export async function visibleFeeds(call: Call, store: FeedStore): Promise<readonly QueryFeed[]> {
  const feeds = await store.queryFeeds()
  if (call.isAdmin) return feeds
  const owners = await store.queryFeedOwners()
  return feeds.filter(({ id, isPrivate }) => !isPrivate || owners.get(id) === call.user.id)
}

/** One that the caller may not see is as if it were not there. */
export async function feedSeenBy(name: string, call: Call, store: FeedStore): Promise<QueryFeed> {
  const feed = await store.queryFeed(name)
  const isSeen = feed !== null && (!feed.isPrivate || (await isMine(feed, call, store)))
  if (!isSeen) throw new HeadwaterError('QUERY_NOT_FOUND', name)
  return feed
}

/** Throws RIGHT_MISSING for a feed of another user. */
export async function feedChangedBy(name: string, call: Call, store: FeedStore): Promise<QueryFeed> {
  const feed = await feedSeenBy(name, call, store)
  if (!(await isMine(feed, call, store)))
    throw new HeadwaterError('RIGHT_MISSING', `${name} is the feed of another user`)
  return feed
}

async function isMine(feed: QueryFeed, call: Call, store: FeedStore): Promise<boolean> {
  return call.isAdmin || (await store.queryFeedOwners()).get(feed.id) === call.user.id
}
