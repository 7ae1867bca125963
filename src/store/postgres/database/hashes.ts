const HASH_DIGITS = 32
const HASH_BYTES = HASH_DIGITS / 2
const HEX = /^[0-9a-f]{32}$/
const OTHER = Buffer.from([0])

/**
 * A hash of 32 hex digits takes 16 bytes. Anything else is its text behind a zero, or two where it would have 16 bytes with
 * one: so each form has a length of its own, and equal hashes are equal bytes.
 */
export function packHash(hash: string): Buffer {
  if (hash.length === HASH_DIGITS && HEX.test(hash)) return Buffer.from(hash, 'hex')
  const text = Buffer.from(hash)
  return Buffer.concat(text.length + 1 === HASH_BYTES ? [OTHER, OTHER, text] : [OTHER, text])
}

export function unpackHash(packed: Buffer): string {
  if (packed.length === HASH_BYTES) return packed.toString('hex')
  return packed.subarray(packed[1] === 0 ? 2 : 1).toString()
}
