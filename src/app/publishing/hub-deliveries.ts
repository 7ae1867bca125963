import type { ReadAccess } from '../../access/index.ts'
import { type HubSubscription, MINUTE_MS, type PublishedEntry, type QueryFeed } from '../../model/index.ts'
import type { Channel, OutgoingItem } from '../../publisher/channels/channel.ts'
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../publisher/channels/delivery.ts'
import type { DeliveryDeps, DeliveryStore } from '../../publisher/channels/runner.ts'
import { createHubChannel } from '../../publisher/channels/websub.ts'
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
): Channel {
  const check = createAccessCheck(data.store, access, () => clock.now())
  const timeoutMs = config.webhookTimeout
  return createHubChannel({
    clock,
    client: createCallbackClient({ allowRanges: config.allowRange, userAgent: userAgentOf(config), timeoutMs }),
    baseUrl: feeds.baseUrl,
    hubUrl: feeds.baseUrl + HUB_PATH,
    render: ({ address, format }) => feeds.get(address, format),
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

/** What the runner of deliveries needs for subscribers of the hub. */
export function hubDeliveryDeps(
  store: Store,
  clock: Clock,
  present: DeliveryDeps['present'],
  feeds: Pick<FeedService, 'markQueryFeedsStale'>,
): Pick<DeliveryDeps, 'store' | 'policy' | 'concurrency' | 'areBehind' | 'present'> {
  return {
    store: { ...store, ...hubSubscriptions(store, clock, feeds) },
    policy: HUB_POLICY,
    concurrency: AT_ONCE,
    areBehind: true,
    present: onceForAll(present),
  }
}

type OwnVerbs = Pick<
  DeliveryStore,
  | 'subscriptions'
  | 'endSubscription'
  | 'recordDelivery'
  | 'publicationsAfter'
  | 'requeuedDeadLetters'
  | 'settleDeadLetter'
>

/** Page by page, so that ten thousand who wait for nothing are never read; ends leases in passing. */
function hubSubscriptions(store: Store, clock: Clock, feeds: Pick<FeedService, 'markQueryFeedsStale'>): OwnVerbs {
  let afterId = 0
  let lapsedCheckMs = Number.NEGATIVE_INFINITY
  return {
    async subscriptions() {
      if (clock.monotonicMs() - lapsedCheckMs >= MINUTE_MS) {
        lapsedCheckMs = clock.monotonicMs()
        await store.endLapsedHubSubscriptions(clock.now())
      }
      const page = await store.hubSubscriptionsBehind(clock.now(), { afterId, limit: PAGE })
      afterId = page.length < PAGE ? 0 : (page.at(-1)?.id ?? 0)
      return withEdits(page, store, feeds)
    },
    // An edit may be of an item that was there before the feed was.
    publicationsAfter: (feedId, query) => store.publicationsAfter(feedId, { ...query, withHistory: true }),
    async endSubscription({ feedId, output }) {
      if (output.kind === 'websub') await store.endHubSubscription(feedId, output)
    },
    async recordDelivery(id, delivery, subscription) {
      if (delivery.kind === 'dead') return
      const edits = 'edits' in subscription ? subscription.edits : 0
      await store.recordHubDelivery(id, delivery.kind === 'delivered' ? { ...delivery, edits } : delivery)
    },
    requeuedDeadLetters: async () => [],
    settleDeadLetter: async () => {},
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

/** Subscribers of one feed wait for the same publications: they are presented once. */
function onceForAll(present: DeliveryDeps['present']): DeliveryDeps['present'] {
  let last: { readonly key: string; readonly items: Promise<readonly OutgoingItem[]> } | null = null
  return (feed: QueryFeed, entries: readonly PublishedEntry[]) => {
    const key = `${feed.id} ${feed.version} ${entries.map(({ seq, item }) => `${seq}.${item.changedAt}`).join()}`
    if (last?.key !== key) last = { key, items: present(feed, entries) }
    return last.items
  }
}
