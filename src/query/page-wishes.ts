import type { InstantMs, Item, ItemSeq, QueryFeedId } from '../model/index.ts'
import type { PageHold } from '../store/item-pages.ts'
import type { NewPublication } from '../store/query-feeds.ts'
import type { Store } from '../store/store.ts'
import type { Fulltext } from './language/ast.ts'

export type PageWishStore = Pick<Store, 'queuePages' | 'holdForPages' | 'endHolds'>

/** Arrived, with the fields that a page is asked for by. */
type Arrived = Pick<Item, 'seq' | 'sourceId' | 'link' | 'firstSeenAt'>

/**
 * What feeds wish for the pages of their items (`FULLTEXT FETCH WAIT …`): pages are queued before the item is published, and
 * an item whose page nobody has asked for yet waits for it. It is handed out again when the page was asked for, whatever came
 * of that, or when the time is over; then it is evaluated anew. Both are repeated without harm after a kill.
 */
export class PageWishes {
  private readonly store: PageWishStore
  private readonly fulltextOf: (id: QueryFeedId) => Fulltext | undefined

  constructor(store: PageWishStore, fulltextOf: (id: QueryFeedId) => Fulltext | undefined) {
    this.store = store
    this.fulltextOf = fulltextOf
  }

  /** Those that are published now. */
  async admit(
    publications: readonly NewPublication[],
    items: ReadonlyMap<ItemSeq, Arrived>,
    now: InstantMs,
  ): Promise<readonly NewPublication[]> {
    const wishing = publications.filter(({ feedId }) => this.fulltextOf(feedId) !== undefined)
    if (wishing.length === 0) return publications
    const wanted = wishing.filter(({ feedId }) => this.fulltextOf(feedId)?.fetchesPages === true)
    if (wanted.length > 0) await this.store.queuePages(itemsOf(wanted, items), now)
    const waits = wishing.flatMap((publication) => this.waitOf(publication, items, now) ?? [])
    if (waits.length === 0) return publications
    const waiting = await this.store.holdForPages(soonestOf(waits.map(({ hold }) => hold)))
    const postponed = new Set(waits.filter(({ hold }) => waiting.has(hold.seq)).map(({ publication }) => publication))
    return publications.filter((publication) => !postponed.has(publication))
  }

  private waitOf(publication: NewPublication, items: ReadonlyMap<ItemSeq, Arrived>, now: InstantMs) {
    const waitMs = this.fulltextOf(publication.feedId)?.waitMs ?? null
    const item = items.get(publication.itemSeq)
    if (waitMs === null || item === undefined) return null
    const until = item.firstSeenAt + waitMs
    return until <= now ? null : { publication, hold: { seq: item.seq, until } }
  }
}

function itemsOf(publications: readonly NewPublication[], items: ReadonlyMap<ItemSeq, Arrived>): readonly Arrived[] {
  const seqs = new Set(publications.map(({ itemSeq }) => itemSeq))
  return [...seqs].flatMap((seq) => items.get(seq) ?? [])
}

/** Of feeds that wait for different times the most impatient is served first; the others then wait on. */
function soonestOf(holds: readonly PageHold[]): readonly PageHold[] {
  const bySeq = new Map<ItemSeq, PageHold>()
  for (const hold of holds) {
    const known = bySeq.get(hold.seq)
    if (known === undefined || hold.until < known.until) bySeq.set(hold.seq, hold)
  }
  return [...bySeq.values()]
}
