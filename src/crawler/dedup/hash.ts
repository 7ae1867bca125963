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
