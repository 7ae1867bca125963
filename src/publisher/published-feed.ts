import type { InstantMs, Item, PublicationSeq, SourceId } from '../model/index.ts'

export type FeedFormatName = 'rss' | 'atom' | 'json'

export const FEED_FORMATS: readonly FeedFormatName[] = ['rss', 'atom', 'json']

/** What a published item says of where it comes from. */
export interface SourceLabel {
  readonly id: SourceId
  readonly addedAt: InstantMs
  /** Plain text, never empty. */
  readonly title: string
  /** The feed's address, without user name and password. */
  readonly url: string
  readonly siteUrl: string | null
  /** As its feed declares them. Folders are not shown: how people sort what they read is their own. */
  readonly categories: readonly string[]
  readonly weight: number
}

export interface PublishedItem {
  readonly item: Item
  readonly source: SourceLabel
  /** Items that a JOIN has found to belong with it. */
  readonly related?: readonly PublishedItem[]
  /** In a query feed. */
  readonly publicationSeq?: PublicationSeq
  /** In a feed that is ordered by one. */
  readonly score?: number
  /** Shown as its page has it, where that was fetched (FULLTEXT); absent: as its feed has it. */
  readonly isWhole?: true
}

/**
 * Links between the documents of one feed, as the part of the address after the ending (`?archive=1-2`; '' is the feed
 * itself). RFC 5005 §3 and §4; JSON Feed has `next_url` only.
 */
export interface FeedLinks {
  readonly self: string
  /** RFC 5005 §4: nothing is added to the document any more. */
  readonly isArchive: boolean
  /** Older publications: `next` and `prev-archive`. */
  readonly older: string | null
  /** Newer ones: `previous` and `next-archive`; of an archive only. */
  readonly newer: string | null
  /** The oldest document: `last`. */
  readonly oldest: string | null
}

/** A feed of ours, before it takes the form of RSS, Atom or JSON Feed. */
export interface PublishedFeed {
  readonly title: string
  readonly description: string
  /** Absolute, without the ending that names a format; also the feed's permanent id. */
  readonly url: string
  /** The page that the feed stands for. */
  readonly siteUrl: string
  /** What it is about: of a query feed, what the sources of its items declare, the commonest first. */
  readonly categories: readonly string[]
  /** Newest first. */
  readonly items: readonly PublishedItem[]
  /** When something in it last changed. Nothing in a rendered feed depends on when it was rendered. */
  readonly updatedAt: InstantMs
  readonly links?: FeedLinks
  /** The hub that tells of its news. */
  readonly hubUrl?: string
  /** What it asks for, as a number that grows; query feeds only. */
  readonly version?: number
}
