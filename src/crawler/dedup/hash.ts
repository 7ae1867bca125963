import * as crypto from 'node:crypto'

/**
 * MD5, because it names things here and guards nothing: a feed that forges a collision can only confuse itself.
 * The one-shot call of Node ≥ 20.12 costs a third of createHash on the short strings of an identity.
 */
export const md5Hex: (text: string) => string =
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('md5', text, 'hex')
    : (text) => crypto.createHash('md5').update(text).digest('hex')

export function bodyHash(body: Uint8Array): string {
  return typeof crypto.hash === 'function'
    ? crypto.hash('md5', body, 'hex')
    : crypto.createHash('md5').update(body).digest('hex')
}

/**
 * 16 hex digits in plain code: within one window a stronger hash would be wasted, and for a line of text this is several
 * times as fast as a call into OpenSSL. Two multiplicative hashes of 32 bits with different odd multipliers.
 */
export function shortHash(text: string): string {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 13
  }
  a ^= a >>> 16
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}
