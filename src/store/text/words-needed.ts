import { words } from './fold.ts'
import { stripMarkup } from './markup.ts'
import { type SearchableItem, searchableTexts } from './match.ts'

/**
 * Words of which an item must hold some, in lower case ASCII, in any text that can be searched. Words that begin so count
 * as well: a summary that is the beginning of the content is not in the index (excerpt.ts), and its last word may be cut.
 * A phrase is in one text, and only its last word may be cut.
 */
export type WordNeeds =
  | { readonly kind: 'word'; readonly word: string }
  | PhraseNeed
  | { readonly kind: 'and' | 'or'; readonly of: readonly WordNeeds[] }

export interface PhraseNeed {
  readonly kind: 'phrase'
  readonly words: readonly string[]
}

export function mayHold(needed: WordNeeds, item: SearchableItem): boolean {
  const texts = searchableTexts(item).map((text) => words(stripMarkup(text)))
  const holds = (one: WordNeeds): boolean => {
    if (one.kind === 'word') return texts.flat().some((word) => word.startsWith(one.word))
    if (one.kind === 'phrase') return texts.some((text) => mayHoldPhrase(text, one.words))
    return one.kind === 'and' ? one.of.every(holds) : one.of.some(holds)
  }
  return holds(needed)
}

function mayHoldPhrase(text: readonly string[], phrase: readonly string[]): boolean {
  const last = phrase.length - 1
  return text.some((_, at) =>
    phrase.every((word, i) => (i === last ? (text[at + i] ?? '').startsWith(word) : text[at + i] === word)),
  )
}

/** Phrases that every item must hold. */
export function phrasesOfAll(needed: WordNeeds): readonly PhraseNeed[] {
  if (needed.kind === 'phrase') return [needed]
  return needed.kind === 'and' ? needed.of.flatMap(phrasesOfAll) : []
}

/** How much of the end of a summary is read for its last word. */
export const TAIL_CHARACTERS = 80
/** Fewer words may be what is left of an attribute or an entity that begins before. */
const SURE_WORDS = 3

/**
 * Whether a summary may end in this word, by its last characters; false is sure. A phrase that is in a summary and not in
 * the content that it is the beginning of is at its end: all but the last word of such a summary are in the content.
 */
export function mayEndIn(tail: string, word: string): boolean {
  const close = tail.indexOf('>')
  const open = tail.indexOf('<')
  // It begins within a tag, whose attributes would count as words.
  if (close !== -1 && (open === -1 || close < open)) return true
  const found = words(stripMarkup(tail))
  return found.length < SURE_WORDS || found.at(-1) === word
}
