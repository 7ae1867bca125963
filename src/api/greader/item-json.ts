import { titleOrExcerpt } from '../../publisher/present.ts'
import type { Following } from '../readers/following.ts'
import { follows } from '../readers/following.ts'
import type { ShownItem } from '../readers/shown-items.ts'
import { longId } from './item-ids.ts'
import { feedLabel, labelStream, queryStream, STATE_PREFIX, sourceStream } from './streams.ts'

/** What decides how an item is shown beside the item itself. */
export interface ItemSetting {
  readonly following: Following | null
  readonly folders: ReadonlySet<string>
}

/** As `stream/contents` and `stream/items/contents` give an item. */
export function itemJson(one: ShownItem, setting: ItemSetting): object {
  const { item, shown } = one
  const links = shown.link === null ? [] : [{ href: shown.link }]
  return {
    id: longId(item.seq),
    crawlTimeMsec: String(item.firstSeenAt),
    timestampUsec: String(item.firstSeenAt * 1_000),
    published: Math.floor(shown.publishedAt / 1_000),
    updated: Math.floor(shown.updatedAt / 1_000),
    title: titleOrExcerpt(shown),
    // Both are there, be they empty: clients take the first without looking.
    canonical: links,
    alternate: links.map(({ href }) => ({ href, type: 'text/html' })),
    categories: itemCategories(one, setting),
    origin: originOf(one, setting),
    summary: { direction: 'ltr', content: shown.contentHtml ?? shown.summaryHtml ?? '' },
    author: shown.authors.map(({ name }) => name).join(', '),
    ...(shown.enclosures.length === 0
      ? {}
      : {
          enclosure: shown.enclosures.map(({ url, type, lengthBytes }) => ({ href: url, type, length: lengthBytes })),
        }),
  }
}

export function itemCategories({ mark, categories, feeds }: ShownItem, { folders }: ItemSetting): string[] {
  return [
    `${STATE_PREFIX}reading-list`,
    ...(mark.isRead ? [`${STATE_PREFIX}read`] : []),
    ...(mark.isStarred ? [`${STATE_PREFIX}starred`] : []),
    ...categories.map(labelStream),
    ...feeds.map((feed) => labelStream(feedLabel(feed, folders))),
  ]
}

/** Fluent Reader drops items of what it does not list: an item that comes by a query feed alone is of that feed. */
function originOf({ source, categories, feeds }: ShownItem, { following }: ItemSetting): object {
  const feed = follows(following, source.id, categories) ? undefined : feeds.find(({ isFollowed }) => isFollowed)
  return {
    streamId: feed === undefined ? sourceStream(source.id) : queryStream(feed),
    title: feed === undefined ? source.title : feed.title,
    htmlUrl: source.siteUrl ?? '',
  }
}
