import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { randomSecret } from '../../runtime/random.ts'
import { textState } from '../../store/node-state.ts'
import { nodeIdOf } from '../../store/provenance.ts'
import { fetcherKey } from '../crawling/fetcher-key.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { sealedKey } from '../data/sealed-key.ts'

/** That a node has taken another key: said of the new one, signed with the one before. */
interface KeyHandover {
  readonly from: string
  readonly to: string
  readonly signature: string
}

/** How a node proves to others that it is itself. */
export interface NodeIdentity {
  /** As in the paths of items. */
  readonly id: string
  /** Ed25519, 32 bytes in base64url. */
  readonly key: string
  /** From the first key to this one. */
  readonly handovers: readonly KeyHandover[]
  sign(text: string): string
}

const NETWORK_KEY = textState('network-key')

/** Keys that a node had before and that are still vouched for: who has not looked for longer must trust it anew. */
const MOST_HANDOVERS = 8

const stored = z.object({
  secret: z.string().min(16),
  handovers: z.array(z.object({ from: z.string(), to: z.string(), signature: z.string() })),
})
type StoredKey = z.infer<typeof stored>

type KeyData = Pick<OpenedData, 'store' | 'vault'>

/** Made when it is first asked for. All processes on the same data have the same. */
export async function nodeIdentity(data: KeyData): Promise<NodeIdentity> {
  const [secret, fetchers] = [await storedKey(data), await fetcherKey(data)]
  return identityOf(secret, nodeIdOf(fetchers))
}

/** Another key, which the one before vouches for. */
export async function rotateKey(data: KeyData): Promise<NodeIdentity> {
  const before = await nodeIdentity(data)
  const secret = randomSecret()
  const to = publicKeyOf(privateKeyOf(secret))
  const handover = { from: before.key, to, signature: before.sign(handoverText(before.key, to)) }
  const handovers = [...before.handovers, handover].slice(-MOST_HANDOVERS)
  await data.store.saveState(NETWORK_KEY, data.vault.seal(JSON.stringify({ secret, handovers })))
  return nodeIdentity(data)
}

/** Whether a node that had the key `known` has vouched for the key that it has now. */
export function isSameNode(known: string, key: string, handovers: readonly KeyHandover[]): boolean {
  let at = known
  for (const { from, to, signature } of handovers) {
    if (at === key) return true
    if (from === at && isSignedBy(from, handoverText(from, to), signature)) at = to
  }
  return at === key
}

/** Bad keys and signatures are no signatures. */
export function isSignedBy(key: string, text: string, signature: string): boolean {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
    return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/** For people to compare. */
export function fingerprint(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex').slice(0, 32)
  return hex.match(/.{4}/g)?.join(' ') ?? hex
}

function handoverText(from: string, to: string): string {
  return `headwater key ${from} ${to}`
}

async function storedKey(data: KeyData): Promise<StoredKey> {
  const fresh: StoredKey = { secret: randomSecret(), handovers: [] }
  const text = await sealedKey(NETWORK_KEY, data, JSON.stringify(fresh))
  return stored.parse(JSON.parse(text))
}

function identityOf({ secret, handovers }: StoredKey, id: string): NodeIdentity {
  const key = privateKeyOf(secret)
  return {
    id,
    key: publicKeyOf(key),
    handovers,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}

/** RFC 8410: the bytes before the 32 of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function privateKeyOf(secret: string): KeyObject {
  const seed = createHash('sha256').update(`headwater node key ${secret}`).digest()
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
}

function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'jwk' }).x ?? ''
}
