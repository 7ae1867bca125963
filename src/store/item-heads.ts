import type { Item, Source } from '../model/index.ts'
import type { ItemMedia } from './item-media.ts'

/** Where an item is in the archive. */
export type ItemPosition = Pick<Item, 'seq' | 'sourceId' | 'sortAt'>

/** What a list shows of an item: whole rows take four times as long to read, and nobody looks at most of them. */
export interface ItemHead
  extends ItemPosition,
    ItemMedia,
    Pick<Item, 'firstSeenAt' | 'changedAt' | 'published' | 'title' | 'link' | 'authors'> {
  /** Of the summary, else of the content, at least the first `HEAD_CHARACTERS`; empty: there is neither. */
  readonly text: string
  /** The text may go on. */
  readonly isCut: boolean
  readonly source: Pick<Source, 'url' | 'name'> & { readonly title: string | null }
}

export const HEAD_CHARACTERS = 1_500
