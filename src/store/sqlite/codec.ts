import type { WindowEntry } from '../../model/index.ts'

const HEX_32 = /^[0-9a-f]{32}$/

/** A hash of 32 hex digits takes 16 bytes; anything else stays text, which SQLite allows in the same column. */
export type PackedHash = Buffer | string

export function packHash(hash: string): PackedHash {
  return HEX_32.test(hash) ? Buffer.from(hash, 'hex') : hash
}

export function unpackHash(packed: PackedHash): string {
  return typeof packed === 'string' ? packed : packed.toString('hex')
}

const HEX = /^[0-9a-f]*$/
const NO_ALIAS = '0'.repeat(16)
const HASHES_DIGITS = 80
const ENTRY_BYTES = HASHES_DIGITS / 2 + 8

type Quadruple = [key: string, contentHash: string, alias: string | null, published: number | null]

/**
 * 48 bytes an entry: first key, content hash and alias (zeros: none) of all entries, then their dates as doubles (NaN:
 * none). A window with an entry of another form is kept as JSON.
 */
export function packWindow(window: readonly WindowEntry[]): Buffer | string {
  let hex = ''
  let usual = true
  for (const { key, contentHash, alias } of window) {
    usual &&= key.length === 32 && contentHash.length === 32
    usual &&= alias === null || (alias.length === 16 && alias !== NO_ALIAS)
    hex += key + contentHash + (alias ?? NO_ALIAS)
  }
  if (!usual || !HEX.test(hex)) return JSON.stringify(window.map(quadrupleOf))
  const packed = Buffer.allocUnsafe(window.length * ENTRY_BYTES)
  let at = packed.write(hex, 'hex')
  for (const { published } of window) at = packed.writeDoubleLE(published ?? Number.NaN, at)
  return packed
}

export function unpackWindow(packed: Buffer | string | null): WindowEntry[] {
  if (packed === null) return []
  if (typeof packed === 'string') return (JSON.parse(packed) as Quadruple[]).map(entryOf)
  const count = packed.length / ENTRY_BYTES
  const hex = packed.toString('hex', 0, (count * HASHES_DIGITS) / 2)
  const window: WindowEntry[] = []
  for (let index = 0; index < count; index++) {
    const at = index * HASHES_DIGITS
    const alias = hex.slice(at + 64, at + HASHES_DIGITS)
    const published = packed.readDoubleLE((count * HASHES_DIGITS) / 2 + index * 8)
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
