import type { Cursor } from '../buffer/buffer.ts'
import type {
  DeadLetter,
  DurationMs,
  FeedToken,
  InstantMs,
  Item,
  ItemParts,
  ItemSeq,
  ItemTitle,
  PublicationSeq,
  PublishedEntry,
  QueryFeed,
  QueryFeedId,
  Selectivity,
  SourceId,
  SourceSettings,
  Subscription,
  SubscriptionOutput,
  UserId,
} from '../model/index.ts'
import type { ItemScope } from './item-scope.ts'

/** What one text of statements changes. Feeds are named, because a statement may name one made by another. */
export type QueryChange =
  | { readonly kind: 'add-source'; readonly settings: SourceSettings; readonly by: UserId | null }
  | { readonly kind: 'alter-source'; readonly sourceId: SourceId; readonly patch: Partial<SourceSettings> }
  | { readonly kind: 'remove-source'; readonly sourceId: SourceId }
  | {
      readonly kind: 'save-feed'
      readonly name: string
      readonly title: string | null
      readonly limit: number | null
      readonly text: string
      readonly catchUp: CatchUpStart
      /** Of a feed that is new; absent: public, and nobody's. */
      readonly first?: { readonly isPrivate: boolean; readonly ownerId: UserId | null }
    }
  | { readonly kind: 'weigh-feed'; readonly name: string; readonly weight: number }
  | { readonly kind: 'drop-feed'; readonly name: string }
  /**
   * Catches up from the first item that it holds, or began with, and shows nothing meanwhile. What it still holds then keeps
   * its number, so that no subscriber gets it twice or misses it; what comes in addition is history.
   */
  | { readonly kind: 'clear-feed'; readonly name: string; readonly without: readonly string[] }
  | {
      readonly kind: 'subscribe'
      readonly feed: string
      readonly output: SubscriptionOutput
      readonly everyMs: DurationMs | null
      readonly secret: string
    }
  /** `output` null: all of them. */
  | { readonly kind: 'unsubscribe'; readonly feed: string; readonly output: SubscriptionOutput | null }

/**
 * From where a saved query is evaluated. `no`: it asks the same as before, so the feed goes on. `from now`: from the
 * first item that no query was evaluated on yet. Otherwise from the archive, after this item.
 */
export type CatchUpStart = 'no' | 'from now' | { readonly after: ItemSeq }

/** How the query processor is known to the item buffer. */
export const QUERY_READER = 'query'

export interface PublicationPage {
  readonly after: PublicationSeq
  readonly limit: number
  readonly withHistory?: boolean
  readonly whole?: boolean
}

export interface NewPublication {
  readonly feedId: QueryFeedId
  /** Of the feed whose query decided it; left out if the feed has another by now. */
  readonly version: number
  readonly itemSeq: ItemSeq
  readonly joined: readonly ItemSeq[]
  /**
   * Where the item was seen first, where that is known. What a feed holds from there already it does not get again: not at all
   * where it was another feed that named the origin (`isClaimed`), else unless the title is another, so that nobody can
   * keep an item out by naming its origin first.
   */
  readonly origin?: { readonly id: string; readonly isClaimed: boolean }
}

/** What the queries made of some entries of the item buffer. */
export interface PublishRecord {
  /** QUERY_READER acknowledges up to here in the same transaction. */
  readonly cursor: Cursor
  readonly publications: readonly NewPublication[]
  /** New items (not edits) that the queries were evaluated on, by source. */
  readonly itemCounts: ReadonlyMap<SourceId, number>
  /** How many of those each feed matched, where any. */
  readonly matches: readonly MatchCount[]
  readonly at: InstantMs
}

export interface MatchCount {
  readonly feedId: QueryFeedId
  /** Of the feed whose query matched them; not counted if the feed has another by now. */
  readonly version: number
  readonly sourceId: SourceId
  readonly items: number
}

/** What the queries of feeds that catch up made of a stretch of the archive, from where they stood up to `upTo`. */
export interface CatchUpRecord {
  readonly feeds: readonly { readonly feedId: QueryFeedId; readonly version: number }[]
  readonly after: ItemSeq
  readonly upTo: ItemSeq
  /** They have reached what arrives, and follow the buffer from now on. */
  readonly isEnd: boolean
  readonly publications: readonly NewPublication[]
  readonly at: InstantMs
}

