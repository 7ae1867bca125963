import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto'
import { HOUR_MS, type InstantMs, SECOND_MS } from '../../model/index.ts'
import { curveNumber } from './curve-number.ts'

/** With which this node shows push services who it is (RFC 8292). */
export interface VapidKeys {
  /** As browsers want it when they subscribe: base64url of the point, not compressed. */
  readonly publicKey: string
  readonly privateKey: KeyObject
}

/** §2: at most a day; half of it leaves room for clocks that differ. */
const VALID_MS = 12 * HOUR_MS

/** The same secret gives the same keys, in every process. */
export function vapidKeysFrom(secret: string): VapidKeys {
  const scalar = curveNumber(Buffer.from(hkdfSync('sha256', secret, '', 'headwater vapid', 32)))
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65), d: scalar.toString('base64url') }
  return { publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

/**
 * The value of `authorization`: for this push service alone, for some hours. `contact`: whom its operator can write to; null: left
 * out, which §2.1 allows.
 */
export function vapidAuthorization(keys: VapidKeys, endpoint: string, contact: string | null, now: InstantMs): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor((now + VALID_MS) / SECOND_MS),
    ...(contact === null ? {} : { sub: contact }),
  }
  const signed = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: keys.privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${keys.publicKey}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
