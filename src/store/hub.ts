import type { HubOutput, HubSubscription, InstantMs, PublicationSeq, QueryFeedId } from '../model/index.ts'

export type NewHubSubscription = Pick<HubSubscription, 'feedId' | 'output' | 'leaseEndsAt'> & {
  readonly secret: string
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

/** Nothing is given up: the next attempt carries the whole feed. */
export type HubDelivery =
  | { readonly kind: 'delivered'; readonly upTo: PublicationSeq; readonly edits: number; readonly at: InstantMs }
  | { readonly kind: 'failed'; readonly error: string; readonly nextAttemptAt: InstantMs }

/** Subscribers at our hub (docs/decisions/0122-hub.md). They go with their feeds. */
export interface HubStore {
  /**
   * One per feed, callback and format: again it gets another secret and lease, and keeps its cursor. Does nothing if the feed
   * is gone.
   */
  saveHubSubscription(subscription: NewHubSubscription, now: InstantMs): Promise<void>
  endHubSubscription(feedId: QueryFeedId, output: HubOutput): Promise<void>
  /** Removes those whose lease is over; returns how many. */
  endLapsedHubSubscriptions(now: InstantMs): Promise<number>
  /** Items in these feeds were edited: their subscribers are behind, whatever was published. */
  noteHubEdits(feedIds: readonly QueryFeedId[]): Promise<void>
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
