import type { FeedFormatName, PublishedFeed } from '../published-feed.ts'

const TYPE = { rss: 'application/rss+xml', atom: 'application/atom+xml' } as const

/**
 * Where the other documents of a feed are, for those who want pages (RFC 5005 §3) and those who want all of it without
 * gaps (§4). Both lead through the same documents.
 */
export function documentLinks({ url, links }: PublishedFeed, format: Exclude<FeedFormatName, 'json'>) {
  if (links === undefined) return []
  const { isArchive, older, newer, oldest } = links
  const relations: readonly (readonly [string, string | null])[] = [
    ['first', older === null && newer === null ? null : ''],
    ['last', oldest],
    ['next', older],
    ['previous', newer],
    ['prev-archive', older],
    ['next-archive', isArchive ? newer : null],
    ['current', isArchive ? '' : null],
  ]
  return relations.flatMap(([rel, rest]) =>
    rest === null ? [] : [{ href: `${url}.${format}${rest}`, rel, type: TYPE[format] }],
  )
}

/** fh:archive, for which the generators have no field. §4: an empty element of the feed or channel. */
export function markArchive(xml: string): string {
  return xml.replace(
    /<(?:feed|channel)(?=[\s>])[^>]*>/,
    '$&\n  <fh:archive xmlns:fh="http://purl.org/syndication/history/1.0"/>',
  )
}
