import * as crypto from 'node:crypto'

/**
 * 32 hex digits of SHA-1, because it names things here and guards nothing: a feed that forges a collision can only
 * confuse itself. Processors have instructions for it: 2 KB of text take 1.7 µs, with MD5 3 to 5 µs. The one-shot call of
 * Node ≥ 20.12 costs a third of createHash on the short strings of an identity.
 */
function digest(data: string | Uint8Array): string {
  const hex =
    typeof crypto.hash === 'function'
      ? crypto.hash('sha1', data, 'hex')
      : crypto.createHash('sha1').update(data).digest('hex')
  return hex.slice(0, 32)
}

// One text at a time, in one thread: all share this memory.
const scratch = Buffer.alloc(1 << 16)

/** Over UTF-16, which strings are made of: turning them into UTF-8 costs more than hashing them. */
export function textHash(text: string): string {
  if (2 * text.length > scratch.length) return digest(Buffer.from(text, 'utf16le'))
  return digest(scratch.subarray(0, scratch.write(text, 'utf16le')))
}

// Between the parts of a hashed text, so that ("ab", "c") and ("a", "bc") differ.
export const SEPARATOR = '\u0000'
const SEPARATOR_BYTES = 2

/** Hash of the parts joined by the separator, without making that text: it would be a tenth of a cold refresh's garbage. */
export function partsHash(parts: readonly (string | null | undefined)[]): string {
  let most = 0
  for (const part of parts) most += 2 * (part?.length ?? 0) + SEPARATOR_BYTES
  if (most > scratch.length) return textHash(parts.join(SEPARATOR))
  let end = 0
  for (const part of parts) {
    if (part) end += scratch.write(part, end, 'utf16le')
    scratch[end] = 0
    scratch[end + 1] = 0
    end += SEPARATOR_BYTES
  }
  return digest(scratch.subarray(0, Math.max(0, end - SEPARATOR_BYTES)))
}

export const bodyHash: (body: Uint8Array) => string = digest

const START = 0x811c9dc5

/**
 * 8 hex digits in plain code: within one window a stronger hash would be wasted, and for a line of text this is several
 * times as fast as a call into OpenSSL. Never all zeros.
 */
export function hash32(text: string): string {
  return hex32(addTo32(START, text, 0, text.length))
}

/** The same over texts one after another, of each the beginning and the end, without joining them. */
export function hash32OfSamples(texts: readonly string[], sampleChars: number): string {
  let hash = START
  for (const text of texts) {
    const { length } = text
    if (length <= 2 * sampleChars) {
      hash = addTo32(hash, text, 0, length)
      continue
    }
    const size = `${length} `
    hash = addTo32(hash, size, 0, size.length)
    hash = addTo32(hash, text, 0, sampleChars)
    hash = addTo32(hash, text, length - sampleChars, length)
  }
  return hex32(hash)
}

function addTo32(before: number, text: string, from: number, to: number): number {
  let hash = before
  for (let i = from; i < to; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x85ebca6b)
    hash ^= hash >>> 13
  }
  return hash
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex32(hash: number): string {
  const end = hash ^ (hash >>> 16) || 1
  return HEX[end >>> 24]! + HEX[(end >>> 16) & 255]! + HEX[(end >>> 8) & 255]! + HEX[end & 255]!
}
