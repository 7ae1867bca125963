import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PushNotice } from '../../src/publisher/channels/push-notice.ts'
import { type LocalServer, startServer } from './local-server.ts'

/** A message as a push service got it. */
export interface Pushed {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** What stands for a browser and its push service, on loopback. */
export interface PushBrowser {
  readonly server: LocalServer
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** Everything that was taken, in order. */
  readonly pushed: readonly Pushed[]
  readonly notices: readonly PushNotice[]
  /** The status of the next answers. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

export async function startPushBrowser(): Promise<PushBrowser> {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  const pushed: Pushed[] = []
  const notices: PushNotice[] = []
  let next: { status: number; headers: Readonly<Record<string, string>> } = { status: 201, headers: {} }
  const server = await startServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (next.status < 300) {
      pushed.push({ path: request.url ?? '', headers: request.headers, body })
      notices.push(JSON.parse(decryptPush(body, own.getPrivateKey(), auth).toString()))
    }
    response.writeHead(next.status, next.headers).end()
  })
  return {
    server,
    keys: { p256dh: own.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
    pushed,
    notices,
    answer(status, headers = {}) {
      next = { status, headers }
    },
    close: () => server.close(),
  }
}

/** RFC 8291 §3 and RFC 8188 §2, from the side of the browser: written from the texts, with nothing of the node's. */
export function decryptPush(message: Buffer, privateKey: Buffer, auth: Buffer): Buffer {
  const salt = message.subarray(0, 16)
  const recordBytes = message.readUInt32BE(16)
  const keyBytes = message.readUInt8(20)
  const senderKey = message.subarray(21, 21 + keyBytes)
  const record = message.subarray(21 + keyBytes)
  if (record.length > recordBytes) throw new Error('more than one record')
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const secret = own.computeSecret(senderKey)
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info'), Buffer.from([0]), own.getPublicKey(), senderKey])
  const ikm = Buffer.from(hkdfSync('sha256', secret, auth, keyInfo, 32))
  const of = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${name}\0`), bytes))
  const decipher = createDecipheriv('aes-128-gcm', of('aes128gcm', 16), of('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('not the last record')
  return padded.subarray(0, end)
}

/** RFC 8292 §3 as a push service checks it; returns what is claimed, or throws. */
export function readVapid(authorization: string): { aud: string; exp: number; sub?: string; key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
  }
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) throw new Error('the signature is wrong')
  if (JSON.parse(Buffer.from(head, 'base64url').toString()).alg !== 'ES256') throw new Error('another algorithm')
  return { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), key }
}
