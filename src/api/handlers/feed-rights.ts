import type { AccessFeed } from '../../access/index.ts'
import type { QueryFeed } from '../../model/index.ts'
import { type FeedAddress, feedPath } from '../../publisher/addresses.ts'
import { isPrivateIn } from '../../publisher/feed-access.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { CallContext } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

type Deps = Pick<HandlerDeps, 'store' | 'access'>

/** Those that the caller may see. */
export async function visibleFeeds(call: CallContext, { store, access }: Deps): Promise<readonly QueryFeed[]> {
  const view = await access()
  const feeds = await store.queryFeeds()
  return feeds.filter(({ id }) => isAllowed(view.withId(id), (feed) => view.may(call.caller, 'see', feed)))
}

/** Those that the caller may see, and that show what they hold. */
export async function shownFeeds(call: CallContext, deps: Deps): Promise<readonly QueryFeed[]> {
  const view = await deps.access()
  const feeds = await visibleFeeds(call, deps)
  return feeds.filter(({ id }) => isAllowed(view.withId(id), (feed) => view.shows(feed)))
}

/** One that the caller may not see is as if it were not there. */
export async function feedSeenBy(name: string, call: CallContext, { store, access }: Deps): Promise<QueryFeed> {
  const view = await access()
  const isSeen = isAllowed(view.findFeed(name), (feed) => view.may(call.caller, 'see', feed))
  const feed = await store.queryFeed(name)
  if (!isSeen || feed === null) throw new HeadwaterError('QUERY_NOT_FOUND', name)
  return feed
}

/** For what it holds. One that must not show it is as if it were not there, to anybody. */
export async function feedReadBy(name: string, call: CallContext, deps: Deps): Promise<QueryFeed> {
  const feed = await feedSeenBy(name, call, deps)
  const view = await deps.access()
  if (!isAllowed(view.findFeed(name), (known) => view.shows(known))) throw new HeadwaterError('QUERY_NOT_FOUND', name)
  return feed
}

/** Throws RIGHT_MISSING for a feed of another user that the caller may see. */
export async function feedChangedBy(name: string, call: CallContext, deps: Deps): Promise<QueryFeed> {
  const feed = await feedSeenBy(name, call, deps)
  if (!(await mayChange(feed, call, deps)))
    throw new HeadwaterError('RIGHT_MISSING', `${name} is the feed of another user`)
  return feed
}

/** For what a built-in feed shows, and for how it is shared. */
export async function demandBuiltIn(
  address: FeedAddress,
  action: 'see' | 'change',
  { caller }: CallContext,
  { access }: Pick<Deps, 'access'>,
): Promise<void> {
  const view = await access()
  if (!view.mayBuiltIn(caller, action, isPrivateIn(view.hidden, address)))
    throw new HeadwaterError('RIGHT_MISSING', `to ${action} ${feedPath(address)}`)
}

async function mayChange({ id }: Pick<QueryFeed, 'id'>, call: CallContext, { access }: Deps): Promise<boolean> {
  const view = await access()
  return isAllowed(view.withId(id), (feed) => view.may(call.caller, 'change', feed))
}

function isAllowed(feed: AccessFeed | null, check: (feed: AccessFeed) => boolean): boolean {
  return feed !== null && check(feed)
}
