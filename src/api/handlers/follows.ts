import type { z } from 'zod'
import { type FeedAddress, feedPath, parseFeedPath } from '../../publisher/addresses.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Follow } from '../../store/reading.ts'
import type { follow, followOperations } from '../operations/follows.ts'
import type { CallContext, Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { feedSeenBy, visibleFeeds } from './feed-rights.ts'

type FollowInput = z.input<typeof follow>

export function followersByFeed(follows: readonly { readonly feed: string }[]): ReadonlyMap<string, number> {
  const followers = new Map<string, number>()
  for (const { feed } of follows) followers.set(feed, (followers.get(feed) ?? 0) + 1)
  return followers
}

export function followHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof followOperations> {
  const { store, clock, directory } = deps
  return {
    async listFollows(_input, call) {
      const all = await store.follows()
      const followers = followersByFeed(all)
      const own = all.filter(({ userId }) => userId === call.user.id)
      const describe = await describer(own, call, deps)
      return { follows: own.flatMap((one) => describe(one, followers.get(one.feed) ?? 1)) }
    },
    async follow({ body }, call) {
      const address = parseFeedPath(`${body.feed}.rss`)?.address
      if (address === undefined) throw new HeadwaterError('REQUEST_INVALID', `body.feed: ${body.feed}`)
      await demandThere(address, call, deps)
      await store.follow({ userId: call.user.id, feed: feedPath(address), since: clock.now() })
      directory.forget()
      return undefined
    },
    async unfollow({ query }, { user }) {
      const isGone = await store.unfollow(user.id, query.feed)
      if (!isGone) throw new HeadwaterError('FEED_NOT_FOUND', query.feed)
      return undefined
    },
  }
}

async function demandThere(address: FeedAddress, call: CallContext, deps: HandlerDeps): Promise<void> {
  const { store } = deps
  if (address.kind === 'query') await feedSeenBy(address.name, call, deps)
  if (address.kind === 'source' && (await store.source(address.sourceId)) === null)
    throw new HeadwaterError('SOURCE_NOT_FOUND', String(address.sourceId))
  if (address.kind !== 'category') return
  const isThere = (await store.categories()).some(({ category }) => category === address.category)
  if (!isThere) throw new HeadwaterError('FEED_NOT_FOUND', address.category)
}

/** What is gone, or may no longer be seen, is left out. */
async function describer(
  follows: readonly Follow[],
  call: CallContext,
  deps: HandlerDeps,
): Promise<(one: Follow, followers: number) => FollowInput[]> {
  const { store } = deps
  const addressOf = ({ feed }: Follow) => parseFeedPath(`${feed}.rss`)?.address
  const sources = await store.sourcesById(
    follows.map(addressOf).flatMap((address) => (address?.kind === 'source' ? [address.sourceId] : [])),
  )
  const feeds = new Map((await visibleFeeds(call, deps)).map((feed) => [feed.name, feed]))
  const categories = new Set((await store.categories()).map(({ category }) => category))
  return (one, followers) => {
    const { feed, since } = one
    const address = addressOf(one)
    const common = { feed, since, followers }
    if (address?.kind === 'query') {
      const known = feeds.get(address.name)
      const { name, title } = known ?? { name: address.name, title: null }
      return known === undefined ? [] : [{ ...common, kind: 'feed', name, title: title ?? name, sourceId: null }]
    }
    if (address?.kind === 'category') {
      const name = address.category
      return categories.has(name) ? [{ ...common, kind: 'category', name, title: name, sourceId: null }] : []
    }
    const source = address?.kind === 'source' ? sources.get(address.sourceId) : undefined
    if (source === undefined) return []
    const name = withoutCredentials(source.url)
    return [{ ...common, kind: 'source', name, title: source.name ?? source.state.title ?? name, sourceId: source.id }]
  }
}
