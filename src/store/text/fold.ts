const NON_ASCII_RUN = /[^\x00-\x7f]+/g
// Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. Vowel signs of other scripts are part of the word.
const ACCENT = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+/g
const NOT_IN_A_WORD = /[^a-z0-9\p{L}\p{N}\p{M}\p{Co}]+/gu
// Scripts written without spaces: each character is a word of its own, and a word of a query is a phrase of them.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const SEPARATOR = /[^a-z0-9\u0080-\uffff]+/

// Most texts are ASCII with the same few typographic signs and accented letters over and over (’, “, é): folding them
// once makes folding some ten times faster than running the expressions over every text.
const CACHE_LIMIT = 20_000
const cache = new Map<string, string>()

/**
 * Accents folded, and case beyond ASCII, in a form that SQLite's `ascii` tokenizer cuts into exactly the words that `words` gives:
 * whatever is beyond ASCII after folding belongs to a word. Index, phrase check and the memory store so agree by
 * construction, for every script, on any version of the Unicode tables.
 */
export function fold(text: string): string {
  return text.replace(NON_ASCII_RUN, foldRun)
}

export function words(text: string): string[] {
  return fold(text)
    .toLowerCase()
    .split(SEPARATOR)
    .filter((word) => word !== '')
}

function foldRun(run: string): string {
  const known = cache.get(run)
  if (known !== undefined) return known
  const folded = run
    .normalize('NFKD')
    .replace(ACCENT, '')
    // Up and down again makes ß ss, and the dotless ı i; ς is σ at the end of a word.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(ACCENT, '')
    .normalize('NFC')
    .replace(NOT_IN_A_WORD, ' ')
    .replace(UNSPACED, ' $& ')
  if (run.length <= 32) {
    if (cache.size >= CACHE_LIMIT) cache.clear()
    cache.set(run, folded)
  }
  return folded
}
