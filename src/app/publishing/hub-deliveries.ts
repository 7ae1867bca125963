import type { ReadAccess } from '../../access/index.ts'
import { type HubSubscription, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { type FeedAddress, parseFeedPath } from '../../publisher/addresses.ts'
import { DELIVERY_POLICY, type DeliveryPolicy, type Pending } from '../../publisher/channels/delivery.ts'
import { createEditions } from '../../publisher/channels/editions.ts'
import { queryFeedsById } from '../../publisher/channels/own-deliveries.ts'
import type { DeliveryDeps, DeliveryFeed, DeliveryStore } from '../../publisher/channels/runner.ts'
import { createHubChannel, type HubChannel } from '../../publisher/channels/websub.ts'
import { createAccessCheck } from '../../publisher/feed-access.ts'
import type { FeedService } from '../../publisher/feeds.ts'
import { createCallbackClient } from '../../publisher/hub/callback-client.ts'
import { HUB_PATH } from '../../publisher/hub/topic.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Data } from '../data/opened-data.ts'
import type { Config } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'

export function hubChannelFor(
  config: Config,
  data: Data,
  feeds: FeedService,
  access: ReadAccess,
  clock: Clock,
): HubChannel {
  const check = createAccessCheck(data.store, access, () => clock.now())
  const timeoutMs = config.webhookTimeout
  const editions = createEditions(feeds)
  return createHubChannel({
    clock,
    client: createCallbackClient({ allowRanges: config.allowRange, userAgent: userAgentOf(config), timeoutMs }),
    baseUrl: feeds.baseUrl,
    hubUrl: feeds.baseUrl + HUB_PATH,
    render: ({ address, format }, edition) =>
      edition === null ? feeds.get(address, format) : editions.get(address, format, edition),
    async mayOpen({ address, token }) {
      const verdict = await check(address, token)
      return verdict === 'open' || verdict === 'granted'
    },
  })
}

/**
 * WebSub §7: a subscription stays until its lease ends, however its callback fails; so nothing is given up, and the pauses grow
 * longer than those of an owner's own webhooks.
 */
const HUB_POLICY: DeliveryPolicy = {
  ...DELIVERY_POLICY,
  longestPauseMs: 6 * DELIVERY_POLICY.longestPauseMs,
  mostAttempts: Number.POSITIVE_INFINITY,
  mostRefusals: Number.POSITIVE_INFINITY,
}

/** Slots beside those of other subscriptions, which strangers cannot take. */
const AT_ONCE = 32
const PAGE = 500
/** A busy feed is sent once in so long: who gets all of it at once need not get it with each item. */
const EDITION_PAUSE_MS = 2 * SECOND_MS

interface HubFeed extends DeliveryFeed {
  readonly address: FeedAddress
  /** Of a built-in feed; null: a query feed, whose publications are counted. */
  readonly edition: number | null
}

type HubDeps = DeliveryDeps<HubSubscription, HubFeed, Pending>

/** What the runner of deliveries needs for subscribers of the hub. */
export function hubDeliveryDeps(
  store: Store,
  clock: Clock,
  channel: HubChannel,
  feeds: Pick<FeedService, 'markQueryFeedsStale'>,
): Pick<HubDeps, 'store' | 'sender' | 'policy' | 'concurrency' | 'areBehind'> {
  return {
    store: { ...subscriptionVerbs(store, clock, feeds), ...feedVerbs(store) },
    sender: {
      // However many items are new, one message says so: it carries the whole feed.
      mostItems: () => PAGE,
      send: ({ output: { url: callback, format }, secret: keys }, { address, edition }, _entries, signal) =>
        channel.deliver({ callback, format, keys, address, edition }, signal),
    },
    policy: HUB_POLICY,
    concurrency: AT_ONCE,
    areBehind: true,
  }
}

type HubVerbs = DeliveryStore<HubSubscription, HubFeed, Pending>
type FeedVerbs = Pick<HubVerbs, 'feedsOf' | 'pendingAfter' | 'publicationAt' | 'lastSeq'>

/** Page by page, so that ten thousand who wait for nothing are never read; ends leases in passing. */
function subscriptionVerbs(
  store: Store,
  clock: Clock,
  feeds: Pick<FeedService, 'markQueryFeedsStale'>,
): Omit<HubVerbs, keyof FeedVerbs> {
  let afterId = 0
  let lapsedCheckMs = Number.NEGATIVE_INFINITY
  return {
    async subscriptions() {
      if (clock.monotonicMs() - lapsedCheckMs >= MINUTE_MS) {
        lapsedCheckMs = clock.monotonicMs()
        await store.endLapsedHubSubscriptions(clock.now())
      }
      await store.beginHubEditions(clock.now(), EDITION_PAUSE_MS)
      const page = await store.hubSubscriptionsBehind(clock.now(), { afterId, limit: PAGE })
      afterId = page.length < PAGE ? 0 : (page.at(-1)?.id ?? 0)
      return withEdits(page, store, feeds)
    },
    endSubscription: ({ feedId, output }) => store.endHubSubscription(feedId, output),
    async recordDelivery(id, delivery, { edits }) {
      if (delivery.kind === 'dead') return
      await store.recordHubDelivery(id, delivery.kind === 'delivered' ? { ...delivery, edits } : delivery)
    },
    requeuedDeadLetters: async () => [],
    settleDeadLetter: async () => {},
  }
}

/** Publications of query feeds, editions of the others. */
function feedVerbs(store: Store): FeedVerbs {
  const queryFeeds = queryFeedsById(store)
  return {
    async feedsOf(subscriptions) {
      const isQuery = ({ builtIn }: HubSubscription) => builtIn === null
      const queries = subscriptions.some(isQuery) ? await queryFeeds() : new Map()
      return new Map(
        subscriptions.flatMap(({ feedId, builtIn }): [number, HubFeed][] => {
          const name = builtIn?.path ?? queries.get(feedId)?.name
          const address = builtIn === null ? { kind: 'query' as const, name } : parseFeedPath(`${name}.rss`)?.address
          const isThere = name !== undefined && address !== undefined
          return isThere ? [[feedId, { id: feedId, name, address, edition: builtIn?.edition ?? null }]] : []
        }),
      )
    },
    async pendingAfter({ id, edition }, { after, limit }) {
      if (edition !== null) return edition > after ? [{ seq: edition, publishedAt: 0 }] : []
      // An edit may be of an item that was there before the feed was.
      return store.publicationsAfter(id, { after, limit, withHistory: true })
    },
    publicationAt: async () => [],
    lastSeq: async ({ id, edition }) => edition ?? (await store.publicationState(id)).lastSeq,
  }
}

/**
 * Who waits for edits gets the newest publication once more, with which the whole feed goes. Another process may have heard of
 * the edit: this one renders the feed anew.
 */
async function withEdits(
  page: readonly HubSubscription[],
  store: Pick<Store, 'publicationState'>,
  feeds: Pick<FeedService, 'markQueryFeedsStale'>,
): Promise<readonly HubSubscription[]> {
  const waits = ({ edits, deliveredEdits }: HubSubscription) => edits > deliveredEdits
  const edited = new Set(page.filter(waits).map(({ feedId }) => feedId))
  feeds.markQueryFeedsStale(edited)
  const newest = new Map<number, number>()
  for (const id of edited) newest.set(id, (await store.publicationState(id)).lastSeq)
  return page.map((one) => {
    const deliveredSeq = Math.min(one.deliveredSeq, (newest.get(one.feedId) ?? Number.POSITIVE_INFINITY) - 1)
    return waits(one) ? { ...one, deliveredSeq } : one
  })
}
