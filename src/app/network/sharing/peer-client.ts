import { Agent } from 'undici'
import { createAddressGuard } from '../../../http/address-guard.ts'
import { guardedConnector } from '../../../http/connector.ts'
import { readTarget } from '../../../http/target.ts'
import { SECOND_MS } from '../../../model/index.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { isSignedBy, type NodeIdentity } from '../identity.ts'
import type { TrustedPeer } from '../network-state.ts'
import { answerText, authorizationOf, readAuthorization } from './peer-signature.ts'

export interface PeerClientOptions {
  readonly identity: () => Promise<NodeIdentity>
  readonly clock: Pick<Clock, 'now'>
  readonly allowRanges: readonly string[]
  readonly userAgent: string
}

/** Asks trusted nodes, behind the address guard. */
export interface PeerClient {
  /** Throws whatever is wrong, also where the answer is not signed by the peer. */
  call(peer: TrustedPeer, path: string, payload: unknown): Promise<unknown>
  close(): Promise<void>
}

const TIMEOUT_MS = 15 * SECOND_MS
/** A list of many sources, or a document in base64. */
const MOST_ANSWER_BYTES = 8 * 1024 ** 2

export function createPeerClient({ identity, clock, allowRanges, userAgent }: PeerClientOptions): PeerClient {
  const guard = createAddressGuard(allowRanges)
  const agent = new Agent({
    connect: guardedConnector({ connectTimeoutMs: TIMEOUT_MS, resolve: null }, guard),
    connections: 4,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MOST_ANSWER_BYTES,
  })
  return { call, close: () => agent.destroy() }

  async function call(peer: TrustedPeer, path: string, payload: unknown): Promise<unknown> {
    const own = await identity()
    const body = JSON.stringify(payload)
    const signed = authorizationOf({ from: own.id, to: peer.node, path, body }, own, clock.now())
    const { url } = readTarget(`${peer.url}${path}`, guard)
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname,
      method: 'POST',
      headers: { authorization: signed, 'content-type': 'application/json', 'user-agent': userAgent },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await answer.body.text()
    if (answer.statusCode === 401) throw new HeadwaterError('PEER_REFUSED', peer.url)
    if (answer.statusCode !== 200) throw new HeadwaterError('HTTP_UNEXPECTED', `${peer.url}: ${answer.statusCode}`)
    const proof = answer.headers['x-headwater-signature']
    const signature = readAuthorization(signed)?.signature ?? ''
    if (typeof proof !== 'string' || !isSignedBy(peer.key, answerText(signature, text), proof)) {
      throw new HeadwaterError('NETWORK_SIGNATURE', peer.url)
    }
    return JSON.parse(text)
  }
}
