// Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. Vowel signs of other scripts are part of the word.
const ACCENT = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+/g
const NOT_IN_A_WORD = /[^a-z0-9\p{L}\p{N}\p{M}\p{Co}]+/gu
// Scripts written without spaces: each character is a word of its own, and a word of a query is a phrase of them.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
// Parts of characters that also exist in one piece and must be found either way: voiced kana, Korean syllables.
export const LOOSE_PARTS = /[\u3099\u309a\u1100-\u11ff]/
const WORD = /[a-z0-9\u0080-\uffff]+/g
const BEYOND_ASCII = /[^\x00-\x7f]/u

/**
 * What one character becomes: '' for an accent, ' ' for what separates words, several for ß (ss) or ½ (1 2).
 * Surrogates come in pairs as one string.
 */
export function foldCharacter(character: string): string {
  return (
    character
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
  )
}

const foldCache = new Map<string, string>()

function foldCached(character: string): string {
  let result = foldCache.get(character)
  if (result === undefined) {
    result = foldCharacter(character)
    foldCache.set(character, result)
  }
  return result
}

/**
 * The words of a plain text in their order, case and accents folded. The full-text index cuts a text into exactly these
 * (index-text.ts), so that index, phrase check and the memory store agree by construction, for every script and on any
 * version of the Unicode tables.
 */
export function words(text: string): string[] {
  // To look for words takes half the time of splitting at what is between them.
  const plain = BEYOND_ASCII.test(text) ? composed(text).replace(/[^\x00-\x7f]/gu, foldCached) : text
  return plain.toLowerCase().match(WORD) ?? []
}

const PART_LENGTH = 65_536

/** The same words, those of a long text in parts: all at once they take ten times its memory. */
export function* wordsInParts(text: string, partLength = PART_LENGTH): Generator<string[]> {
  let from = 0
  while (text.length - from > partLength) {
    // At a blank no word and no character of several parts is cut.
    const end = text.indexOf(' ', from + partLength)
    if (end < 0) break
    yield words(text.slice(from, end))
    from = end
  }
  yield words(from === 0 ? text : text.slice(from))
}

/** Only where it can matter: NFC of every text would cost more than all the rest. */
function composed(text: string): string {
  return LOOSE_PARTS.test(text) ? text.normalize('NFC') : text
}
