import type { Item, ItemSeq, Mark } from '../../model/index.ts'
import type { FeedService } from '../../publisher/feeds.ts'
import type { PresentedItem } from '../../publisher/present.ts'
import { createPresentCache } from '../../publisher/present-cache.ts'
import type { SourceLabel } from '../../publisher/published-feed.ts'
import { sourceLabel } from '../../publisher/source-labels.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'
import type { Store } from '../../store/store.ts'
import type { Library, ReaderFeed } from './library.ts'

/** An item as apps get it. */
export interface ShownItem {
  readonly item: Item
  readonly shown: PresentedItem
  readonly mark: Mark
  /** The source that it was fetched from, as its user calls it. */
  readonly source: Pick<SourceLabel, 'id' | 'title' | 'url' | 'siteUrl'>
  readonly categories: readonly string[]
  /** Query feeds that have it and that its reader may see. */
  readonly feeds: readonly ReaderFeed[]
}

const CACHE_BYTES = 16 * 1024 ** 2
const UNREAD: Mark = { isRead: false, isStarred: false }

export type ShowItems = (seqs: readonly ItemSeq[], library: Library) => Promise<readonly ShownItem[]>

/** Reads and presents items, in the order of their numbers as given, without those that are gone or that may not be seen. */
export function createItemReader(store: Store, feeds: Pick<FeedService, 'imageAddress'>): ShowItems {
  const present = createPresentCache({
    maxBytes: CACHE_BYTES,
    keepsWritten: false,
    imageAddress: feeds.imageAddress,
  })
  return async (seqs, library) => {
    const items = await store.itemsBySeq(seqs)
    const byId = new Map(items.map((item) => [item.seq, item]))
    const sourceIds = new Set(items.map(({ sourceId }) => sourceId))
    const seen = await library.seen(sourceIds)
    const sources = await store.sourcesById([...seen])
    const labels = new Map([...sources].map(([id, source]) => [id, sourceLabel(source)]))
    const marks = await store.marks(library.reader.user.id, seqs)
    const standsIn = await store.publishedIn(seqs)
    const feedsById = new Map((await library.feeds()).map((one) => [one.feed.id, one]))
    const shown: ShownItem[] = []
    for (const seq of seqs) {
      const item = byId.get(seq)
      const source = item && sources.get(item.sourceId)
      const label = item && labels.get(item.sourceId)
      if (item === undefined || source === undefined || label === undefined) continue
      shown.push({
        item,
        shown: present({ item, source: label, isWhole: true }),
        mark: marks.get(seq) ?? UNREAD,
        source: label,
        categories: source.categories,
        feeds: (standsIn.get(seq) ?? []).flatMap((id) => feedsById.get(id) ?? []),
      })
      const later = giveWay()
      if (later !== undefined) await later
    }
    return shown
  }
}
