import { createIndexTexts } from './index-text.ts'
import { furtherTexts, mainTexts, type SearchableItem } from './match.ts'
import type { Term, TextQuery } from './query.ts'
import { isInWord } from './word-scanner.ts'

/** One item at a time, in one thread: a megabyte for every search would take a tenth of a millisecond. */
const texts = createIndexTexts()

/**
 * The same answer as `matchesText` (a property test compares the two), from the bytes of the text index instead of strings
 * and expressions: a seventh of the time, and phrases over many candidates are nothing but this.
 */
export function createTextMatcher(query: TextQuery): (item: SearchableItem) => boolean {
  const all = query.all.map(wantedOf)
  const none = query.none.map(wantedOf)
  return (item) => {
    const missing = new Set(all)
    for (const textsOf of [mainTexts, furtherTexts]) {
      for (const text of textsOf(item)) {
        texts.clear()
        const bytes = texts.bytes(texts.add([text]))
        if (none.some((term) => occurs(term, bytes))) return false
        for (const term of missing) if (occurs(term, bytes)) missing.delete(term)
      }
      if (missing.size === 0 && none.length === 0) return true
    }
    return missing.size === 0
  }
}

interface SoughtPhrase {
  readonly words: readonly Buffer[]
  readonly prefix: boolean
}

function wantedOf({ words, prefix }: Term): SoughtPhrase {
  return { words: words.map((word) => Buffer.from(word)), prefix }
}

/** From one place of the first word to the next, which memory is searched for much faster than text is split into words. */
function occurs({ words, prefix }: SoughtPhrase, bytes: Buffer): boolean {
  const first = words[0]!
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if ((at === 0 || !isInWord(bytes[at - 1]!)) && followFrom(at, words, prefix, bytes)) return true
  }
  return false
}

function followFrom(start: number, words: readonly Buffer[], prefix: boolean, bytes: Buffer): boolean {
  let at = start
  for (const [index, word] of words.entries()) {
    if (index > 0) while (at < bytes.length && !isInWord(bytes[at]!)) at++
    const end = at + word.length
    if (end > bytes.length || bytes.compare(word, 0, word.length, at, end) !== 0) return false
    const isBegun = prefix && index === words.length - 1
    if (!isBegun && end < bytes.length && isInWord(bytes[end]!)) return false
    at = end
  }
  return true
}
