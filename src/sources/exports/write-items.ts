import type { Item, Mark } from '../../model/index.ts'

/** Who publishes an item, as an export names it. */
export interface ExportedOrigin {
  readonly url: string
  readonly title: string
  readonly siteUrl: string | null
}

/**
 * An item in the form of Google Reader's streams with the guid and the address of the feed, as FreshRSS writes it and
 * `readExport` takes it back. Times are in seconds there.
 */
export function writeGreaderItem(item: Item, mark: Mark, { url, title, siteUrl }: ExportedOrigin): string {
  const link = item.link === null ? [] : [{ href: item.link }]
  const states = [...(mark.isRead ? ['read'] : []), ...(mark.isStarred ? ['starred'] : [])]
  return JSON.stringify({
    id: `tag:google.com,2005:reader/item/${item.seq.toString(16).padStart(16, '0')}`,
    ...(item.id === null ? {} : { guid: item.id }),
    title: item.title ?? '',
    ...(item.published === null ? {} : { published: item.published / 1000 }),
    crawlTimeMsec: String(item.firstSeenAt),
    canonical: link,
    alternate: link,
    ...(item.authors[0]?.name == null ? {} : { author: item.authors[0].name }),
    ...(item.summary === null ? {} : { summary: { content: item.summary } }),
    ...(item.content === null ? {} : { content: { content: item.content } }),
    categories: ['reading-list', ...states].map((name) => `user/-/state/com.google/${name}`),
    origin: { streamId: `feed/${url}`, feedUrl: url, title, ...(siteUrl === null ? {} : { htmlUrl: siteUrl }) },
  })
}
