import { foldCharacter, LOOSE_PARTS } from './fold.ts'

/** Entries of the table below that are not the code unit to write; all of those are greater. */
export const entries = {
  UNKNOWN: 0,
  SEPARATOR: 1,
  NOTHING: 2,
  /** A word of its own (Chinese, Japanese) that folds to itself. */
  ALONE: 3,
  /** Whatever is not one code unit for one. */
  OTHER: 4,
  /** The text must be composed first. */
  LOOSE: 5,
} as const

const { SEPARATOR, NOTHING, ALONE, OTHER, LOOSE } = entries

/**
 * What each UTF-16 code unit becomes when it is folded, filled as characters turn up: reading a table is ten times
 * faster than running expressions over every text.
 */
export const foldTable = new Uint16Array(65_536)

const strings = new Map<number, Buffer>()

for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code).toLowerCase()
  foldTable[code] = /[a-z0-9]/.test(character) ? character.charCodeAt(0) : SEPARATOR
}

export function learn(code: number): number {
  const character = String.fromCharCode(code)
  const folded = foldCharacter(character)
  const surrogate = code >= 0xd800 && code <= 0xdfff
  let entry: number = OTHER
  if (LOOSE_PARTS.test(character)) entry = LOOSE
  else if (folded === '') entry = NOTHING
  else if (folded === ' ' && !surrogate) entry = SEPARATOR
  else if (folded === ` ${character} `) entry = ALONE
  else if (folded.length === 1 && !surrogate) entry = folded.charCodeAt(0)
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
