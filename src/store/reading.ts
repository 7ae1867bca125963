import type { InstantMs, ItemSeq, Mark, QueryFeedId, SourceId, UserId } from '../model/index.ts'
import type { ItemScope } from './item-scope.ts'

/** A user gets what a feed of the node shows. */
export interface Follow {
  readonly userId: UserId
  /** Its path without the format, as `/feeds/category/News`; whether it is there is not known here. */
  readonly feed: string
  readonly since: InstantMs
}

/** What a list of numbers is made of: `sources` are those sources and what stands in those query feeds. */
export type ReadingScope =
  | ItemScope
  | { readonly kind: 'feed'; readonly id: QueryFeedId }
  | { readonly kind: 'sources'; readonly ids: readonly SourceId[]; readonly feeds: readonly QueryFeedId[] }

/** Which items a reader app asks for; in the order in which they arrived, the last first. */
export interface ReadingQuery {
  readonly scope: ReadingScope
  /** Only those that the user has read, or has not; absent: all. Likewise starred. */
  readonly isRead?: boolean
  readonly isStarred?: boolean
  /** Only numbers after this one, and before that one: where the page before ended. */
  readonly after?: ItemSeq
  readonly before?: ItemSeq
  readonly oldestFirst?: boolean
  readonly limit: number
}

/** Part of `Store`: what each user has read, starred, follows and trusts. */
export interface ReadingStore {
  /** One for each item that is there. */
  marks(userId: UserId, seqs: readonly ItemSeq[]): Promise<ReadonlyMap<ItemSeq, Mark>>
  /** What is not named stays; returns how many of the items are there. */
  markItems(userId: UserId, seqs: readonly ItemSeq[], mark: Partial<Mark>): Promise<number>
  /** All in scope up to an item, whatever was said of each before. Costs what the scope has sources, not items. */
  markAllRead(userId: UserId, scope: ReadingScope, upTo: ItemSeq): Promise<void>
  /**
   * Numbers of items for a reader app. Pages go by numbers, which only grow: what arrives meanwhile moves nothing. Costs what it
   * returns where most of the scope is unread, and not more than a walk through an index where hardly anything is.
   */
  seqsToRead(userId: UserId, query: ReadingQuery): Promise<readonly ItemSeq[]>
  /** Last archived first. */
  starred(userId: UserId, page: { readonly before?: ItemSeq; readonly limit: number }): Promise<readonly ItemSeq[]>
  /** How many of the newest `among` items (by time) are unread, by source. */
  unread(userId: UserId, among: number): Promise<ReadonlyMap<SourceId, number>>

  /** Of all users, or of one; by user, then in the order of `feed`. */
  follows(userId?: UserId): Promise<readonly Follow[]>
  /** Twice is once. */
  follow(follow: Follow): Promise<void>
  /** false: it was not followed. */
  unfollow(userId: UserId, feed: string): Promise<boolean>

  /** 0 to 1; 1 where nothing was said, which is not stored. Gone sources are left out. */
  setTrust(userId: UserId, sourceId: SourceId, trust: number): Promise<void>
  trust(userId: UserId): Promise<ReadonlyMap<SourceId, number>>
  /** The mean over all users; sources that all trust are missing. */
  meanTrust(): Promise<ReadonlyMap<SourceId, number>>
}
