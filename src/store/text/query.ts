import { words } from './fold.ts'

/** Words that follow each other; one word is the usual case. `prefix`: the last is only the beginning of a word. */
export interface Term {
  readonly words: readonly string[]
  readonly prefix: boolean
}

export interface TextQuery {
  readonly all: readonly Term[]
  readonly none: readonly Term[]
}

const PART = /(-?)(?:"([^"]*)"?|([^\s"]+))/g

/**
 * `climate "sea level" -sport glaci*`: all words and phrases must occur, none of those after a minus, `*` finds every
 * word beginning so. What is cut into several words (`e-mail`, `東京`) is a phrase of them. null: nothing to search for.
 */
export function parseTextQuery(text: string): TextQuery | null {
  const all: Term[] = []
  const none: Term[] = []
  for (const [, minus, phrase, word] of text.matchAll(PART)) {
    const raw = phrase ?? word ?? ''
    const term = { words: words(raw), prefix: phrase === undefined && raw.endsWith('*') }
    if (term.words.length === 0) continue
    if (minus === '-') none.push(term)
    else all.push(term)
  }
  return all.length + none.length === 0 ? null : { all, none }
}

/** Of whole words: what their order decides without reading the text. */
export function hasPhrase(query: TextQuery | null): boolean {
  const isPhrase = ({ words, prefix }: Term) => words.length > (prefix ? 2 : 1)
  return query !== null && [...query.all, ...query.none].some(isPhrase)
}
