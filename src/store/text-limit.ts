import type { Item, ItemParts } from '../model/index.ts'
import { spareHeapBytes } from '../runtime/heap.ts'

/**
 * Characters of text that one reading of many items brings into memory, beside those of its last item. One item may have eight
 * million, and five hundred of those are more than any heap holds; usual ones have some thousand each. Rendering takes
 * five times as much (raw, made safe, as XML, as bytes), of two bytes each: this is a sixth of what a small heap can spare.
 */
export const MOST_TEXT_CHARS = Math.min(8 * 1024 * 1024, Math.floor(spareHeapBytes() / 64))

/** `rest`: all other values of an item as they are stored, where it is read from a table. */
type Texts = Pick<Item, 'summary' | 'content'> & {
  readonly title?: string | null
  readonly rest?: string | null
  readonly article?: string | null
}

export class TextLimit {
  #chars = 0

  get isFull(): boolean {
    return this.#chars > MOST_TEXT_CHARS
  }

  take({ summary, content, title, rest, article }: Texts): void {
    for (const text of [summary, content, title, rest, article]) this.#chars += text?.length ?? 0
  }
}

/** The first of them for which there is room, one at least: the caller continues from there. */
export function firstWithinLimit<T>(all: Iterable<T>, textsOf: (one: T) => Texts): T[] {
  const limit = new TextLimit()
  const first: T[] = []
  for (const one of all) {
    first.push(one)
    limit.take(textsOf(one))
    if (limit.isFull) break
  }
  return first
}

export function withParts(item: Item, parts: ItemParts): Item {
  if (parts === 'all') return item
  const { article: _, ...labels } = item
  return { ...labels, summary: null, content: null }
}

/** All of them; where there is no more room, without their texts. */
export function labelsBeyondLimit(items: readonly Item[]): Item[] {
  const limit = new TextLimit()
  return items.map((item) => {
    if (limit.isFull) return withParts(item, 'labels')
    limit.take(item)
    return item
  })
}
