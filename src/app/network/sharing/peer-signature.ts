import { createHash } from 'node:crypto'
import { type InstantMs, MINUTE_MS } from '../../../model/index.ts'
import { isSignedBy, type NodeIdentity } from '../identity.ts'

/*
 * How nodes that trust each other sign what they ask and answer. A request names both of them, its path, its time and its body, so
 * that it is good for nobody else and for nothing else; an answer names the request.
 */

interface SignedCall {
  readonly from: string
  readonly to: string
  readonly path: string
  readonly body: string
}

const SCHEME = 'Headwater'
/** Clocks differ; what is older may be a repetition. */
export const SIGNATURE_LIFE_MS = 5 * MINUTE_MS

/** The value of the header Authorization. */
export function authorizationOf(call: SignedCall, identity: Pick<NodeIdentity, 'sign'>, now: InstantMs): string {
  return `${SCHEME} ${call.from} ${now} ${identity.sign(callText(call, now))}`
}

interface PeerCredentials {
  readonly node: string
  readonly at: InstantMs
  readonly signature: string
}

/** null: there are none. */
export function readAuthorization(header: string | undefined): PeerCredentials | null {
  const found = /^Headwater ([\w-]{22}) (\d{1,16}) ([\w-]{1,100})$/.exec(header ?? '')
  if (found === null) return null
  const [, node = '', at = '', signature = ''] = found
  return { node, at: Number(at), signature }
}

export function isGenuine(call: SignedCall, credentials: PeerCredentials, key: string, now: InstantMs): boolean {
  if (Math.abs(now - credentials.at) > SIGNATURE_LIFE_MS || credentials.node !== call.from) return false
  return isSignedBy(key, callText(call, credentials.at), credentials.signature)
}

/** What is signed of an answer to the request with this signature. */
export function answerText(requestSignature: string, body: string): string {
  return `headwater answer 1\n${requestSignature}\n${sha256Of(body)}`
}

function callText({ from, to, path, body }: SignedCall, at: InstantMs): string {
  return `headwater call 1\n${from}\n${to}\n${path}\n${at}\n${sha256Of(body)}`
}

export function sha256Of(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('base64url')
}
