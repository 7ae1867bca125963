import type { WindowEntry } from '../../model/index.ts'
import { HASH_DIGITS, writeHex } from './hashes.ts'

const ALIAS_DIGITS = 24

const NO_ALIAS = '0'.repeat(ALIAS_DIGITS)
const HASHES_DIGITS = 2 * HASH_DIGITS + ALIAS_DIGITS
const ENTRY_BYTES = HASHES_DIGITS / 2 + 8
/** In front of the entries, so that the length is odd and never that of the form without it. */
const FORM = 2
const HEAD_BYTES = 1
/** Of the form before: an alias of 16 digits, which says nothing now. */
const FORMER = { aliasDigits: 16, headBytes: 0 }
const PRESENT = { aliasDigits: ALIAS_DIGITS, headBytes: HEAD_BYTES }

type Quadruple = [key: string, contentHash: string, alias: string | null, published: number | null]

/**
 * 52 bytes an entry: first key, content hash and alias (zeros: none) of all entries, then their dates as doubles (NaN:
 * none). A window with an entry of another form is stored as JSON.
 */
export function packWindow(window: readonly WindowEntry[]): Buffer | string {
  const packed = Buffer.allocUnsafe(HEAD_BYTES + window.length * ENTRY_BYTES)
  let at = packed.writeUInt8(FORM, 0)
  for (const { key, contentHash, alias } of window) {
    const known = alias ?? NO_ALIAS
    const usual =
      key.length === HASH_DIGITS &&
      contentHash.length === HASH_DIGITS &&
      known.length === ALIAS_DIGITS &&
      alias !== NO_ALIAS &&
      writeHex(packed, at, key) &&
      writeHex(packed, at + HASH_DIGITS / 2, contentHash) &&
      writeHex(packed, at + HASH_DIGITS, known)
    if (!usual) return JSON.stringify(window.map(quadrupleOf))
    at += HASHES_DIGITS / 2
  }
  for (const { published } of window) at = packed.writeDoubleLE(published ?? Number.NaN, at)
  return packed
}

export function unpackWindow(packed: Buffer | string | null): WindowEntry[] {
  if (packed === null) return []
  if (typeof packed === 'string') return (JSON.parse(packed) as Quadruple[]).map(entryOf)
  const { aliasDigits, headBytes } = packed.length % 2 === 0 ? FORMER : PRESENT
  const digits = 2 * HASH_DIGITS + aliasDigits
  const count = (packed.length - headBytes) / (digits / 2 + 8)
  const datesAt = headBytes + (count * digits) / 2
  const hex = packed.toString('hex', headBytes, datesAt)
  const window: WindowEntry[] = []
  for (let index = 0; index < count; index++) {
    const at = index * digits
    const alias = aliasDigits === ALIAS_DIGITS ? hex.slice(at + 64, at + digits) : NO_ALIAS
    const published = packed.readDoubleLE(datesAt + index * 8)
    window.push({
      key: hex.slice(at, at + 32),
      contentHash: hex.slice(at + 32, at + 64),
      alias: alias === NO_ALIAS ? null : alias,
      published: Number.isNaN(published) ? null : published,
    })
  }
  return window
}

function quadrupleOf({ key, contentHash, alias, published }: WindowEntry): Quadruple {
  return [key, contentHash, alias, published]
}

function entryOf([key, contentHash, alias, published]: Quadruple): WindowEntry {
  return { key, contentHash, alias, published }
}

const BRACKET = 0x5b

/** For columns that hold bytes alone: JSON where it has entries of an unusual form. */
export function windowBytes(window: readonly WindowEntry[]): Buffer {
  const packed = packWindow(window)
  return typeof packed === 'string' ? Buffer.from(packed) : packed
}

export function windowOfBytes(entries: Buffer | null): WindowEntry[] {
  return unpackWindow(entries?.[0] === BRACKET ? entries.toString() : entries)
}
