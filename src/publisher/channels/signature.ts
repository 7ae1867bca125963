import { createHmac } from 'node:crypto'
import { type InstantMs, SECOND_MS } from '../../model/index.ts'

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

function macOf(id: string, timestamp: string, body: string, secret: string): Buffer {
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
}
