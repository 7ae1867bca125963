import type { ItemSeq, SourceId } from './ids.ts'
import type { Item } from './item.ts'
import type { QualityWish } from './quality.ts'
import type { DurationMs, InstantMs } from './time.ts'

export type QueryFeedId = number

/**
 * Number of a publication, given in the order of publishing over all query feeds: what a subscription has delivered up
 * to. Only monotone: there may be gaps, but in a feed nothing appears before a publication that a reader has seen. Never given
 * twice, also not after a crash.
 */
export type PublicationSeq = number

/** A feed that a query makes of other feeds. */
export interface QueryFeed {
  readonly id: QueryFeedId
  readonly name: string
  /** null: the name is shown. */
  readonly title: string | null
  /** Items in its window; null: the node decides. */
  readonly limit: number | null
  /** The canonical CREATE FEED statement. */
  readonly text: string
  /** Shown only to readers with a token. */
  readonly isPrivate: boolean
  /** What its items count when the budget is spent, against 1 of others. */
  readonly weight: number
  /** What it is to be like, whatever else is read; null: nothing is wished for. */
  readonly wish: QualityWish | null
  /** Grows when what it asks for changes. */
  readonly version: number
  readonly createdAt: InstantMs
  readonly alteredAt: InstantMs
  /**
   * A feed begins by catching up with the archive, item by item from this one (exclusive), and follows the item buffer
   * when it has reached what arrives: then null.
   */
  readonly catchUpAfter: ItemSeq | null
  /** The last item that was there before what it asks for: up to here it shows history, after it news. */
  readonly historyUpTo: ItemSeq
  /** What it is made without, because its owner may not read it, as access/view.ts writes it, sorted; absent: nothing. */
  readonly without?: readonly string[]
  /** Holds items that it must no longer show, until it has caught up: nobody sees anything of it before. */
  readonly isClearing?: boolean
}

/** An item in a query feed: at most one per feed and item. */
export interface Publication {
  readonly seq: PublicationSeq
  readonly feedId: QueryFeedId
  readonly itemSeq: ItemSeq
  readonly publishedAt: InstantMs
  /** From the archive, before the query was there: shown in the feed, but not pushed to subscribers. */
  readonly isHistory: boolean
  /** Items of the joined feeds that it was shown with; some may be gone by now. */
  readonly joined: readonly ItemSeq[]
}

export interface PublishedEntry extends Publication {
  readonly item: Item
}

export type SubscriptionOutput =
  | { readonly kind: 'webhook'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'mail'; readonly address: string }
  /** Notifications in one browser: where its push service takes them. */
  | { readonly kind: 'webpush'; readonly endpoint: string }

/** A WebSub subscriber: where it is called, and in which format it wants the feed. */
export interface HubOutput {
  readonly kind: 'websub'
  readonly url: string
  readonly format: 'rss' | 'atom' | 'json'
}

/**
 * Somewhere that publications of a query feed are sent to. `deliveredSeq` is its cursor: everything of the feed up to it is
 * delivered or given up as a dead letter.
 */
export interface Subscription<Output = SubscriptionOutput> {
  readonly id: number
  readonly feedId: QueryFeedId
  readonly output: Output
  /** null: immediately. */
  readonly everyMs: DurationMs | null
  /** What a webhook signs with, or what a browser's messages are encrypted with; null: it cannot be read without the key that it was sealed with. */
  readonly secret: string | null
  readonly createdAt: InstantMs
  readonly deliveredSeq: PublicationSeq
  readonly deliveredAt: InstantMs | null
  /** Failures since the last delivery. */
  readonly failureCount: number
  readonly nextAttemptAt: InstantMs | null
  readonly lastError: string | null
}

/** Made by a subscriber at our hub, not by the owner of the feed; it ends with its lease. */
export interface HubSubscription extends Subscription<HubOutput> {
  readonly leaseEndsAt: InstantMs
  /** How often items of its feed were edited since it began, and how many of these edits it has got. */
  readonly edits: number
  readonly deliveredEdits: number
  /** Of a built-in feed, whose `deliveredSeq` is an edition of it; null: of a query feed. */
  readonly builtIn: BuiltInTopic | null
}

/** A feed of the node that no query makes (everything, a category, a source), to which somebody has subscribed at our hub. */
export interface BuiltInTopic {
  /** As in addresses, without the ending that names a format. */
  readonly path: string
  /** When it was taken last to be sent to all who have subscribed, or a little later: each is larger than the one before. */
  readonly edition: InstantMs
}

/** A publication that a subscription gave up. */
export interface DeadLetter {
  readonly id: number
  readonly subscriptionId: number
  readonly publicationSeq: PublicationSeq
  readonly itemSeq: ItemSeq
  readonly at: InstantMs
  readonly reason: string
  /** Somebody has asked to try it once more. */
  readonly isRequeued: boolean
}

/** Lets who knows the secret read a private feed; only its hash is stored. */
export interface FeedToken {
  readonly id: number
  readonly feedId: QueryFeedId
  /** SHA-256, hex. */
  readonly hash: string
  readonly label: string | null
  readonly createdAt: InstantMs
}

/** Which share of a source's items a query has matched since it began, the latest 1,000 at least. */
export interface Selectivity {
  readonly feedId: QueryFeedId
  readonly sourceId: SourceId
  /** Between 0 and 1. */
  readonly share: number
  /** Items that it was counted of. */
  readonly items: number
}
