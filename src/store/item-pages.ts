import type {
  DuePage,
  InstantMs,
  Item,
  ItemPage,
  ItemSeq,
  PageSums,
  PageValidators,
  Shard,
  SourceId,
} from '../model/index.ts'
import type { SourcePart } from './shards.ts'

export interface DuePageQuery {
  readonly limit: number
  /** Of `SHARDS` shards; absent: all. */
  readonly part?: SourcePart | undefined
  /** Shards whose sites are being visited. */
  readonly without?: ReadonlySet<Shard>
}

/** What one request for a page has brought. */
export interface PageRecord extends Pick<ItemPage, 'seq' | 'attempts' | 'dueAt' | 'status' | 'failure'> {
  readonly fetchedAt: InstantMs
  /** null: nothing, and what was found before stays. */
  readonly found: FoundPage | null
}

export interface FoundPage extends Pick<ItemPage, 'finalUrl' | 'contentType' | 'facts'>, PageValidators {
  /** As it came, compressed by gzip; null: it is not stored. */
  readonly body: Uint8Array | null
  /** HTML of the article, which the item carries from now on; null: what the item has is all there is. */
  readonly article: string | null
}

/** An item that waits for its page, until then at most. */
export interface PageHold {
  readonly seq: ItemSeq
  readonly until: InstantMs
}

export interface StoredPageQuery {
  /** Absent: of all. */
  readonly sourceId?: SourceId
  /** Items above this one. */
  readonly after: ItemSeq
  readonly limit: number
}

/** Pages that items link to. They are queued by `recordRefresh` or `queuePages`, and go with their items. */
export interface ItemPageStore {
  /** Of items that link to one and have none yet. */
  queuePages(items: readonly Pick<Item, 'seq' | 'sourceId' | 'link'>[], dueAt: InstantMs): Promise<void>
  /** Those that are due, the longest due first. */
  duePages(now: InstantMs, query: DuePageQuery): Promise<readonly DuePage[]>
  /**
   * The page, the article that the item carries, and the buffer entry of that edit in one transaction. There is such an entry
   * if the article is another than before, and after the first request for a page that an item is held back for. False, and
   * nothing is written, if the page is settled or its item is gone.
   */
  recordPage(record: PageRecord): Promise<boolean>
  /**
   * Whose pages have not been asked for yet: these items come again as buffer entries when their page was, or at the given
   * moment. All others are not to be waited for.
   */
  holdForPages(holds: readonly PageHold[]): Promise<ReadonlySet<ItemSeq>>
  /** Hands out again the items that were held back until now; how many. */
  endHolds(now: InstantMs): Promise<number>
  /** Settled pages are to be fetched again; how many of these there are. */
  askAgain(seqs: readonly ItemSeq[], dueAt: InstantMs): Promise<number>
  /** null: the item has none. */
  itemPage(seq: ItemSeq): Promise<ItemPage | null>
  /** As it came, compressed by gzip; null: it is not stored. */
  pageBody(seq: ItemSeq): Promise<Uint8Array | null>
  /** Pages of which the body is stored, in the order of their items. */
  storedPages(query: StoredPageQuery): Promise<readonly ItemPage[]>
  pageSums(sourceId: SourceId): Promise<PageSums>
}
