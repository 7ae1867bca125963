import type { QueryFeed } from '../model/index.ts'
import { type FeedAddress, feedPath } from '../publisher/addresses.ts'
import { FEED_FORMATS, type FeedFormatName } from '../publisher/published-feed.ts'
import { sourceTitle } from '../publisher/source-labels.ts'
import { oneLine } from '../publisher/xml-text.ts'
import type { Outline } from '../sources/opml.ts'
import type { ListedSource } from '../store/source-summaries.ts'

/** One line of the list of published feeds, as /feeds.json shows it. */
export type ListedFeed = FeedAddress & {
  readonly title: string
  /** Absolute, by format. */
  readonly urls: Readonly<Record<FeedFormatName, string>>
}

/** One by one: the addresses of fifty thousand sources take a tenth of a second. */
export function* listFeeds(
  baseUrl: string,
  categories: readonly { readonly category: string }[],
  sources: readonly ListedSource[],
  queryFeeds: readonly QueryFeed[],
): Generator<ListedFeed> {
  yield { kind: 'all', title: 'Everything', urls: urlsOfFeed(baseUrl, { kind: 'all' }) }
  for (const { name, title } of queryFeeds) {
    yield { kind: 'query', title: title ?? name, name, urls: urlsOfFeed(baseUrl, { kind: 'query', name }) }
  }
  for (const { category } of categories) {
    yield { kind: 'category', title: category, category, urls: urlsOfFeed(baseUrl, { kind: 'category', category }) }
  }
  for (const source of sources) {
    const { id: sourceId } = source
    yield {
      kind: 'source',
      title: sourceTitle(source),
      sourceId,
      urls: urlsOfFeed(baseUrl, { kind: 'source', sourceId }),
    }
  }
}

export function urlsOfFeed(baseUrl: string, address: FeedAddress): Record<FeedFormatName, string> {
  const url = `${baseUrl}${feedPath(address)}`
  return Object.fromEntries(FEED_FORMATS.map((format) => [format, `${url}.${format}`])) as Record<
    FeedFormatName,
    string
  >
}

/** Everything and the categories at the top, the sources in a folder. */
export function feedOutlines(feeds: readonly ListedFeed[]): readonly Outline[] {
  const outline = ({ title, urls }: ListedFeed): Outline => ({ text: oneLine(title, 500), xmlUrl: urls.atom })
  const sources = feeds.filter((feed) => feed.kind === 'source').map(outline)
  return [
    ...feeds.filter((feed) => feed.kind !== 'source').map(outline),
    ...(sources.length > 0 ? [{ text: 'Sources', outlines: sources }] : []),
  ]
}
