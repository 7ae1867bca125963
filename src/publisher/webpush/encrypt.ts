import { createCipheriv, createECDH, hkdfSync } from 'node:crypto'
import type { PushKeys } from './push-keys.ts'

/** What must be new for each message: with the same twice, both could be read. */
export interface MessageSecrets {
  /** A private key of P-256, 32 bytes. */
  readonly privateKey: Buffer
  /** 16 bytes. */
  readonly salt: Buffer
}

/** RFC 8291 §4: push services take 4,096 bytes in all. Left over: header (86), padding mark (1), tag (16). */
export const MOST_PLAIN_BYTES = 4_096 - 86 - 1 - 16

const RECORD_BYTES = 4_096
const LAST_RECORD = Buffer.from([2])

/** RFC 8291 §3.4 over RFC 8188 §2: one record of aes128gcm that only this browser can read. */
export function encryptPush(plain: Buffer, keys: PushKeys, { privateKey, salt }: MessageSecrets): Buffer {
  if (plain.length > MOST_PLAIN_BYTES) throw new RangeError(`a push message has at most ${MOST_PLAIN_BYTES} bytes`)
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const ownPublic = own.getPublicKey()
  const browserPublic = Buffer.from(keys.p256dh, 'base64url')
  const shared = own.computeSecret(browserPublic)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserPublic, ownPublic])
  const input = derive(shared, Buffer.from(keys.auth, 'base64url'), info, 32)
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = [cipher.update(Buffer.concat([plain, LAST_RECORD])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, headOf(ownPublic), ...sealed])
}

/** RFC 8188 §2.1, after the salt: the size of records, and whose key it is. */
function headOf(ownPublic: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head.writeUInt8(ownPublic.length, 4)
  return Buffer.concat([head, ownPublic])
}

function derive(input: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, bytes))
}
