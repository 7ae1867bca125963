import type { ItemSeq } from '../../../model/index.ts'
import { createIndexTexts, type MemorySpan } from '../../text/index-text.ts'
import { type SearchableItem, searchableTexts } from '../../text/match.ts'
import type { FreshTexts } from '../text-index/text-index.ts'

/** Beyond this much text the rest is read back from the database when its turn comes. */
const MOST_BYTES = 1 << 24

/** What was just written, held as bytes for the index: the strings of the documents can go. */
export function createFreshTexts(): FreshTexts & { set(seq: ItemSeq, item: SearchableItem): void; clear(): void } {
  const texts = createIndexTexts()
  const spans = new Map<ItemSeq, MemorySpan>()
  let bytes = 0
  return {
    get(seq) {
      const span = spans.get(seq)
      return span && texts.bytes(span)
    },
    set(seq, item) {
      spans.delete(seq)
      if (bytes > MOST_BYTES) return
      const span = texts.add(searchableTexts(item))
      spans.set(seq, span)
      bytes = span.end
    },
    clear() {
      spans.clear()
      texts.clear()
      bytes = 0
    },
  }
}
