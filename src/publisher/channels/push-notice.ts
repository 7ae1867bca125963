import { plainText } from '../plain-text.ts'
import { truncateText } from '../xml-text.ts'
import type { Outgoing } from './channel.ts'

/** What the service worker shows (`web/public/service-worker.js`). */
export interface PushNotice {
  readonly title: string
  readonly body: string
  /** One that is sent again replaces the first. */
  readonly tag: string
  /** Opened with a click, below the address of the dashboard. */
  readonly path: string
}

// With four bytes a character and names of feeds (at most 200) this stays below what a message may have.
const TITLE_CHARS = 200
const BODY_CHARS = 300

export function noticeOf({ feed, items }: Pick<Outgoing, 'feed' | 'items'>): PushNotice {
  const [first] = items
  const path = `/read?feed=${encodeURIComponent(feed.name)}`
  const tag = first.publicationId
  const feedTitle = truncateText(feed.title, TITLE_CHARS)
  if (items.length > 1) {
    const titles = items.map(({ item }) => item.title || item.source.title).join(' · ')
    return { title: `${feedTitle}: ${items.length} new items`, body: truncateText(titles, BODY_CHARS), tag, path }
  }
  const { item, itemSeq } = first
  const text = plainText(item.summaryHtml ?? item.contentHtml ?? '', BODY_CHARS)
  const title = truncateText(item.title || text || feedTitle, TITLE_CHARS)
  return {
    title,
    body: truncateText([feedTitle, text].filter(Boolean).join(': '), BODY_CHARS),
    tag,
    path: `${path}&item=${itemSeq}`,
  }
}
