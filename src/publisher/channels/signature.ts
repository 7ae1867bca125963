import { createHmac, timingSafeEqual } from 'node:crypto'
import { type DurationMs, type InstantMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'

/** Header fields of a signed message, as the Standard Webhooks specification names them. */
export type SignedHeaders = {
  readonly 'webhook-id': string
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string
  /** `v1,` and HMAC-SHA-256 of `id.timestamp.body` in base64; several are separated by spaces. */
  readonly 'webhook-signature': string
}

/** What follows is base64; a secret without it is taken as it stands. */
const PREFIX = 'whsec_'

/** As receivers set it up: the form that libraries for Standard Webhooks read. */
export function shownSecret(secret: string): string {
  return secret.startsWith(PREFIX) ? secret : PREFIX + Buffer.from(secret).toString('base64')
}

export function signMessage(id: string, body: string, secret: string, now: InstantMs): SignedHeaders {
  const timestamp = String(Math.floor(now / SECOND_MS))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${macOf(id, timestamp, body, secret).toString('base64')}`,
  }
}

/** For receivers written in JavaScript. A message older than the tolerance may be one that somebody sends again. */
export function isSignedMessage(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  secret: string,
  now: InstantMs,
  toleranceMs: DurationMs = 5 * MINUTE_MS,
): boolean {
  const field = (name: keyof SignedHeaders) => String(headers[name] ?? '')
  const timestamp = field('webhook-timestamp')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * SECOND_MS) > toleranceMs) return false
  const expected = macOf(field('webhook-id'), timestamp, body, secret)
  return field('webhook-signature')
    .split(' ')
    .some((signature) => {
      const [version, mac] = signature.split(',')
      const given = Buffer.from(mac ?? '', 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}

function macOf(id: string, timestamp: string, body: string, secret: string): Buffer {
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
}
