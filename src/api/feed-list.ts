import { generateOpml } from 'feedsmith'
import type { QueryFeed, Source } from '../model/index.ts'
import { type FeedAddress, feedPath } from '../publisher/addresses.ts'
import { FEED_FORMATS, type FeedFormatName } from '../publisher/published-feed.ts'
import { sourceTitle } from '../publisher/source-labels.ts'
import { oneLine } from '../publisher/xml-text.ts'

/** One line of the list of published feeds, as /feeds.json shows it. */
export interface ListedFeed {
  readonly kind: FeedAddress['kind']
  readonly title: string
  readonly category?: string
  readonly sourceId?: number
  /** Of a query feed. */
  readonly name?: string
  /** Absolute, by format. */
  readonly urls: Readonly<Record<FeedFormatName, string>>
}

export function listFeeds(
  baseUrl: string,
  categories: readonly { readonly category: string }[],
  sources: readonly Source[],
  queryFeeds: readonly QueryFeed[],
): readonly ListedFeed[] {
  return [
    { kind: 'all', title: 'Everything', urls: feedUrls(baseUrl, { kind: 'all' }) },
    ...queryFeeds.map(({ name, title }) => ({
      kind: 'query' as const,
      title: title ?? name,
      name,
      urls: feedUrls(baseUrl, { kind: 'query', name }),
    })),
    ...categories.map(({ category }) => ({
      kind: 'category' as const,
      title: category,
      category,
      urls: feedUrls(baseUrl, { kind: 'category', category }),
    })),
    ...sources.map((source) => ({
      kind: 'source' as const,
      title: sourceTitle(source),
      sourceId: source.id,
      urls: feedUrls(baseUrl, { kind: 'source', sourceId: source.id }),
    })),
  ]
}

export function feedUrls(baseUrl: string, address: FeedAddress): Record<FeedFormatName, string> {
  const url = `${baseUrl}${feedPath(address)}`
  return Object.fromEntries(FEED_FORMATS.map((format) => [format, `${url}.${format}`])) as Record<
    FeedFormatName,
    string
  >
}

/** Everything and the categories at the top, the sources in a folder. */
export function feedsAsOpml(feeds: readonly ListedFeed[]): string {
  const outline = ({ title, urls }: ListedFeed) => {
    const text = oneLine(title, 500)
    return { text, title: text, type: 'rss', xmlUrl: urls.atom }
  }
  const sources = feeds.filter((feed) => feed.kind === 'source').map(outline)
  return generateOpml({
    head: { title: 'Feeds published by Headwater' },
    body: {
      outlines: [
        ...feeds.filter((feed) => feed.kind !== 'source').map(outline),
        ...(sources.length > 0 ? [{ text: 'Sources', outlines: sources }] : []),
      ],
    },
  })
}
