import { DAY_MS, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import { teaserOf } from './article-pages.ts'
import type { FeedPlan } from './feed-plan.ts'
import type { DatedItem, FeedDocument } from './formats/document.ts'
import { FORMATS } from './formats/index.ts'
import type { ItemContext, WorldItem } from './items.ts'
import { olderPages, type PageStyle, pageName } from './older-pages.ts'
import { type Publications, publications } from './publication.ts'
import type { VirtualTime } from './virtual-time.ts'
import { type WorldWindow, type WorldWindowEntry, windowItems, worldWindowAt } from './world-window.ts'

/** One feed of a running world: which window it shows now, and that window as bytes. Holds no history. */
export interface LiveFeed {
  readonly index: number
  readonly plan: FeedPlan
  readonly context: ItemContext
  readonly url: string
  readonly source: Publications
  /** Cheap while nothing changes: the window knows until when it holds. */
  window(at: InstantMs): WorldWindow
  /** Names the state of the document; null for feeds that look new at every request. */
  version(at: InstantMs): string | null
  render(at: InstantMs): Buffer
  /** Which older page an address asks for; null: the feed as such. */
  pageOf(query: URLSearchParams): string | null
  olderPage(
    name: string,
    at: InstantMs,
  ): { readonly body: Buffer; readonly entries: readonly WorldWindowEntry[] } | null
}

export interface LiveFeedOptions {
  readonly index: number
  readonly plan: FeedPlan
  readonly seed: number
  readonly siteUrl: string
  readonly url: string
  readonly time: VirtualTime
  /** Items show no more than their beginning. */
  readonly hasTeasers: boolean
  /** Pages of older items that the feed offers beyond the window. */
  readonly pages: number
  readonly pageStyle: PageStyle
}

export function liveFeed(options: LiveFeedOptions): LiveFeed {
  const { index, plan, seed, time } = options
  const context: ItemContext = { seed, feedIndex: index, plan, siteUrl: options.siteUrl }
  let source: Publications | null = null
  let current: { readonly from: InstantMs; readonly window: WorldWindow } | null = null

  const publicationsOf = () => {
    source ??= publications(plan.publication, seed, index)
    return source
  }
  const window = (at: InstantMs): WorldWindow => {
    if (current === null || at < current.from || at >= current.window.validUntil) {
      current = { from: at, window: worldWindowAt(publicationsOf(), at, context) }
    }
    return current.window
  }
  const { pages, pageStyle } = options
  const older = olderPages(publicationsOf, context, pageStyle, pages)
  const document = (
    window: Pick<WorldWindow, 'entries' | 'changedAt'>,
    before: string | null,
    at: InstantMs,
    isOlder: boolean,
  ): Buffer => {
    const url = before === null ? null : `${options.url}?${before}`
    const content: FeedDocument = {
      title: plan.title,
      siteUrl: options.siteUrl,
      feedUrl: options.url,
      nextUrl: pageStyle === 'paged' ? url : null,
      prevArchiveUrl: pageStyle === 'archive' ? url : null,
      isArchive: isOlder && pageStyle === 'archive',
      generator: pages > 0 && pageStyle === 'wordpress' ? 'https://wordpress.org/?v=6.4' : null,
      updatedAt: time.stated(window.changedAt),
      habits: plan.habits,
      items: windowItems(window, context).map((item) =>
        dated(options.hasTeasers ? teaserOf(item) : item, at, plan, time),
      ),
    }
    return Buffer.from(FORMATS[plan.habits.format].render(content))
  }
  return {
    index,
    plan,
    context,
    url: options.url,
    get source() {
      return publicationsOf()
    },
    window,
    version: (at) => (plan.habits.dates === 'now' ? null : `${seed}-${index}-${window(at).changedAt.toString(36)}`),
    render: (at) => document(window(at), older.first(at), at, false),
    pageOf: (query) => (pages > 0 ? pageName(query, pageStyle) : null),
    olderPage(name, at) {
      const page = older.read(name, at)
      if (page === null) return null
      const { entries } = page
      const changedAt = Math.max(0, ...entries.map((entry) => entry.at))
      return { entries, body: document({ entries, changedAt }, page.before, at, true) }
    },
  }
}

function dated(item: WorldItem, now: InstantMs, plan: FeedPlan, time: VirtualTime): DatedItem {
  const statedAt = time.stated(item.publishedAt)
  const statedEditAt = item.editedAt === null ? null : time.stated(item.editedAt)
  switch (plan.habits.dates) {
    case 'credible':
      return { ...item, statedAt, statedEditAt }
    case 'none':
      return { ...item, statedAt: null, statedEditAt: null }
    case 'now':
      return { ...item, statedAt: time.stated(now), statedEditAt: null }
    case 'future':
      return { ...item, statedAt: statedAt + 5 * HOUR_MS, statedEditAt: null }
    case 'midnight':
      return { ...item, statedAt: Math.floor(statedAt / DAY_MS) * DAY_MS, statedEditAt: null }
  }
}
