import type { z } from 'zod'
import type { QueryFeed, Subscription } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import type { QueryChange } from '../../store/query-feeds.ts'
import type { Store } from '../../store/store.ts'
import type { subscription, subscriptionOperations } from '../operations/queries.ts'
import type { Call, Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { feedChangedBy, visibleFeeds } from './feed-rights.ts'

type Shown = z.input<typeof subscription>

export function subscriptionHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof subscriptionOperations> {
  const { store, clock, events } = deps

  return {
    async listSubscriptions({ query }, call) {
      const feeds = await changeable(call, store)
      const all = await store.subscriptions()
      const shown = all.flatMap((one) => {
        const feed = feeds.get(one.feedId)
        return feed === undefined || (query.feed !== undefined && feed.name !== query.feed) ? [] : [shownOf(one, feed)]
      })
      return { subscriptions: shown }
    },
    async subscribe({ body: { feed: name, output, everyMs } }, call) {
      const feed = await feedChangedBy(name, call, store)
      await change({ kind: 'subscribe', feed: name, output, everyMs, secret: randomSecret() }, store, clock.now())
      const made = (await store.subscriptions(feed.id)).find((one) => isSame(one.output, output))
      if (made === undefined) throw new HeadwaterError('QUERY_BUSY')
      events.tell({ kind: 'queries' })
      return { subscription: shownOf(made, feed), secret: made.secret }
    },
    async unsubscribe({ params }, call) {
      const { output, feed } = await its(params.id, call, store)
      await change({ kind: 'unsubscribe', feed: feed.name, output }, store, clock.now())
      events.tell({ kind: 'queries' })
      return undefined
    },
    async listDeadLetters({ query: { subscriptionId, limit } }, call) {
      const feeds = await changeable(call, store)
      const byId = new Map((await store.subscriptions()).map((one) => [one.id, feeds.get(one.feedId)]))
      const page = { limit, ...(subscriptionId === undefined ? {} : { subscriptionId }) }
      const letters = (await store.deadLetters(page)).filter((letter) => byId.get(letter.subscriptionId) !== undefined)
      const items = await store.itemsBySeq(letters.map(({ itemSeq }) => itemSeq))
      const titles = new Map(items.map(({ seq, title }) => [seq, title]))
      return {
        deadLetters: letters.map(({ publicationSeq: _seq, ...letter }) => ({
          ...letter,
          feed: byId.get(letter.subscriptionId)!.name,
          title: titles.get(letter.itemSeq) ?? null,
        })),
      }
    },
    async requeueDeadLetters({ body }, call) {
      if ('subscriptionId' in body) {
        await its(body.subscriptionId, call, store)
        return { requeued: await store.requeueDeadLetters(body) }
      }
      const feeds = await changeable(call, store)
      const own = new Set((await store.subscriptions()).filter((one) => feeds.has(one.feedId)).map(({ id }) => id))
      const wanted = new Set(body.ids)
      const letters = await store.deadLetters({ limit: 1_000_000 })
      const ids = letters
        .filter(({ id, subscriptionId }) => wanted.has(id) && own.has(subscriptionId))
        .map(({ id }) => id)
      return { requeued: await store.requeueDeadLetters({ ids }) }
    },
  }
}

/** Feeds that the caller may change, by id. */
async function changeable(call: Call, store: Store): Promise<ReadonlyMap<number, QueryFeed>> {
  const owners = await store.queryFeedOwners()
  const feeds = await visibleFeeds(call, store)
  return new Map(
    feeds.filter(({ id }) => call.isAdmin || owners.get(id) === call.user.id).map((feed) => [feed.id, feed]),
  )
}

async function its(id: number, call: Call, store: Store): Promise<Subscription & { readonly feed: QueryFeed }> {
  const found = (await store.subscriptions()).find((one) => one.id === id)
  const feed = found && (await changeable(call, store)).get(found.feedId)
  if (found === undefined || feed === undefined) throw new HeadwaterError('SUBSCRIPTION_NOT_FOUND', String(id))
  return { ...found, feed }
}

const ATTEMPTS = 5

async function change(wanted: QueryChange, store: Store, now: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await store.changeQueries([wanted], await store.queryRevision(), now)) return
  }
  throw new HeadwaterError('QUERY_BUSY')
}

function isSame(a: Subscription['output'], b: Subscription['output']): boolean {
  return a.kind === b.kind && Object.values(a).join() === Object.values(b).join()
}

function shownOf({ feedId: _id, secret: _secret, deliveredSeq: _seq, ...rest }: Subscription, feed: QueryFeed): Shown {
  return { ...rest, feed: feed.name }
}
