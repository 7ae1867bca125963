import type { InstantMs } from '../../model/index.ts'
import { titleOrExcerpt } from '../../publisher/present.ts'
import type { ReaderFeed, ReaderSource } from '../readers/library.ts'
import { feedNumber } from '../readers/numbers.ts'
import type { ShownItem } from '../readers/shown-items.ts'

/** A folder as Miniflux has it: every feed is in one. */
export interface MinifluxCategory {
  readonly id: number
  readonly title: string
  readonly user_id: number
  readonly hide_globally: boolean
}

/** What the source of a feed is doing. */
interface FeedHealth {
  readonly lastCheckAt: InstantMs | null
  readonly errorCode: string | null
  readonly isPaused: boolean
}

const NEVER = '0001-01-01T00:00:00Z'

/** Fields that clients demand to be there, though nothing here is like them. */
const UNUSED = {
  ...{ scraper_rules: '', rewrite_rules: '', blocklist_rules: '', keeplist_rules: '', user_agent: '', cookie: '' },
  ...{ username: '', password: '', ignore_http_cache: false, fetch_via_proxy: false, crawler: false },
  ...{ etag_header: '', last_modified_header: '', hide_globally: false, no_media_player: false },
}

export function feedJson(
  source: ReaderSource,
  category: MinifluxCategory,
  { lastCheckAt, errorCode, isPaused }: FeedHealth,
  userId: number,
  hasIcon: boolean,
): object {
  return {
    id: source.id,
    user_id: userId,
    feed_url: source.url,
    site_url: source.siteUrl ?? source.url,
    title: source.title,
    checked_at: lastCheckAt === null ? NEVER : rfc3339(lastCheckAt),
    parsing_error_message: errorCode ?? '',
    parsing_error_count: errorCode === null ? 0 : 1,
    disabled: isPaused,
    ...UNUSED,
    category,
    icon: hasIcon ? { feed_id: source.id, icon_id: source.id } : null,
  }
}

export function queryFeedJson(one: ReaderFeed, category: MinifluxCategory, baseUrl: string, userId: number): object {
  const name = encodeURIComponent(one.feed.name)
  return {
    id: feedNumber(one.feed.id),
    user_id: userId,
    feed_url: `${baseUrl}/feeds/${name}.atom`,
    site_url: `${baseUrl}/queries/${name}`,
    title: one.title,
    checked_at: NEVER,
    ...{ parsing_error_message: '', parsing_error_count: 0, disabled: false },
    ...UNUSED,
    category,
    icon: null,
  }
}

export function entryJson(
  { item, shown, mark }: ShownItem,
  feed: { readonly id: number } & object,
  userId: number,
): object {
  return {
    id: item.seq,
    user_id: userId,
    feed_id: feed.id,
    status: mark.isRead ? 'read' : 'unread',
    hash: `${item.sourceId}-${item.key}`,
    title: titleOrExcerpt(shown),
    url: shown.link ?? '',
    comments_url: shown.commentsUrl ?? '',
    published_at: rfc3339(shown.publishedAt),
    created_at: rfc3339(item.firstSeenAt),
    changed_at: rfc3339(item.changedAt),
    content: shown.contentHtml ?? shown.summaryHtml ?? '',
    author: shown.authors.map(({ name }) => name).join(', '),
    share_code: '',
    starred: mark.isStarred,
    reading_time: 0,
    enclosures: shown.enclosures.map(({ url, type, lengthBytes }, index) => ({
      id: index + 1,
      user_id: userId,
      entry_id: item.seq,
      url,
      mime_type: type,
      size: lengthBytes ?? 0,
      media_progression: 0,
    })),
    tags: [...shown.categories],
    feed,
  }
}

function rfc3339(at: InstantMs): string {
  return new Date(at).toISOString()
}
