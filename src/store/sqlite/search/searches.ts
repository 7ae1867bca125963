import type { ItemSeq } from '../../../model/index.ts'
import { createThreadPool, type ThreadPool } from '../../../runtime/threads.ts'
import type { ItemQuery } from '../../store.ts'
import type { PhraseBlock } from '../text-index/phrase-blocks.ts'

export type Searches = ThreadPool<ItemQuery, readonly ItemSeq[]>

/** Nobody waits longer for a page of a list. */
const DEADLINE_MS = 10_000
const MOST_WAITING = 40

/** Searches beside the event loop; `here` for a program that runs from its sources. */
export function createSearches(
  path: string,
  here: (query: ItemQuery) => readonly ItemSeq[],
  onBlock: (block: PhraseBlock) => void,
): Searches {
  return createThreadPool<ItemQuery, readonly ItemSeq[]>({
    name: 'searches',
    module: new URL(import.meta.url.endsWith('.js') ? './search-thread.js' : './search-thread.ts', import.meta.url),
    data: path,
    mostWaiting: MOST_WAITING,
    deadlineMs: DEADLINE_MS,
    onNotice: (block) => onBlock(block as PhraseBlock),
    here: async (query) => here(query),
  })
}
