import type { Cursor } from '../buffer/buffer.ts'
import type {
  DeadLetter,
  DurationMs,
  FeedToken,
  InstantMs,
  Item,
  ItemSeq,
  PublicationSeq,
  PublishedEntry,
  QueryFeed,
  QueryFeedId,
  Selectivity,
  SourceId,
  SourceSettings,
  Subscription,
  SubscriptionOutput,
} from '../model/index.ts'

/** What one text of statements changes. Feeds are named, because a statement may speak of one made by another. */
export type QueryChange =
  /** Adds the source, or changes the one that has this URL. */
  | { readonly kind: 'register'; readonly url: string; readonly settings: SourceSettings }
  | { readonly kind: 'alter-source'; readonly sourceId: SourceId; readonly patch: Partial<SourceSettings> }
  | { readonly kind: 'remove-source'; readonly sourceId: SourceId }
  | {
      readonly kind: 'save-feed'
      readonly name: string
      readonly title: string | null
      readonly limit: number | null
      readonly text: string
      /** Where to begin in the archive; undefined: an altered feed goes on as it is, a new one begins with what comes. */
      readonly catchUpAfter?: ItemSeq
    }
  | { readonly kind: 'drop-feed'; readonly name: string }
  | {
      readonly kind: 'subscribe'
      readonly feed: string
      readonly output: SubscriptionOutput
      readonly everyMs: DurationMs | null
      readonly secret: string
    }
  /** `output` null: all of them. */
  | { readonly kind: 'unsubscribe'; readonly feed: string; readonly output: SubscriptionOutput | null }

export interface NewPublication {
  readonly feedId: QueryFeedId
  readonly itemSeq: ItemSeq
  readonly joined: readonly ItemSeq[]
}

/** What the queries made of some entries of the item buffer. */
export interface PublishRecord {
  /** By which queries it was decided. */
  readonly revision: number
  readonly reader: string
  /** Acknowledged in the same transaction. */
  readonly cursor: Cursor
  readonly publications: readonly NewPublication[]
  /** New items that were looked at, by source. */
  readonly looked: ReadonlyMap<SourceId, number>
  readonly at: InstantMs
}

/** What the queries of feeds that catch up made of a stretch of the archive. */
export interface CatchUpRecord {
  readonly revision: number
  readonly feeds: readonly {
    readonly feedId: QueryFeedId
    /** Each feed's own: it may begin within the stretch. */
    readonly after: ItemSeq
  }[]
  readonly upTo: ItemSeq
  /** The archive ends here: from now on the feeds follow the buffer. */
  readonly isEnd: boolean
  /** Replaces what stands in these feeds of the stretch. */
  readonly publications: readonly NewPublication[]
  readonly at: InstantMs
}

/** `queries changed`: nothing was written, because the queries are others by now. */
export type PublishResult =
  | { readonly kind: 'published'; readonly feedIds: readonly QueryFeedId[]; readonly count: number }
  | { readonly kind: 'queries changed' }

export type Delivery =
  | { readonly kind: 'delivered'; readonly upTo: PublicationSeq; readonly at: InstantMs }
  | { readonly kind: 'failed'; readonly error: string; readonly nextAttemptAt: InstantMs }
  /** Gives up these, and goes on after them. */
  | {
      readonly kind: 'dead'
      readonly publications: readonly PublicationSeq[]
      readonly reason: string
      readonly at: InstantMs
    }

/** Part of `Store`: query feeds, what they have published, and who gets it. */
export interface QueryFeedStore {
  // Queries -----------------------------------------------------------------------------------------------------------
  /** Grows with every change of query feeds, subscriptions and tokens, also by another process. Cheap to ask. */
  queryRevision(): Promise<number>
  /** Ordered by name. */
  queryFeeds(): Promise<readonly QueryFeed[]>
  queryFeed(name: string): Promise<QueryFeed | null>
  /**
   * All of them in one transaction, in order. false: the queries are no longer those of `revision`, against which they
   * were checked; nothing was changed. A feed that is altered keeps its id and what it has published; a dropped one
   * goes with publications, subscriptions and tokens. Throws FEED_NOT_FOUND for a name that is not there.
   */
  changeQueries(changes: readonly QueryChange[], revision: number, now: InstantMs): Promise<boolean>
  setQueryFeedPrivate(id: QueryFeedId, isPrivate: boolean): Promise<void>

  // Publishing --------------------------------------------------------------------------------------------------------
  /** In one transaction, and once for each feed and item however often it is called. Items that are gone are left out. */
  publish(record: PublishRecord): Promise<PublishResult>
  /**
   * For feeds that catch up: their publications of the stretch become exactly those given; one that was there already
   * keeps its number.
   */
  publishCatchUp(record: CatchUpRecord): Promise<PublishResult>
  /** Newest publication first. */
  publications(
    feedId: QueryFeedId,
    page: { readonly limit: number; readonly before?: PublicationSeq },
  ): Promise<readonly PublishedEntry[]>
  /** Oldest first, for subscriptions: without what is history unless asked for. */
  publicationsAfter(
    feedId: QueryFeedId,
    page: { readonly after: PublicationSeq; readonly limit: number; readonly withHistory?: boolean },
  ): Promise<readonly PublishedEntry[]>
  /** `lastSeq` 0: nothing yet. */
  publicationState(feedId: QueryFeedId): Promise<{ readonly count: number; readonly lastSeq: PublicationSeq }>
  /** In which query feeds items stand. */
  publishedIn(seqs: readonly ItemSeq[]): Promise<ReadonlyMap<ItemSeq, readonly QueryFeedId[]>>
  /** What is known; a pair that is missing has share 0. */
  selectivities(): Promise<readonly Selectivity[]>

  // The archive in the order of arrival -------------------------------------------------------------------------------
  itemsAfter(seq: ItemSeq, limit: number): Promise<readonly Item[]>
  lastItemSeq(): Promise<ItemSeq>
  /** The item before the first that was seen at this moment or later, so that `itemsAfter` begins with that one. */
  itemSeqBefore(firstSeenAt: InstantMs): Promise<ItemSeq>
  /** Likewise for the last `count` items. */
  itemSeqBeforeLast(count: number): Promise<ItemSeq>

  // Subscriptions and tokens ------------------------------------------------------------------------------------------
  /** Ordered by id. */
  subscriptions(feedId?: QueryFeedId): Promise<readonly Subscription[]>
  /** Does nothing if the subscription is gone. */
  recordDelivery(subscriptionId: number, delivery: Delivery): Promise<void>
  /** Newest first. */
  deadLetters(page: { readonly subscriptionId?: number; readonly limit: number }): Promise<readonly DeadLetter[]>
  addFeedToken(
    feedId: QueryFeedId,
    token: { readonly hash: string; readonly label: string | null },
    now: InstantMs,
  ): Promise<FeedToken>
  removeFeedToken(id: number): Promise<boolean>
  feedTokens(feedId: QueryFeedId): Promise<readonly FeedToken[]>
}
