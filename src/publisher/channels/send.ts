import type { PublishedEntry, QueryFeed, Subscription, SubscriptionOutput } from '../../model/index.ts'
import { type Channel, type DeliveryOutcome, type OutgoingItem, type OutgoingItems, retryLater } from './channel.ts'

export type Channels = Readonly<Record<SubscriptionOutput['kind'], Channel>>

export interface SenderDeps {
  readonly channels: Channels
  /** Publications as subscribers get them; those whose source is gone are left out. */
  readonly present: (feed: QueryFeed, entries: readonly PublishedEntry[]) => Promise<readonly OutgoingItem[]>
  readonly feedUrl: (name: string) => string
}

/** Sends publications to where the owner of their feed wants them. */
export function createSender({ channels, present, feedUrl }: SenderDeps) {
  return {
    mostItems: ({ output, everyMs }: Subscription) => channels[output.kind].mostItems(everyMs),
    async send(
      { output, secret, everyMs }: Subscription,
      feed: QueryFeed,
      entries: readonly PublishedEntry[],
      signal: AbortSignal,
    ): Promise<DeliveryOutcome> {
      const [first, ...others] = await present(feed, entries)
      // Nothing is left of items whose source was removed meanwhile.
      if (first === undefined) return { kind: 'delivered' }
      if (secret === null && NEEDS_SECRET.has(output.kind))
        return retryLater('CREDENTIALS_LOCKED', 'subscribe again to sign with another secret')
      const head = { name: feed.name, title: feed.title ?? feed.name, url: feedUrl(feed.name) }
      const items: OutgoingItems = [first, ...others]
      const target = targetOf(output)
      return channels[output.kind].deliver({ feed: head, target, secret: secret ?? '', everyMs, items }, signal)
    },
  }
}

/** Kinds that sign or encrypt. */
const NEEDS_SECRET: ReadonlySet<string> = new Set<SubscriptionOutput['kind']>(['webhook', 'webpush'])

export function targetOf(output: SubscriptionOutput): string {
  if (output.kind === 'webhook') return output.url
  if (output.kind === 'webpush') return output.endpoint
  return output.kind === 'file' ? output.path : output.address
}
