import { createHmac, timingSafeEqual } from 'node:crypto'
import { type DurationMs, type InstantMs, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'

/**
 * What a receiver checks, as the Standard Webhooks specification says. A message older than the tolerance may be one that
 * somebody sends again.
 */
export function isSignedMessage(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  secret: string,
  now: InstantMs,
  toleranceMs: DurationMs = 5 * MINUTE_MS,
): boolean {
  const field = (name: string) => String(headers[name] ?? '')
  const timestamp = field('webhook-timestamp')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * SECOND_MS) > toleranceMs) return false
  const expected = expectedMac(field('webhook-id'), timestamp, body, secret)
  return field('webhook-signature')
    .split(' ')
    .some((signature) => {
      const [version, mac] = signature.split(',')
      const actual = Buffer.from(mac ?? '', 'base64')
      return version === 'v1' && actual.length === expected.length && timingSafeEqual(actual, expected)
    })
}

function expectedMac(id: string, timestamp: string, body: string, secret: string): Buffer {
  const prefix = 'whsec_'
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
}
