import type { WorldFormat } from '../feed-plan.ts'
import { atom } from './atom.ts'
import type { FeedDocument } from './document.ts'
import { jsonFeed } from './json-feed.ts'
import { rss1, rss2, rss091 } from './rss.ts'

export const FORMATS: Readonly<
  Record<WorldFormat, { readonly contentType: string; readonly render: (document: FeedDocument) => string }>
> = {
  'rss-2.0': { contentType: 'application/rss+xml; charset=utf-8', render: rss2 },
  'rss-1.0': { contentType: 'application/rdf+xml', render: rss1 },
  'rss-0.91': { contentType: 'text/xml', render: rss091 },
  'atom-1.0': { contentType: 'application/atom+xml; charset=utf-8', render: atom },
  'json-1.1': { contentType: 'application/feed+json', render: jsonFeed },
}
