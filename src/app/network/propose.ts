import type { InstantMs } from '../../model/index.ts'
import { type CandidateFeed, chooseParents, mergedWords, profileWords } from '../../network/index.ts'
import { allListedSources } from '../../store/all-sources.ts'
import { sourceIdOf } from '../../store/provenance.ts'
import type { Store } from '../../store/store.ts'
import type { KnownNode, NetworkState } from './network-state.ts'
import { parentFeeds } from './parent-feeds.ts'
import { type FeedProfile, MOST_NODE_WORDS, MOST_WORDS } from './profile-document.ts'

/** What one person can look through. */
const MOST_PROPOSED = 50
const FEEDS_READ = 100
const ITEMS_READ = 50
const ARRIVALS_READ = 300

type ProposalStore = Pick<Store, 'queryFeeds' | 'publications' | 'arrivals' | 'listedSources'>

/** Those that could be reached at the last look. */
export function reachable(nodes: readonly KnownNode[]): readonly KnownNode[] {
  return nodes.filter(({ profile, failure }) => profile !== null && failure === null)
}

/** What this node is about: its query feeds, private ones too, as nobody else learns of it; without any, what it archives. */
export async function ownWords(store: ProposalStore): Promise<readonly string[]> {
  const feeds = (await store.queryFeeds()).slice(0, FEEDS_READ)
  const lists: (readonly string[])[] = []
  for (const { id } of feeds) {
    const items = (await store.publications(id, { limit: ITEMS_READ })).map(({ item }) => item)
    lists.push(profileWordList(profileWords(items, MOST_WORDS)))
  }
  if (lists.every(({ length }) => length === 0)) {
    lists.push(profileWordList(profileWords(await store.arrivals({ kind: 'all' }, ARRIVALS_READ), MOST_NODE_WORDS)))
  }
  return mergedWords(lists, 2 * MOST_NODE_WORDS)
}

export function profileWordList({
  keywords,
  categories,
}:
  | Pick<FeedProfile, 'keywords' | 'categories'>
  | { readonly keywords: readonly string[]; readonly categories: readonly string[] }): string[] {
  return [...new Set([...keywords, ...categories])]
}

/** What to follow where, by thesis 1.6.2, as the profiles are now. */
export async function propose(
  ownId: string,
  state: Pick<NetworkState, 'nodes' | 'alpha' | 'radius' | 'followed'>,
  store: ProposalStore,
  now: InstantMs,
): Promise<NonNullable<NetworkState['proposal']>> {
  const nodes = reachable(state.nodes)
  const sources = (await allListedSources(store)).map(({ url }) => url)
  const parents = parentFeeds(state.nodes)
  const direct = sources.filter((url) => parents.nodeOf(url) === null)
  const own = { node: ownId, words: await ownWords(store), roots: new Set(direct.map(sourceIdOf)) }
  const { chosen, circles } = chooseParents(own, nodes.flatMap(candidatesOf), state)
  const offered = new Map(nodes.flatMap(({ profile }) => profile?.feeds.map((feed) => [feed.url, feed] as const) ?? []))
  const has = new Set(sources)
  const best = new Set(chosen.map(({ url }) => url))
  return {
    at: now,
    follow: chosen
      .filter(({ url }) => !has.has(url))
      .slice(0, MOST_PROPOSED)
      .map(({ url, node, distance, cost, hops, roots }) => ({
        url,
        title: offered.get(url)?.title ?? url,
        node,
        distance,
        cost,
        hops,
        sources: roots.length,
        itemsPerDay: offered.get(url)?.itemsPerDay ?? 0,
      })),
    leave: state.followed.filter((url) => has.has(url) && offered.has(url) && !best.has(url)),
    circles: [...circles],
  }
}

function candidatesOf({ profile }: KnownNode): readonly CandidateFeed[] {
  if (profile === null) return []
  return profile.feeds.map((feed) => ({
    url: feed.url,
    node: profile.node,
    words: profileWordList(feed),
    roots: feed.roots,
    through: [profile.node, ...feed.through],
  }))
}
