import { createHash } from 'node:crypto'
import type { DurationMs, HubOutput, HubSubscription, InstantMs, PublicationSeq, QueryFeedId } from '../model/index.ts'

export type NewHubSubscription = Pick<HubSubscription, 'feedId' | 'output' | 'leaseEndsAt'> & {
  readonly secret: string
  /** Of a built-in feed; absent: a query feed. */
  readonly path?: string
}

/**
 * Under which the hub knows a built-in feed: made of its path, so that nothing needs to be stored to ask for it, and below zero, where
 * no query feed is. 52 bits of a hash.
 */
export function builtInFeedId(path: string): number {
  return -1 - Number.parseInt(createHash('sha256').update(path).digest('hex').slice(0, 13), 16)
}

/** How many have subscribed at the hub, and whether one of them is the one in question. */
export interface HubCrowd {
  /** To the same feed. */
  readonly ofFeed: number
  /** Of the same host, to any feed. */
  readonly ofHost: number
  readonly isKnown: boolean
}

/** Who has subscribed to a feed at the hub, and whose last message failed. */
export interface FeedSubscribers {
  readonly feedId: QueryFeedId
  readonly subscribers: number
  readonly failing: number
}

export interface HubTopic {
  readonly feedId: number
  readonly path: string
}

/** Nothing is given up: the next attempt carries the whole feed. */
export type HubDelivery =
  | { readonly kind: 'delivered'; readonly upTo: PublicationSeq; readonly edits: number; readonly at: InstantMs }
  | { readonly kind: 'failed'; readonly error: string; readonly nextAttemptAt: InstantMs }

/** Subscribers at our hub (docs/decisions/0122-hub.md). They go with their feeds. */
export interface HubStore {
  /**
   * One per feed, callback and format: again it gets another secret and lease, and keeps its cursor. Does nothing if the query
   * feed is gone.
   */
  saveHubSubscription(subscription: NewHubSubscription, now: InstantMs): Promise<void>
  endHubSubscription(feedId: QueryFeedId, output: HubOutput): Promise<void>
  /** Removes those whose lease is over, and built-in feeds that nobody has subscribed to any more; returns how many leases. */
  endLapsedHubSubscriptions(now: InstantMs): Promise<number>
  /** Items in these feeds were edited: their subscribers are behind, whatever was published. */
  noteHubEdits(feedIds: readonly QueryFeedId[]): Promise<void>
  /**
   * What these built-in feeds show has changed; null: that of all of them may have. Writes nothing for those that nobody has
   * subscribed to, or whose next edition waits already; returns how many wait now that did not before.
   */
  noteHubNews(paths: readonly string[] | null): Promise<number>
  /**
   * Begins the next edition of each built-in feed that has changed and whose last one began `pauseMs` ago at least. What is
   * rendered after that shows all that was noted before.
   */
  beginHubEditions(now: InstantMs, pauseMs: DurationMs): Promise<void>
  /** Built-in feeds that somebody has subscribed to, by path. */
  hubTopics(): Promise<readonly HubTopic[]>
  /** Those that something was published or edited for since, with a lease that runs and no pause; by id. */
  hubSubscriptionsBehind(
    now: InstantMs,
    page: { readonly afterId: number; readonly limit: number },
  ): Promise<readonly HubSubscription[]>
  /** How many each of these feeds has; those without any are left out. */
  hubSubscribers(feedIds: readonly QueryFeedId[]): Promise<readonly FeedSubscribers[]>
  /** Of these feeds, by id. */
  hubSubscriptions(query: {
    readonly feedIds: readonly QueryFeedId[]
    readonly afterId: number
    readonly limit: number
  }): Promise<readonly HubSubscription[]>
  hubCrowd(feedId: QueryFeedId, output: HubOutput): Promise<HubCrowd>
  /** Does nothing if the subscription is gone. */
  recordHubDelivery(id: number, delivery: HubDelivery): Promise<void>
}