export interface PublishResult {
  /** Feeds in which something has changed. */
  readonly feedIds: readonly QueryFeedId[]
  readonly added: number
}

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
  /**
   * Grows with every change of query feeds, their owners, subscriptions and tokens, also by another process, perhaps by more
   * than one. Cheap to ask.
   */
  queryRevision(): Promise<number>
  /** Ordered by name. */
  queryFeeds(): Promise<readonly QueryFeed[]>
  queryFeed(name: string): Promise<QueryFeed | null>
  /**
   * All of them in one transaction, in order. false: the queries are no longer those of `revision`, against which they
   * were checked; nothing was changed. A feed that is saved again keeps its id and what it has published; a dropped one
   * goes with publications, subscriptions and tokens. Throws FEED_NOT_FOUND for a name that is not there.
   */
  changeQueries(changes: readonly QueryChange[], revision: number, now: InstantMs): Promise<boolean>
  /** What is no part of the statement. */
  updateQueryFeed(id: QueryFeedId, patch: Partial<Pick<QueryFeed, 'isPrivate' | 'weight' | 'wish'>>): Promise<void>

  // Publishing --------------------------------------------------------------------------------------------------------
  /** In one transaction, and once for each feed and item however often it is called. Items that are gone are left out. */
  publish(record: PublishRecord): Promise<PublishResult>
  /**
   * For feeds that catch up: their publications of the stretch become exactly those given; one that was there already
   * keeps its number. Does nothing for a feed that has another version by now or is elsewhere.
   */
  publishCatchUp(record: CatchUpRecord): Promise<PublishResult>
  /** Newest publication first. Where items are very long, the later ones come without summary and content. */
  publications(
    feedId: QueryFeedId,
    page: { readonly limit: number; readonly before?: PublicationSeq },
  ): Promise<readonly PublishedEntry[]>
  /**
   * Oldest first, without what is history unless asked for. Where items are very long, the later ones come without summary and
   * content, or, for a caller that needs each of them `whole`, not yet: fewer, but one if there is one.
   */
  publicationsAfter(feedId: QueryFeedId, page: PublicationPage): Promise<readonly PublishedEntry[]>
  /** `lastSeq` 0: nothing yet. */
  publicationState(feedId: QueryFeedId): Promise<{ readonly count: number; readonly lastSeq: PublicationSeq }>
  /** How many were published in [since, until), without history; after a clock went back, perhaps fewer. */
  publishedBetween(feedId: QueryFeedId, since: InstantMs, until: InstantMs): Promise<number>
  /** In which query feeds items are. */
  publishedIn(seqs: readonly ItemSeq[]): Promise<ReadonlyMap<ItemSeq, readonly QueryFeedId[]>>
  /**
   * What was counted since each query began to ask what it asks now, in the archive first; a pair that is missing has
   * share 0.
   */
  selectivities(): Promise<readonly Selectivity[]>

  // The archive in the order of arrival -------------------------------------------------------------------------------
  /** Fewer where items are very long, but one if there is one. */
  itemsAfter(seq: ItemSeq, limit: number, parts?: ItemParts): Promise<readonly Item[]>
  /** A fifth of the cost of reading items without their texts. */
  titlesAfter(seq: ItemSeq, limit: number): Promise<readonly ItemTitle[]>
  lastItemSeq(): Promise<ItemSeq>
  /** The last item that queries were evaluated on (QUERY_READER has acknowledged it); without a reader, the last there is. */
  processedUpTo(): Promise<ItemSeq>
  /** The last `limit` items in scope up to one, in order. */
  arrivedSeqs(scope: ItemScope, page: { readonly upTo: ItemSeq; readonly limit: number }): Promise<readonly ItemSeq[]>
  /** Likewise of a query feed, after `after`. */
  publishedSeqs(
    feedId: QueryFeedId,
    page: { readonly after: ItemSeq; readonly upTo: ItemSeq; readonly limit: number },
  ): Promise<readonly ItemSeq[]>
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
  /** Has them tried once more, in their old order; returns how many there were. */
  requeueDeadLetters(which: { readonly ids: readonly number[] } | { readonly subscriptionId: number }): Promise<number>
  /** Those that are to be tried once more, oldest publication first. */
  requeuedDeadLetters(limit: number): Promise<readonly DeadLetter[]>
  /** null: it was delivered, and is no dead letter any more. */
  settleDeadLetter(id: number, failure: { readonly reason: string; readonly at: InstantMs } | null): Promise<void>
  addFeedToken(
    feedId: QueryFeedId,
    token: { readonly hash: string; readonly label: string | null },
    now: InstantMs,
  ): Promise<FeedToken>
  removeFeedToken(id: number): Promise<boolean>
  feedTokens(feedId: QueryFeedId): Promise<readonly FeedToken[]>
}
