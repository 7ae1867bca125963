import type { z } from 'zod'
import { userAsCaller } from '../../access/index.ts'
import type { QueryFeed, Subscription } from '../../model/index.ts'
import { areUsable, packPushKeys } from '../../publisher/webpush/push-keys.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import type { QueryChange } from '../../store/query-feeds.ts'
import type { Store } from '../../store/store.ts'
import type { subscription, subscriptionOperations } from '../operations/queries.ts'
import type { CallContext, Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { feedChangedBy } from './feed-rights.ts'

type SubscriptionInput = z.input<typeof subscription>
type WantedOutput = Parameters<Handlers['subscribe']>[0]['body']['output']

export function subscriptionHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof subscriptionOperations> {
  const { store, services, clock, events } = deps

  return {
    async listSubscriptions({ query }, call) {
      const feeds = await feedsShownTo(call, deps)
      const all = await store.subscriptions()
      const rows = all.flatMap((one) => {
        const feed = feeds.get(one.feedId)
        return feed === undefined || (query.feed !== undefined && feed.name !== query.feed) ? [] : [shownOf(one, feed)]
      })
      return { subscriptions: rows }
    },
    showPushKey: async () => ({ key: await services.webPush.publicKey() }),
    async subscribe({ body: { feed: name, output: wanted, everyMs } }, call) {
      const feed = await feedChangedBy(name, call, deps)
      const { output, secret } = readOutput(wanted)
      const ownerId = (await store.queryFeedOwners()).get(feed.id) ?? null
      const subscribe = { kind: 'subscribe' as const, feed: name, output, everyMs, secret }
      const make = () => change(subscribe, store, clock.now(), () => services.outputs.check(output, ownerId))
      const isThere = (await store.subscriptions(feed.id)).some((one) => isSame(one.output, output))
      await services.limits.within(call.user.id, 'subscriptions', isThere ? 0 : 1, make)
      const subscription = (await store.subscriptions(feed.id)).find((one) => isSame(one.output, output))
      if (subscription === undefined || subscription.secret === null) throw new HeadwaterError('QUERY_BUSY')
      events.tell({ kind: 'queries' })
      return {
        subscription: shownOf(subscription, feed),
        secret: output.kind === 'webpush' ? null : subscription.secret,
      }
    },
    async unsubscribe({ params }, call) {
      const { output, feed } = await its(params.id, call, deps)
      await change({ kind: 'unsubscribe', feed: feed.name, output }, store, clock.now())
      call.nameSubject(`${output.kind} of ${feed.name}`)
      events.tell({ kind: 'queries' })
      return undefined
    },
    async listDeadLetters({ query: { subscriptionId, limit } }, call) {
      const feeds = await feedsShownTo(call, deps)
      const byId = new Map((await store.subscriptions()).map((one) => [one.id, feeds.get(one.feedId)]))
      const page = { limit, ...(subscriptionId === undefined ? {} : { subscriptionId }) }
      const letters = (await store.deadLetters(page)).flatMap(({ publicationSeq: _seq, ...letter }) => {
        const feed = byId.get(letter.subscriptionId)
        return feed === undefined ? [] : [{ ...letter, feed: feed.name }]
      })
      const items = await store.itemsBySeq(letters.map(({ itemSeq }) => itemSeq))
      const titles = new Map(items.map(({ seq, title }) => [seq, title]))
      return {
        deadLetters: letters.map((letter) => ({ ...letter, title: titles.get(letter.itemSeq) ?? null })),
      }
    },
    async requeueDeadLetters({ body }, call) {
      if ('subscriptionId' in body) {
        await its(body.subscriptionId, call, deps)
        return { requeued: await store.requeueDeadLetters(body) }
      }
      const feeds = await changeable(call, deps)
      const own = new Set((await store.subscriptions()).filter((one) => feeds.has(one.feedId)).map(({ id }) => id))
      const letterIds = new Set(body.ids)
      const letters = await store.deadLetters({ limit: 1_000_000 })
      const ids = letters
        .filter(({ id, subscriptionId }) => letterIds.has(id) && own.has(subscriptionId))
        .map(({ id }) => id)
      return { requeued: await store.requeueDeadLetters({ ids }) }
    },
  }
}

/** Keys of a browser are secrets, and not what a subscription is known by. */
function readOutput(wanted: WantedOutput): { readonly output: Subscription['output']; readonly secret: string } {
  if (wanted.kind !== 'webpush') return { output: wanted, secret: randomSecret() }
  const { kind, endpoint, keys } = wanted
  if (!areUsable(keys)) throw new HeadwaterError('USAGE', 'the keys are not those of a browser')
  return { output: { kind, endpoint }, secret: packPushKeys(keys) }
}

/** Feeds that the caller may change, by id. */
async function changeable({ caller }: CallContext, deps: HandlerDeps): Promise<ReadonlyMap<number, QueryFeed>> {
  const view = await deps.access()
  const feeds = (await deps.store.queryFeeds()).filter(({ id }) => {
    const feed = view.withId(id)
    return feed !== null && view.may(caller, 'change', feed)
  })
  return new Map(feeds.map((feed) => [feed.id, feed]))
}

/** A token that only reads still shows where one's own feeds go. */
export async function feedsShownTo(call: CallContext, deps: HandlerDeps): Promise<ReadonlyMap<number, QueryFeed>> {
  const { table } = await deps.access()
  return changeable({ ...call, caller: userAsCaller(call.user, table) }, deps)
}

async function its(
  id: number,
  call: CallContext,
  deps: HandlerDeps,
): Promise<Subscription & { readonly feed: QueryFeed }> {
  const found = (await deps.store.subscriptions()).find((one) => one.id === id)
  const feed = found && (await changeable(call, deps)).get(found.feedId)
  if (found === undefined || feed === undefined) throw new HeadwaterError('SUBSCRIPTION_NOT_FOUND', String(id))
  return { ...found, feed }
}

const ATTEMPTS = 5

/** `check`: against what is there when it is changed. */
async function change(
  queryChange: QueryChange,
  store: Store,
  now: number,
  check: () => Promise<void> = async () => {},
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const revision = await store.queryRevision()
    await check()
    if (await store.changeQueries([queryChange], revision, now)) return
  }
  throw new HeadwaterError('QUERY_BUSY')
}

function isSame(a: Subscription['output'], b: Subscription['output']): boolean {
  return a.kind === b.kind && Object.values(a).join() === Object.values(b).join()
}

function shownOf(
  { feedId: _id, secret: _secret, deliveredSeq: _seq, ...rest }: Subscription,
  feed: QueryFeed,
): SubscriptionInput {
  return { ...rest, feed: feed.name }
}
