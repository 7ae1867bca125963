import { DAY_MS, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import type { FeedPlan } from './feed-plan.ts'
import type { DatedItem, FeedDocument } from './formats/document.ts'
import { FORMATS } from './formats/index.ts'
import type { ItemContext, WorldItem } from './items.ts'
import { type Publications, publications } from './publication.ts'
import type { VirtualTime } from './virtual-time.ts'
import { type Window, windowAt, windowItems } from './window.ts'

/** One feed of a running world: which window it shows now, and that window as bytes. Holds no history. */
export interface LiveFeed {
  readonly index: number
  readonly plan: FeedPlan
  readonly context: ItemContext
  readonly url: string
  readonly source: Publications
  /** Cheap while nothing changes: the window knows until when it holds. */
  window(at: InstantMs): Window
  /** Names the state of the document; null for feeds that look new at every request. */
  version(at: InstantMs): string | null
  render(at: InstantMs, page?: number): Buffer
}

export interface LiveFeedOptions {
  readonly index: number
  readonly plan: FeedPlan
  readonly seed: number
  readonly siteUrl: string
  readonly url: string
  readonly time: VirtualTime
  /** Pages of older items (RFC 5005) that the feed offers beyond the window. */
  readonly pages: number
}

export function liveFeed(options: LiveFeedOptions): LiveFeed {
  const { index, plan, seed, time } = options
  const context: ItemContext = { seed, feedIndex: index, plan, siteUrl: options.siteUrl }
  let source: Publications | null = null
  let current: { readonly from: InstantMs; readonly window: Window } | null = null

  const publicationsOf = () => {
    source ??= publications(plan.publication, seed, index)
    return source
  }
  const window = (at: InstantMs): Window => {
    if (current === null || at < current.from || at >= current.window.validUntil) {
      current = { from: at, window: windowAt(publicationsOf(), at, context) }
    }
    return current.window
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
    render(at, page = 0) {
      const shown = page === 0 ? window(at) : windowAt(publicationsOf(), at, context, page)
      const document: FeedDocument = {
        title: plan.title,
        siteUrl: options.siteUrl,
        feedUrl: options.url,
        nextUrl: page < options.pages ? `${options.url}?page=${page + 1}` : null,
        updatedAt: time.stated(shown.changedAt),
        habits: plan.habits,
        items: windowItems(shown, context).map((item) => dated(item, at, plan, time)),
      }
      return Buffer.from(FORMATS[plan.habits.format].render(document))
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
