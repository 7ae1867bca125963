import { createECDH } from 'node:crypto'

/** What a browser gives with its address (RFC 8291 §2), in base64url; sealed in the store as one text. */
export interface PushKeys {
  /** The public key of the browser: a point of P-256, not compressed. */
  readonly p256dh: string
  /** 16 bytes that only the browser and we know. */
  readonly auth: string
}

export function packPushKeys({ p256dh, auth }: PushKeys): string {
  return JSON.stringify({ p256dh, auth })
}

export function readPushKeys(text: string): PushKeys {
  const { p256dh, auth } = JSON.parse(text) as PushKeys
  return { p256dh, auth }
}

const AUTH_BYTES = 16
/** Any private key will do. */
const ONE = Buffer.concat([Buffer.alloc(31), Buffer.from([1])])

/** Whether messages can be encrypted with them: a point that is not on the curve would fail at every one. */
export function areUsable({ p256dh, auth }: PushKeys): boolean {
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  const one = createECDH('prime256v1')
  one.setPrivateKey(ONE)
  try {
    one.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}
