import { decodeEntity, ENTITY_NAME, startsTag } from './markup.ts'

// The rules of markup.ts for a text in units of UTF-16, for the inner loop of indexing.

export const AMPERSAND = 0x26
export const LESS_THAN_UNIT = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f
const SEMICOLON = 0x3b
const LETTER_S = 0x73
/** `&`, eight letters and two digits, `;`. */
const LONGEST_ENTITY = 12
const SILENT = ['script', 'style'].map((name) => Uint8Array.from(name, (letter) => letter.charCodeAt(0)))

/** Last unit of the tag that begins here, or of the content of a script or style; the same place if there is none. */
export function endOfMarkup(units: Uint16Array, open: number, length: number): number {
  if (open + 1 >= length || !startsTag(units[open + 1]!)) return open
  // Both names begin with this letter: hardly any other tag is read twice.
  if ((units[open + 1]! | 32) === LETTER_S) {
    for (const name of SILENT) {
      if (isNameAt(units, open + 1, length, name) && !isWord(units, open + 1 + name.length, length)) {
        return beforeClosing(units, open, length, name)
      }
    }
  }
  for (let at = open + 1; at < length; at++) {
    if (units[at] === GREATER) return at
    if (units[at] === LESS_THAN_UNIT) return open
  }
  return open
}

function beforeClosing(units: Uint16Array, open: number, length: number, name: Uint8Array): number {
  for (let at = open + 1; at < length; at++) {
    if (units[at] === LESS_THAN_UNIT && units[at + 1] === SLASH && isNameAt(units, at + 2, length, name)) return at - 1
  }
  return length
}

function isLetter(code: number): boolean {
  return (code | 32) >= 0x61 && (code | 32) <= 0x7a
}

function isNameAt(units: Uint16Array, at: number, length: number, name: Uint8Array): boolean {
  if (at + name.length > length) return false
  for (let i = 0; i < name.length; i++) if ((units[at + i]! | 32) !== name[i]) return false
  return true
}

/** Letter, digit or underscore: the name goes on. */
function isWord(units: Uint16Array, at: number, length: number): boolean {
  if (at >= length) return false
  const code = units[at]!
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x5f
}

/** The semicolon of what may be an entity; −1: none is near. */
export function endOfEntity(units: Uint16Array, start: number, length: number): number {
  const limit = Math.min(length, start + LONGEST_ENTITY)
  for (let at = start + 2; at < limit; at++) if (units[at] === SEMICOLON) return at
  return -1
}

/** null: not an entity that we know. */
export function decodedEntity(text: string): string | null {
  const name = text.slice(1, -1)
  if (!ENTITY_NAME.test(name)) return null
  const decoded = decodeEntity(text, name)
  return decoded === text ? null : decoded
}
