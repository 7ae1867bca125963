import type { ParsedItem } from '../../model/index.ts'
import { words } from './fold.ts'
import { stripMarkup } from './markup.ts'
import { searchableTexts } from './match.ts'

/**
 * Words of which an item must hold some, in lower case ASCII, in any text that can be searched. Words that begin so count
 * as well: a summary that is the beginning of the content is not in the index (excerpt.ts), and its last word may be cut.
 */
export type WordsNeeded =
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'and' | 'or'; readonly of: readonly WordsNeeded[] }

export function mayHold(needed: WordsNeeded, item: ParsedItem): boolean {
  const found = searchableTexts(item).flatMap((text) => words(stripMarkup(text)))
  const holds = (one: WordsNeeded): boolean => {
    if (one.kind === 'word') return found.some((word) => word.startsWith(one.word))
    return one.kind === 'and' ? one.of.every(holds) : one.of.some(holds)
  }
  return holds(needed)
}
