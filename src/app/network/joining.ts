import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { InstantMs } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { withSourceDefaults } from '../sources/import-sources.ts'
import { findNode, lookAtNode, newNode } from './look-at-nodes.ts'
import { changeNetwork, countRefusal, type KnownNode, NETWORK, type NetworkState } from './network-state.ts'
import { nodeAddresses } from './node-url.ts'
import { propose } from './propose.ts'

export interface JoinDeps {
  readonly store: Store
  readonly fetcher: Fetcher
  readonly ownId: string
  readonly clock: Pick<Clock, 'now'>
}

const MOST_NODES = 50
const LOOKS_AT_ONCE = 4
/** The folder of what is followed because it was proposed. */
const NETWORK_FOLDER = 'Network'

/**
 * Gets to know nodes, and proposes what to follow; nothing is followed yet. Returns what they are known by. Throws FETCH_BAD_URL,
 * NETWORK_TOO_MANY.
 */
export async function joinNodes(
  addresses: readonly string[],
  terms: Partial<Pick<NetworkState, 'alpha' | 'radius'>>,
  deps: JoinDeps,
): Promise<readonly string[]> {
  const urls = await findNodes(addresses, deps)
  await changeNetwork(deps.store, (state) => {
    const known = new Set(state.nodes.map(({ url }) => url))
    const nodes = [...state.nodes, ...urls.filter((url) => !known.has(url)).map(newNode)]
    if (nodes.length > MOST_NODES) throw new HeadwaterError('NETWORK_TOO_MANY', `${MOST_NODES} at most`)
    return { ...state, ...terms, nodes }
  })
  await lookAgain(deps, (node) => urls.includes(node.url))
  return urls
}

async function findNodes(addresses: readonly string[], { store, fetcher, clock }: JoinDeps) {
  const { nodes } = await store.state(NETWORK)
  // Nobody is asked before all of them are addresses.
  const unlike = [...new Map(addresses.map((text) => [nodeAddresses(text)[0], text])).values()]
  if (unlike.length > MOST_NODES) throw new HeadwaterError('NETWORK_TOO_MANY', `${MOST_NODES} at most`)
  const urls = new Set<string>()
  for (const text of unlike) urls.add(await findNode(text, nodes, fetcher, () => clock.now()))
  return [...urls]
}

/** Looks at nodes once more, and judges anew what should be followed. */
export async function lookAgain(deps: JoinDeps, isMeant: (node: KnownNode) => boolean = () => true) {
  const { nodes } = await deps.store.state(NETWORK)
  const queue = nodes.filter(isMeant)
  const look = async () => {
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) await lookOnce(node.url, deps)
  }
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look))
  return proposeAgain(deps)
}

async function lookOnce(url: string, { store, fetcher, ownId, clock }: JoinDeps): Promise<void> {
  const { nodes } = await store.state(NETWORK)
  const before = nodes.find((node) => node.url === url)
  if (before === undefined) return
  const lookedUp = await lookAtNode(before, { ownId, others: nodes }, fetcher, () => clock.now())
  await changeNetwork(store, (state) => ({
    ...state,
    nodes: state.nodes.map((node) => (node.url === url ? lookedUp : node)),
    refusals: lookedUp.failure === null ? state.refusals : countRefusal(state, lookedUp.failure.code),
  }))
}

async function proposeAgain({ store, ownId, clock }: JoinDeps): Promise<NetworkState> {
  const proposal = await propose(ownId, await store.state(NETWORK), store, clock.now())
  return changeNetwork(store, (state) => ({ ...state, proposal }))
}

interface AppliedProposal {
  readonly followed: readonly string[]
  readonly paused: readonly string[]
}

/**
 * Follows what is proposed, or those feeds of it; pauses what is no longer the best parent. Throws NETWORK_NOT_PROPOSED: what a
 * person has seen and confirmed is what happens.
 */
export async function applyProposal(feeds: readonly string[] | null, deps: JoinDeps): Promise<AppliedProposal> {
  const { store, clock } = deps
  const { proposal } = await store.state(NETWORK)
  const proposed = new Map(proposal?.follow.map((feed) => [feed.url, feed]) ?? [])
  const wanted = feeds ?? [...proposed.keys(), ...(proposal?.leave ?? [])]
  const other = wanted.find((url) => !proposed.has(url) && !proposal?.leave.includes(url))
  if (other !== undefined || proposal === null) throw new HeadwaterError('NETWORK_NOT_PROPOSED', other)
  const follow = wanted.filter((url) => proposed.has(url))
  await followFeeds(follow, store, clock.now())
  const paused = wanted.filter((url) => proposal.leave.includes(url))
  for (const url of paused) {
    const source = await store.sourceByUrl(url)
    if (source !== null) await store.updateSource(source.id, { paused: true })
  }
  await changeNetwork(store, (state) => ({
    ...state,
    followed: [...new Set([...state.followed, ...follow])].filter((url) => !paused.includes(url)),
  }))
  await proposeAgain(deps)
  return { followed: follow, paused }
}

async function followFeeds(urls: readonly string[], store: Store, now: InstantMs): Promise<void> {
  const added = await store.addSources(
    urls.map((url) => withSourceDefaults({ url, categories: [NETWORK_FOLDER] })),
    now,
  )
  await store.requestRefresh(
    added.map(({ source }) => source.id),
    now,
  )
}

/** Forgets a node; what is followed of it stays a source. Throws NETWORK_NODE_UNKNOWN. */
export async function leaveNode(address: string, deps: JoinDeps): Promise<void> {
  const [url] = nodeAddresses(address)
  await changeNetwork(deps.store, (state) => {
    const nodes = state.nodes.filter((node) => node.url !== url)
    if (nodes.length === state.nodes.length) throw new HeadwaterError('NETWORK_NODE_UNKNOWN', url)
    return { ...state, nodes }
  })
  await proposeAgain(deps)
}
