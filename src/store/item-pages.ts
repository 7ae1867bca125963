import type { DuePage, InstantMs, ItemPage, ItemSeq, PageSums, Shard, SourceId } from '../model/index.ts'
import type { SourcePart } from './shards.ts'

export interface DuePageQuery {
  readonly limit: number
  /** Of `SHARDS` shards; absent: all. */
  readonly part?: SourcePart | undefined
  /** Shards whose sites are being visited. */
  readonly without?: ReadonlySet<Shard>
}

/** What one request for a page has brought. */
export interface PageRecord
  extends Pick<ItemPage, 'seq' | 'attempts' | 'dueAt' | 'status' | 'finalUrl' | 'failure' | 'facts'> {
  readonly fetchedAt: InstantMs
  /** As it came, compressed by gzip; null: it is not stored. */
  readonly body: Uint8Array | null
  /** HTML of the article, which the item carries from now on; null: what its feed says is all that it has. */
  readonly article: string | null
}

/** Pages that items link to. They are queued by `recordRefresh`, and go with their items. */
export interface ItemPageStore {
  /** Those that are due, the longest due first. */
  duePages(now: InstantMs, query: DuePageQuery): Promise<readonly DuePage[]>
  /**
   * The page, the article that the item carries, and the buffer entry of that edit in one transaction. False, and nothing is
   * written, if the page is settled or its item is gone.
   */
  recordPage(record: PageRecord): Promise<boolean>
  /** null: the item has none. */
  itemPage(seq: ItemSeq): Promise<ItemPage | null>
  /** As it came, compressed by gzip; null: it is not stored. */
  pageBody(seq: ItemSeq): Promise<Uint8Array | null>
  pageSums(sourceId: SourceId): Promise<PageSums>
}
