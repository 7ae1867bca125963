export const HASH_DIGITS = 32
const HASH_BYTES = HASH_DIGITS / 2

/** A hash of 32 hex digits takes 16 bytes; anything else stays text, which SQLite allows in the same column. */
export type PackedHash = Buffer | string

export function packHash(hash: string): PackedHash {
  if (hash.length !== HASH_DIGITS) return hash
  const packed = Buffer.allocUnsafe(HASH_BYTES)
  return writeHex(packed, 0, hash) ? packed : hash
}

const OTHER = Buffer.from([0])

/**
 * For columns that hold bytes alone. What is not 32 hex digits is its text behind a zero, or two where it would have 16 bytes
 * with one: so each form has a length of its own, and equal hashes are equal bytes.
 */
export function packHashBytes(hash: string): Buffer {
  const packed = packHash(hash)
  if (typeof packed !== 'string') return packed
  const text = Buffer.from(packed)
  return Buffer.concat(text.length + 1 === HASH_BYTES ? [OTHER, OTHER, text] : [OTHER, text])
}

/** Of either form. */
export function unpackHash(packed: PackedHash): string {
  if (typeof packed === 'string') return packed
  if (packed.length === HASH_BYTES) return packed.toString('hex')
  return packed.subarray(packed[1] === 0 ? 2 : 1).toString()
}

const NO_DIGIT = 16
/** Values of the digits by their character codes. Capitals are none, or they would come back small. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (const [value, digit] of [...'0123456789abcdef'].entries()) DIGITS[digit.charCodeAt(0)] = value

/** False: other characters. A third of the time of Buffer's own, which takes capitals and stops silently at the rest. */
export function writeHex(into: Buffer, start: number, digits: string): boolean {
  for (let at = 0, to = start; at < digits.length; at += 2, to++) {
    const high = DIGITS[digits.charCodeAt(at)] ?? NO_DIGIT
    const low = DIGITS[digits.charCodeAt(at + 1)] ?? NO_DIGIT
    if ((high | low) >= NO_DIGIT) return false
    into[to] = (high << 4) | low
  }
  return true
}
