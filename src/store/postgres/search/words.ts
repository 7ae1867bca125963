import { words } from '../../text/fold.ts'
import { stripMarkup } from '../../text/markup.ts'
import { type SearchableItem, searchableTexts } from '../../text/match.ts'
import type { Term, TextQuery } from '../../text/query.ts'
import type { WordNeeds } from '../../text/words-needed.ts'

/** PostgreSQL takes words of 2,046 bytes at most; what is longer is known by its beginning. */
const LONGEST_WORD = 500
/** And a megabyte of them for one item. */
const MOST_BYTES = 900_000
/** What it stores beside each word. */
const BYTES_BESIDE = 8

/** Each word once, with spaces between them; null: more than can be indexed. */
export function indexedWords(item: SearchableItem): string | null {
  const all = new Set<string>()
  for (const text of searchableTexts(item)) for (const word of words(stripMarkup(text))) all.add(cut(word))
  let bytes = 0
  for (const word of all) bytes += Buffer.byteLength(word) + BYTES_BESIDE
  return bytes > MOST_BYTES ? null : [...all].join(' ')
}

/** Whole characters, so that nothing is left that is not one. */
function cut(word: string): string {
  return word.length <= LONGEST_WORD ? word : [...word].slice(0, LONGEST_WORD).join('')
}

export interface IndexQuery {
  /** A tsquery; null: nothing can be told by the index. */
  readonly words: string | null
  /** The index knows which words an item has, not where, nor how long ones end: then the text itself is read. */
  readonly isExact: boolean
}

export function indexQueryOf({ all, none }: TextQuery): IndexQuery {
  const isTold = ({ words }: Term) => words.length === 1 && words.every((word) => word.length <= LONGEST_WORD)
  const parts = [...all.map(allWords), ...none.filter(isTold).map((term) => `!(${allWords(term)})`)]
  return { words: parts.length === 0 ? null : parts.join(' & '), isExact: [...all, ...none].every(isTold) }
}

function allWords(term: Term): string {
  const last = term.words.length - 1
  return term.words.map((word, at) => lexeme(word, term.prefix && at === last)).join(' & ')
}

/** Words are letters and digits alone, so that quotes around them are enough. */
function lexeme(word: string, isBeginning: boolean): string {
  return `'${cut(word)}'${isBeginning ? ':*' : ''}`
}

/** Only the last word of a phrase may be cut (words-needed.ts). */
export function neededQuery(needed: WordNeeds): string {
  if (needed.kind === 'word') return lexeme(needed.word, true)
  if (needed.kind === 'phrase') {
    const last = needed.words.length - 1
    return `(${needed.words.map((word, at) => lexeme(word, at === last)).join(' & ')})`
  }
  return `(${needed.of.map(neededQuery).join(needed.kind === 'and' ? ' & ' : ' | ')})`
}
