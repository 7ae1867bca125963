import { createHmac, timingSafeEqual } from 'node:crypto'

/** WebSub §7.1.1: the methods that a hub may sign with. */
const METHODS: readonly string[] = ['sha1', 'sha256', 'sha384', 'sha512']

/** Whether a body was signed with the secret; what names no known method was not. */
export function isSigned(body: Uint8Array, header: string | undefined, secret: string): boolean {
  const [, method = '', hex = ''] = /^([a-z0-9]+)=([0-9a-f]+)$/i.exec(header?.trim() ?? '') ?? []
  if (!METHODS.includes(method.toLowerCase())) return false
  const actual = createHmac(method.toLowerCase(), secret).update(body).digest()
  const given = Buffer.from(hex, 'hex')
  return given.length === actual.length && timingSafeEqual(given, actual)
}
