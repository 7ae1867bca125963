import type { NetworkView } from '../../api/services.ts'
import { DAY_MS, type InstantMs, type PushSubscription, type SourceId } from '../../model/index.ts'
import { wordDistance } from '../../network/index.ts'
import { measureQuality } from '../../quality/live.ts'
import { allListedSources } from '../../store/all-sources.ts'
import type { ListedSource } from '../../store/source-summaries.ts'
import type { Store } from '../../store/store.ts'
import { fingerprint, type NodeIdentity } from './identity.ts'
import { type KnownNode, NETWORK, type TrustedPeer } from './network-state.ts'
import { type ParentFeeds, parentFeeds } from './parent-feeds.ts'
import { PROFILE_PATH } from './profile-document.ts'
import { ownWords, profileWordList, reachable } from './propose.ts'
import { NO_PEER_TALLY, type PeerTally, SHARING } from './sharing-state.ts'

export interface ViewDeps {
  readonly store: Store
  readonly identity: Pick<NodeIdentity, 'id' | 'key'>
  readonly baseUrl: string
  readonly isOn: boolean
  readonly now: InstantMs
}

const WORDS_SHOWN = 12
const PAGE = 1_000

/** All that status and dashboard show. */
export async function networkViewOf({ store, identity, baseUrl, isOn, now }: ViewDeps): Promise<NetworkView> {
  const state = await store.state(NETWORK)
  const parents = parentFeeds(state.nodes)
  const listed = await allListedSources(store)
  const words = reachable(state.nodes).length > 0 ? await ownWords(store) : []
  const followed = listed.filter(({ url }) => parents.nodeOf(url) !== null)
  const tallies = await talliesOf(store)
  return {
    isOn,
    node: identity.id,
    fingerprint: fingerprint(identity.key),
    profileUrl: `${baseUrl.replace(/\/+$/, '')}${PROFILE_PATH}`,
    alpha: state.alpha,
    radius: state.radius,
    sources: listed.length - followed.length,
    nodes: state.nodes.map((node) => nodeView(node, words)),
    edges: await edgesOf(followed, parents, identity.id, store, now),
    proposal: state.proposal,
    peers: state.peers.map((peer) => peerView(peer, tallies.get(peer.node) ?? NO_PEER_TALLY)),
    refusals: Object.entries(state.refusals).map(([code, count]) => ({ code, count })),
  }
}

function nodeView({ profile, ...node }: KnownNode, words: readonly string[]): NetworkView['nodes'][number] {
  const own = profile === null ? [] : profileWordList(profile)
  return {
    ...node,
    node: profile?.node ?? null,
    fingerprint: profile && fingerprint(profile.key),
    software: profile?.software ?? null,
    feeds: profile?.feeds.length ?? 0,
    keywords: own.slice(0, WORDS_SHOWN),
    distance: profile === null || words.length === 0 ? null : wordDistance(words, own),
    parents: profile?.parents ?? [],
    completeness: profile?.quality.completeness ?? null,
    delayMs: profile?.quality.delayMs ?? null,
  }
}

function peerView(peer: TrustedPeer, tally: PeerTally): NetworkView['peers'][number] {
  const { node, url, trustedAt, failure } = peer
  return { node, url, fingerprint: fingerprint(peer.key), trustedAt, failure, ...tally }
}

/** Of all processes of this node that crawl. */
async function talliesOf(store: Pick<Store, 'states'>): Promise<ReadonlyMap<string, PeerTally>> {
  const [newest] = await store.states(SHARING)
  return new Map(Object.entries(newest?.value ?? {}))
}

async function edgesOf(
  followed: readonly ListedSource[],
  parents: ParentFeeds,
  ownId: string,
  store: Store,
  now: InstantMs,
): Promise<NetworkView['edges']> {
  if (followed.length === 0) return []
  const pushes = await pushesOf(new Set(followed.map(({ id }) => id)), store)
  const tallies = await store.qualities(
    followed.map(({ id }) => [id]),
    now - DAY_MS,
    now,
  )
  return followed.map(({ id, url, name, title }, place) => {
    const { roots, through } = parents.waysOf(url)
    const tally = tallies[place]
    const measures = tally === undefined ? null : measureQuality(tally)
    const requests = measures?.requests ?? 0
    const pushed = pushes.get(id)?.pushes ?? 0
    return {
      sourceId: id,
      title: name ?? title ?? url,
      url,
      node: parents.nodeOf(url) ?? '',
      hops: Math.max(1, ...roots.map(({ hops }) => hops)),
      items: measures?.items ?? 0,
      delayMs: measures?.delay?.meanMs ?? null,
      lost: measures?.lost.items ?? 0,
      pushes: pushed,
      polls: requests,
      isCircle: through.includes(ownId),
    }
  })
}

async function pushesOf(
  ids: ReadonlySet<SourceId>,
  store: Pick<Store, 'pushes'>,
): Promise<ReadonlyMap<SourceId, PushSubscription>> {
  const found = new Map<SourceId, PushSubscription>()
  for (let afterId = 0; ; ) {
    const page = await store.pushes({ afterId, limit: PAGE })
    for (const push of page) if (ids.has(push.sourceId)) found.set(push.sourceId, push)
    if (page.length < PAGE) return found
    afterId = page.at(-1)?.sourceId ?? afterId
  }
}
