import { STRANGER } from '../access/index.ts'
import type { FeedAddress } from '../publisher/addresses.ts'
import { isPrivateIn, readPrivateFeeds } from '../publisher/feed-access.ts'
import type { ServerDeps } from './deps.ts'

/** Which feeds lists may name to strangers: who does not know of the others need not learn of them there. */
export async function openFeeds({ store, access }: Pick<ServerDeps, 'store' | 'access'>) {
  const view = await access()
  const hidden = await readPrivateFeeds(store)
  return (address: FeedAddress): boolean => {
    if (address.kind !== 'query') return view.mayBuiltIn(STRANGER, 'open', isPrivateIn(hidden, address))
    const feed = view.findFeed(address.name)
    return feed !== null && view.shows(feed) && view.may(STRANGER, 'open', feed)
  }
}
