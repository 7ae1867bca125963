import type { ReadAccess } from '../../access/index.ts'
import type { QueryFeed, QueryFeedId } from '../../model/index.ts'
import { feedPath } from '../../publisher/addresses.ts'
import { createFileChannel } from '../../publisher/channels/file.ts'
import { createMailChannel } from '../../publisher/channels/mail.ts'
import { outgoingItems } from '../../publisher/channels/outgoing.ts'
import { ownDeliveryStore } from '../../publisher/channels/own-deliveries.ts'
import { createDeliveries, type Deliveries } from '../../publisher/channels/runner.ts'
import { type Channels, createSender, type SenderDeps } from '../../publisher/channels/send.ts'
import { createWebhookChannel } from '../../publisher/channels/webhook.ts'
import { createFeedService, type FeedService, type FeedServiceOptions } from '../../publisher/feeds.ts'
import type { FeedOrder } from '../../publisher/order.ts'
import type { VapidKeys } from '../../publisher/webpush/vapid.ts'
import { namesIn } from '../../query/language/catalog.ts'
import { parseQuery } from '../../query/language/parse.ts'
import type { Clock } from '../../runtime/clock.ts'
import { spareHeapBytes } from '../../runtime/heap.ts'
import type { Data } from '../data/opened-data.ts'
import type { Environment } from '../environment.ts'
import { type Config, outputDirOf } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'
import { endOwn } from './end-own.ts'
import { hubChannelFor, hubDeliveryDeps } from './hub-deliveries.ts'
import { webPushChannelFor } from './web-push.ts'

/** Documents and items that are cached: plenty for any node, and little beside a small heap. */
const MOST_CACHE_BYTES = 64 * 1024 ** 2
const SPARE_PER_CACHE = 16

export function feedServiceFor(
  config: Config,
  data: Data,
  clock: Clock,
  baseUrl: string,
  options: Pick<FeedServiceOptions, 'maxAgeMs' | 'isShared' | 'imageAddress' | 'hasHub' | 'nodeId'> = {},
): FeedService {
  const maxCacheBytes = Math.min(MOST_CACHE_BYTES, spareHeapBytes() / SPARE_PER_CACHE)
  const { feedItems: limit } = config
  return createFeedService({ store: data.store, clock, baseUrl, limit, orderOf, isWhole, maxCacheBytes, ...options })
}

/** What the statement of a feed says of its order; it was checked when it was saved. */
function orderOf({ text }: QueryFeed): FeedOrder | null {
  if (!/\bORDER\b/i.test(text)) return null
  const parsed = parseQuery(text)
  if (!parsed.ok) return null
  const { order } = parsed.value
  if (order?.by !== 'SCORE') return order
  return { ...order, reads: namesIn(parsed.value).map(({ name }) => name) }
}

/** Likewise of its texts. */
function isWhole({ text }: QueryFeed): boolean {
  if (!/\bFULLTEXT\b/i.test(text)) return false
  const parsed = parseQuery(text)
  return parsed.ok && parsed.value.fulltext !== undefined
}

export interface RunningDeliveries {
  readonly channels: Channels
  /** To where owners of feeds want them. */
  readonly own: Deliveries
  /** To who has subscribed at the hub. */
  readonly ofHub: Deliveries
  close(): Promise<void>
}

export function deliveriesFor(
  config: Config,
  data: Data,
  feeds: FeedService,
  access: ReadAccess,
  environment: Environment,
  vapid: VapidKeys,
): RunningDeliveries {
  const { store, notifier } = data
  const channels = {
    ...channelsFor(config, feeds, environment.clock),
    webpush: webPushChannelFor(config, vapid, environment.clock),
  }
  const hub = hubChannelFor(config, data, feeds, access, environment.clock)
  const present: SenderDeps['present'] = (feed, entries) =>
    outgoingItems(feed, entries, store, { isWhole: isWhole(feed), imageAddress: feeds.imageAddress })
  const shows = async (id: QueryFeedId) => {
    const view = await access()
    const feed = view.withId(id)
    return feed !== null && view.shows(feed)
  }
  const deps = { ...environment, notifier, shows }
  const feedUrl = (name: string) => `${feeds.baseUrl}${feedPath({ kind: 'query', name })}`
  const own = createDeliveries({
    ...deps,
    store: ownDeliveryStore(store, endOwn(store, environment.clock)),
    sender: createSender({ channels, present, feedUrl }),
  })
  const ofHub = config.hub
    ? createDeliveries({
        ...deps,
        ...hubDeliveryDeps(store, environment.clock, hub, feeds),
        // Built-in feeds show what query feeds may have to hide; who may open one is asked with each message.
        shows: async (id) => id < 0 || shows(id),
      })
    : { run: async () => {} }
  const close = async () => {
    await Promise.all([...Object.values(channels), hub].map((channel) => channel.close()))
  }
  return { channels, own, ofHub, close }
}

function channelsFor(config: Config, feeds: FeedService, clock: Clock): Omit<Channels, 'webpush'> {
  return {
    webhook: createWebhookChannel({
      clock,
      allowRanges: config.allowRange,
      userAgent: userAgentOf(config),
      timeoutMs: config.webhookTimeout,
    }),
    file: createFileChannel({
      folder: outputDirOf(config),
      render: async (name, format) => (await feeds.get({ kind: 'query', name }, format))?.body ?? null,
    }),
    mail: createMailChannel({ smtpUrl: config.smtpUrl ?? null, from: config.mailFrom }),
  }
}
