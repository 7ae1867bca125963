import { foldCharacter, LOOSE_PARTS } from './fold.ts'

/** Entries of the table below that are not bytes to write; all of those are greater. */
export const entries = {
  UNKNOWN: 0,
  NOTHING: 1,
  /** A word of its own (Chinese, Japanese) that folds to itself; all of these are above U+07FF. */
  ALONE: 2,
  /** Whatever is not one code unit for one, and what may begin markup. */
  OTHER: 3,
  /** The text must be composed first. */
  LOOSE: 4,
} as const

const { NOTHING, ALONE, OTHER, LOOSE } = entries
const SPACE = 0x20
const FIRST_OF_THREE_BYTES = 0x800

/**
 * What each UTF-16 code unit becomes when it is folded, filled as characters turn up: reading a table is ten times
 * faster than running expressions over every text. An entry holds the UTF-8 of one character, first byte lowest, and
 * how many bytes that is in its highest byte, so that the inner loop writes letters of one, two and three bytes
 * without a branch: where they alternate, no processor could foresee it, and that took half of the loop's time.
 */
export const foldTable = new Int32Array(65_536)

function packed(unit: number): number {
  const last = 0x80 | (unit & 0x3f)
  if (unit < 0x80) return unit | (1 << 24)
  if (unit < FIRST_OF_THREE_BYTES) return 0xc0 | (unit >> 6) | (last << 8) | (2 << 24)
  return 0xe0 | (unit >> 12) | ((0x80 | ((unit >> 6) & 0x3f)) << 8) | (last << 16) | (3 << 24)
}

const strings = new Map<number, Buffer>()

for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code).toLowerCase()
  foldTable[code] = /[a-z0-9]/.test(character) ? packed(character.charCodeAt(0)) : packed(SPACE)
}
for (const markup of '<&') foldTable[markup.charCodeAt(0)] = OTHER

export function learnFolding(code: number): number {
  const character = String.fromCharCode(code)
  const folded = foldCharacter(character)
  const surrogate = code >= 0xd800 && code <= 0xdfff
  let entry: number = OTHER
  if (LOOSE_PARTS.test(character)) entry = LOOSE
  else if (folded === '') entry = NOTHING
  else if (folded === ` ${character} ` && code >= FIRST_OF_THREE_BYTES) entry = ALONE
  else if (folded.length === 1 && !surrogate) entry = packed(folded.charCodeAt(0))
  foldTable[code] = entry
  return entry
}

/** The folded character in UTF-8, with spaces where words end. */
export function foldedBytes(point: number): Buffer {
  let bytes = strings.get(point)
  if (bytes === undefined) {
    bytes = Buffer.from(foldCharacter(String.fromCodePoint(point)))
    strings.set(point, bytes)
  }
  return bytes
}
