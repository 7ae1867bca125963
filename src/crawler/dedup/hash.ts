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

/**
 * 8 hex digits in plain code: within one window a stronger hash would be wasted, and for a line of text this is several
 * times as fast as a call into OpenSSL. Never all zeros.
 */
export function hash32(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x85ebca6b)
    hash ^= hash >>> 13
  }
  hash ^= hash >>> 16
  return (hash >>> 0 || 1).toString(16).padStart(8, '0')
}
