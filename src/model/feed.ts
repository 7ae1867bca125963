import type { ParsedItem, Person } from './item.ts'
import type { DurationMs, InstantMs } from './time.ts'

/** What a document proved to be; a bare name where its version is not known. */
export type FeedFormat =
  | 'rss-0.90'
  | 'rss-0.91'
  | 'rss-0.92'
  | 'rss-0.93'
  | 'rss-0.94'
  | 'rss-1.0'
  | 'rss-1.1'
  | 'rss-2.0'
  | 'rss'
  | 'atom-0.3'
  | 'atom-1.0'
  | 'atom'
  | 'cdf'
  | 'json-1.0'
  | 'json-1.1'
  | 'json'
  /** A page that is read by selectors (model/listing.ts). */
  | 'page'
  | 'sitemap'
  | 'sitemap-index'
  | 'unknown'

/** What a publisher asks of those who poll. Recorded by the parser; obeyed or weighed by the scheduler. */
export interface FeedHints {
  /** RSS `ttl`. */
  readonly ttlMs: DurationMs | null
  /** sy:updatePeriod / sy:updateFrequency as one interval. */
  readonly updateIntervalMs: DurationMs | null
  /** sy:updateBase: updates come at this moment and whole intervals from it. */
  readonly updateBaseAt: InstantMs | null
  /** Hours 0 to 23, GMT. */
  readonly skipHours: readonly number[]
  /** 0 = Sunday … 6 = Saturday, GMT. */
  readonly skipDays: readonly number[]
  /** WebSub hubs (`rel=hub`, JSON Feed `hubs`). */
  readonly hubs: readonly string[]
  /** Where a cloud of RSS 2.0 takes registrations by http-post; absent: there is none. */
  readonly cloudUrl?: string
  /** The feed's own address (`rel=self`, `feed_url`). */
  readonly selfUrl: string | null
  /** RFC 5005 and JSON Feed `next_url`: where older items are. */
  readonly nextUrl: string | null
  readonly prevArchiveUrl: string | null
  /** RFC 5005 §2: the document holds the whole feed. */
  readonly complete: boolean
}

/** What a feed document says of itself; nothing is sanitised yet. */
export interface ParsedFeed {
  readonly id: string | null
  readonly title: string | null
  /** The site's page. */
  readonly link: string | null
  readonly description: string | null
  readonly language: string | null
  readonly updated: InstantMs | null
  readonly published: InstantMs | null
  readonly authors: readonly Person[]
  readonly categories: readonly string[]
  readonly image: string | null
  readonly icon: string | null
  readonly copyright: string | null
  readonly generator: string | null
  readonly hints: FeedHints
  /** As for items: values of extensions that we read but do not interpret, by prefixed name. */
  readonly extensions: Readonly<Record<string, string>> | null
}

/** Something that was wrong with a document and was repaired or skipped. */
export interface FeedProblem {
  /** Stable, kebab-case: `undeclared-prefix`, `truncated`, `bad-date` … Listed in docs/errors.md. */
  readonly code: string
  readonly message: string
  /** Byte or character offset where known. */
  readonly offset: number | null
}

/** A document as read: never an exception; what was wrong is in `problems`. */
export interface ParseResult {
  readonly format: FeedFormat
  /** Charset the text was decoded with, lower case. */
  readonly encoding: string
  readonly feed: ParsedFeed
  readonly items: readonly ParsedItem[]
  /** Empty for a well-formed document. */
  readonly problems: readonly FeedProblem[]
}
