import { BLANK_ITEM } from '../../model/index.ts'
import { joinCategory } from '../category-path.ts'
import { type ExportedItem, objectOf, wordsOf } from './exported-item.ts'

/** What Miniflux answers at `/v1/entries`, saved to a file. It gives no guid. null: it names no feed, or was removed. */
export function readMinifluxEntry(value: unknown): ExportedItem | null {
  const entry = objectOf(value)
  const feed = objectOf(entry['feed'])
  const feedUrl = wordsOf(feed['feed_url'])
  if (feedUrl === null || entry['status'] === 'removed') return null
  const folder = wordsOf(objectOf(feed['category'])['title'])
  const author = wordsOf(entry['author'])
  const published = Date.parse(wordsOf(entry['published_at']) ?? '')
  return {
    feedUrl,
    feedTitle: wordsOf(feed['title']),
    siteUrl: wordsOf(feed['site_url']),
    folders: folder === null ? [] : [joinCategory([folder])],
    item: {
      ...BLANK_ITEM,
      title: wordsOf(entry['title']),
      link: wordsOf(entry['url']),
      published: Number.isNaN(published) ? null : published,
      authors: author === null ? [] : [{ name: author, email: null, url: null }],
      content: wordsOf(entry['content']),
    },
    isRead: entry['status'] === 'read',
    isStarred: entry['starred'] === true,
  }
}
