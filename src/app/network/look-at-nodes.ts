import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { InstantMs } from '../../model/index.ts'
import { type ErrorCode, HeadwaterError } from '../../runtime/errors.ts'
import { contentOf } from '../sources/feed-requests.ts'
import { isSameNode } from './identity.ts'
import type { KnownNode } from './network-state.ts'
import { nodeAddresses } from './node-url.ts'
import { MOST_PROFILE_BYTES, type NodeProfile, PROFILE_PATH, readProfile } from './profile-document.ts'

/** Behind the guard and the limits of every fetch; throws why there is none that can be used. */
export async function fetchProfile(url: string, fetcher: Fetcher, now: () => InstantMs): Promise<NodeProfile> {
  const own = { headers: {}, basicAuth: null, userAgent: null, proxyUrl: null, etag: null, lastModified: null }
  const fetched = await fetcher.fetch({ url: `${url}${PROFILE_PATH}`, maxBytes: MOST_PROFILE_BYTES, ...own })
  return readProfile(contentOf(`${url}${PROFILE_PATH}`, fetched).body, url, now())
}

/** Somebody answers there, and has no profile or that of another place. */
const NO_NODE: readonly ErrorCode[] = [
  'HTTP_UNAUTHORIZED',
  'HTTP_FORBIDDEN',
  'HTTP_NOT_FOUND',
  'HTTP_GONE',
  'HTTP_CLIENT_ERROR',
  'HTTP_UNEXPECTED',
  'NETWORK_PROFILE_INVALID',
  'NETWORK_PROFILE_ELSEWHERE',
]

/**
 * The address of the node that this was copied from: the first place that has a profile. Where none has, that of one that is known,
 * or else the likeliest, which then says why not. Throws FETCH_BAD_URL.
 */
export async function findNode(
  text: string,
  known: readonly Pick<KnownNode, 'url'>[],
  fetcher: Fetcher,
  now: () => InstantMs,
): Promise<string> {
  const places = nodeAddresses(text)
  const isKnown = (place: string) => known.some(({ url }) => url === place)
  if (places.length === 1 || isKnown(places[0])) return places[0]
  for (const place of places) {
    const code = await failureAt(place, fetcher, now)
    // A node that says something wrong is one, too.
    if (code === null || (code.startsWith('NETWORK_') && !NO_NODE.includes(code))) return place
    // A host that does not answer is not asked for more.
    if (!NO_NODE.includes(code)) break
  }
  return places.find(isKnown) ?? places[0]
}

async function failureAt(place: string, fetcher: Fetcher, now: () => InstantMs): Promise<ErrorCode | null> {
  try {
    await fetchProfile(place, fetcher, now)
    return null
  } catch (error) {
    if (error instanceof HeadwaterError) return error.code
    throw error
  }
}

export function newNode(url: string): KnownNode {
  return { url, profile: null, lookedAt: null, failure: null, looks: 0, refused: 0 }
}

/**
 * What is known of a node after one more look at it. What it said before stays where this look failed, for people to see; it
 * counts no longer.
 */
export async function lookAtNode(
  node: KnownNode,
  known: { readonly ownId: string; readonly others: readonly KnownNode[] },
  fetcher: Fetcher,
  now: () => InstantMs,
): Promise<KnownNode> {
  try {
    const profile = await fetchProfile(node.url, fetcher, now)
    checkName(profile, node, known)
    return { ...node, profile, lookedAt: now(), failure: null, looks: node.looks + 1 }
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    const failure = { code: error.code, message: error.message.slice(0, 300), at: now() }
    return { ...node, lookedAt: now(), failure, refused: node.refused + 1 }
  }
}

/** A name belongs to who had it first; a node keeps it with another key only if the key before vouches for that. */
function checkName(
  { node: name, key, handovers }: NodeProfile,
  { url, profile: before }: KnownNode,
  { ownId, others }: { readonly ownId: string; readonly others: readonly KnownNode[] },
): void {
  if (name === ownId) throw new HeadwaterError('NETWORK_ITSELF', url)
  const taken = others.find((other) => other.url !== url && other.profile?.node === name)
  if (taken !== undefined) throw new HeadwaterError('NETWORK_ID_TAKEN', `${url} and ${taken.url}`)
  if (before !== null && (before.node !== name || !isSameNode(before.key, key, handovers))) {
    throw new HeadwaterError('NETWORK_ID_TAKEN', url)
  }
}
