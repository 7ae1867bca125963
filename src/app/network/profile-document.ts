import { z } from 'zod'
import { DAY_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { isSignedBy, type NodeIdentity } from './identity.ts'

/*
 * What a node says of itself at /.well-known/headwater: a text of JSON, and the signature of exactly that text. Everything has a
 * limit: who claims more than fits is refused, so that nobody gets near everyone by naming every word there is.
 */

const PROTOCOL = 1
export const PROFILE_PATH = '/.well-known/headwater'
export const MOST_PROFILE_BYTES = 256 * 1024
export const MOST_FEEDS = 100
export const MOST_WORDS = 40
export const MOST_NODE_WORDS = 200
export const MOST_ROOTS = 100
export const MOST_NODES_PASSED = 16
export const MOST_FOLLOWED = 500

const LONGEST_WORD = 60
/** 16 bytes in base64url: of a node, or of a source. */
const shortId = z.string().regex(/^[\w-]{22}$/)
const word = z.string().min(1).max(LONGEST_WORD)
const webAddress = z.url({ protocol: /^https?$/ }).max(2_000)
const publicKey = z.string().regex(/^[\w-]{43}$/)

const feedProfile = z.object({
  name: z.string().min(1).max(200),
  title: z.string().max(300),
  url: webAddress,
  keywords: z.array(word).max(MOST_WORDS),
  categories: z.array(word).max(MOST_WORDS),
  /** Which share of the items of its sources it keeps (thesis 2.1: sel); null: unknown. */
  selectivity: z.number().min(0).max(1).nullable(),
  itemsPerDay: z.number().min(0).max(10_000_000),
  /** Sources whose items reach it, and over how many refreshes. */
  roots: z.array(z.object({ id: shortId, hops: z.int().min(1).max(MOST_NODES_PASSED) })).max(MOST_ROOTS),
  /** Nodes that its items may have come through. */
  through: z.array(shortId).max(MOST_NODES_PASSED),
})

export const nodeProfile = z.object({
  node: shortId,
  key: publicKey,
  handovers: z.array(z.object({ from: publicKey, to: publicKey, signature: z.string().max(100) })).max(8),
  software: z.string().max(100),
  url: webAddress,
  issuedAt: z.number(),
  expiresAt: z.number(),
  keywords: z.array(word).max(MOST_NODE_WORDS),
  categories: z.array(word).max(MOST_NODE_WORDS),
  feeds: z.array(feedProfile).max(MOST_FEEDS),
  /** Nodes whose feeds it follows. */
  parents: z.array(shortId).max(MOST_FOLLOWED),
  /** Over the last day; null: unknown. */
  quality: z.object({
    completeness: z.number().min(0).max(1).nullable(),
    freshness: z.number().min(0).max(1).nullable(),
    delayMs: z.number().min(0).nullable(),
    lostItems: z.number().min(0),
  }),
  hub: webAddress.nullable(),
})

export type FeedProfile = z.infer<typeof feedProfile>
export type NodeProfile = z.infer<typeof nodeProfile>

const anyVersion = z.object({ protocol: z.union([z.number(), z.string().max(20)]) })
const envelope = z.object({ profile: z.string(), signature: z.string().max(100) })

/** Signed ones are good for so long, in case one is kept on the way. */
export const PROFILE_LIFE_MS = DAY_MS
/** Clocks differ. */
const CLOCK_SLACK_MS = 10 * MINUTE_MS

export function signProfile(profile: NodeProfile, identity: Pick<NodeIdentity, 'sign'>): string {
  const text = JSON.stringify(profile)
  return JSON.stringify({ protocol: PROTOCOL, profile: text, signature: identity.sign(signedText(text)) })
}

/**
 * Reads what came from `address`; throws NETWORK_PROTOCOL, NETWORK_PROFILE_INVALID, NETWORK_SIGNATURE, NETWORK_PROFILE_ELSEWHERE or
 * NETWORK_PROFILE_OLD. It says who it is: whether that is true of the name, who knows other nodes must see.
 */
export function readProfile(body: Uint8Array, address: string, now: InstantMs): NodeProfile {
  const document = parsed(Buffer.from(body).toString('utf8'))
  // First: of another version nothing else is known.
  const spoken = anyVersion.safeParse(document).data?.protocol ?? PROTOCOL
  if (spoken !== PROTOCOL) throw new HeadwaterError('NETWORK_PROTOCOL', `it speaks ${spoken}, this node ${PROTOCOL}`)
  const outer = envelope.safeParse(document)
  if (!outer.success) throw new HeadwaterError('NETWORK_PROFILE_INVALID', whyNot(outer.error))
  const { profile: text, signature } = outer.data
  const inner = nodeProfile.safeParse(parsed(text))
  if (!inner.success) throw new HeadwaterError('NETWORK_PROFILE_INVALID', whyNot(inner.error))
  const profile = inner.data
  if (!isSignedBy(profile.key, signedText(text), signature)) throw new HeadwaterError('NETWORK_SIGNATURE')
  checkPlace(profile, address)
  if (profile.expiresAt < now - CLOCK_SLACK_MS || profile.issuedAt > now + CLOCK_SLACK_MS) {
    throw new HeadwaterError('NETWORK_PROFILE_OLD')
  }
  return profile
}

/** A node speaks for its own address alone, and offers no feeds of others. */
function checkPlace({ url, feeds }: NodeProfile, address: string): void {
  const origin = parseUrl(address)?.origin
  if (parseUrl(url)?.origin !== origin) throw new HeadwaterError('NETWORK_PROFILE_ELSEWHERE', url)
  const foreign = feeds.find((feed) => parseUrl(feed.url)?.origin !== origin)
  if (foreign !== undefined) throw new HeadwaterError('NETWORK_PROFILE_ELSEWHERE', foreign.url)
}

function signedText(text: string): string {
  return `headwater profile ${PROTOCOL}\n${text}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function whyNot({ issues }: z.ZodError): string {
  const [issue] = issues
  return issue === undefined ? '' : `${issue.path.join('.') || 'it'}: ${issue.message}`.slice(0, 200)
}
