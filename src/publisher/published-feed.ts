import type { InstantMs, Item, SourceId } from '../model/index.ts'

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
}

export interface PublishedItem {
  readonly item: Item
  readonly source: SourceLabel
}

/** A feed of ours, before it takes the form of RSS, Atom or JSON Feed. */
export interface PublishedFeed {
  readonly title: string
  readonly description: string
  /** Absolute, without the ending that names a format; also the feed's permanent id. */
  readonly url: string
  /** The page that the feed stands for. */
  readonly siteUrl: string
  /** Newest first. */
  readonly items: readonly PublishedItem[]
  /** When something in it last changed. Nothing in a rendered feed depends on when it was rendered. */
  readonly updatedAt: InstantMs
}
