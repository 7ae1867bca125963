import { HeadwaterError } from '../../runtime/errors.ts'
import { fingerprint, isSameNode } from './identity.ts'
import type { JoinDeps } from './joining.ts'
import { fetchProfile, findNode } from './look-at-nodes.ts'
import { changeNetwork, countRefusal, NETWORK, type TrustedPeer } from './network-state.ts'
import { nodeAddresses } from './node-url.ts'

const MOST_PEERS = 20

/**
 * Trusts the node at an address, by the key that it has at this moment. `print`: what its operator has said the key is. Throws
 * NETWORK_ID_TAKEN where it is another, and whatever is wrong with its profile.
 */
export async function trustNode(address: string, print: string | null, deps: JoinDeps): Promise<TrustedPeer> {
  const { store, fetcher, ownId, clock } = deps
  const { nodes, peers } = await store.state(NETWORK)
  const url = await findNode(address, [...nodes, ...peers], fetcher, () => clock.now())
  const { node, key, handovers } = await fetchProfile(url, fetcher, () => clock.now())
  if (node === ownId) throw new HeadwaterError('NETWORK_ITSELF', url)
  if (print !== null && withoutSpaces(print) !== withoutSpaces(fingerprint(key))) {
    throw new HeadwaterError('NETWORK_ID_TAKEN', `its key is ${fingerprint(key)}`)
  }
  const now = clock.now()
  const peer: TrustedPeer = { node, url, key, trustedAt: now, checkedAt: now, failure: null }
  await changeNetwork(store, (state) => {
    const before = state.peers.find((one) => one.node === node)
    if (before !== undefined && !isSameNode(before.key, key, handovers)) {
      throw new HeadwaterError('NETWORK_ID_TAKEN', url)
    }
    const peers = [
      ...state.peers.filter((one) => one.node !== node),
      { ...peer, ...(before && { trustedAt: before.trustedAt }) },
    ]
    if (peers.length > MOST_PEERS) throw new HeadwaterError('NETWORK_TOO_MANY', `${MOST_PEERS} at most`)
    return { ...state, peers }
  })
  return peer
}

/** By name or address. Throws NETWORK_NODE_UNKNOWN. */
export async function revokeNode(which: string, { store }: Pick<JoinDeps, 'store'>): Promise<void> {
  const url = which.includes('://') ? nodeAddresses(which)[0] : null
  await changeNetwork(store, (state) => {
    const peers = state.peers.filter((peer) => peer.node !== which && peer.url !== url)
    if (peers.length === state.peers.length) throw new HeadwaterError('NETWORK_NODE_UNKNOWN', which)
    return { ...state, peers }
  })
}

/** Looks at the keys of trusted nodes: who has a new one that the old one vouches for keeps the trust, others do not. */
export async function checkPeers(deps: JoinDeps): Promise<void> {
  const { store, fetcher, clock } = deps
  for (const peer of (await store.state(NETWORK)).peers) {
    const checked = await checkPeer(peer, fetcher, clock)
    await changeNetwork(store, (state) => ({
      ...state,
      peers: state.peers.map((one) => (one.node === peer.node ? checked : one)),
      refusals: checked.failure === null ? state.refusals : countRefusal(state, checked.failure.code),
    }))
  }
}

async function checkPeer(
  peer: TrustedPeer,
  fetcher: JoinDeps['fetcher'],
  clock: JoinDeps['clock'],
): Promise<TrustedPeer> {
  try {
    const { node, key, handovers } = await fetchProfile(peer.url, fetcher, () => clock.now())
    if (node !== peer.node || !isSameNode(peer.key, key, handovers)) {
      throw new HeadwaterError('NETWORK_ID_TAKEN', peer.url)
    }
    return { ...peer, key, checkedAt: clock.now(), failure: null }
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    return { ...peer, failure: { code: error.code, message: error.message.slice(0, 300), at: clock.now() } }
  }
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}
