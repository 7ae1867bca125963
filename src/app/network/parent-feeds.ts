import { parseUrl } from '../../runtime/parse-url.ts'
import { sourceIdOf } from '../../store/provenance.ts'
import type { KnownNode } from './network-state.ts'
import { type FeedProfile, MOST_NODES_PASSED } from './profile-document.ts'

/** What reaches this node by a source: the source alone, or what a feed of another node carries. */
interface SourceWay {
  readonly roots: FeedProfile['roots']
  readonly through: readonly string[]
}

/** Which sources of a node are feeds of nodes that it knows. */
export interface ParentFeeds {
  /** null: it is a feed of no node that is known. */
  nodeOf(sourceUrl: string): string | null
  waysOf(sourceUrl: string): SourceWay
}

export function parentFeeds(known: readonly Pick<KnownNode, 'profile'>[]): ParentFeeds {
  const byAddress = new Map<string, { readonly node: string; readonly feed: FeedProfile }>()
  const nodes: { readonly base: string; readonly node: string }[] = []
  for (const { profile } of known) {
    if (profile === null) continue
    nodes.push({ base: baseOf(profile.url), node: profile.node })
    for (const feed of profile.feeds) byAddress.set(anyFormat(feed.url), { node: profile.node, feed })
  }
  // Nodes below paths of one host: the longest says whose it is.
  nodes.sort((a, b) => b.base.length - a.base.length)
  const nodeOf = (url: string) => {
    const address = baseOf(url)
    return nodes.find(({ base }) => address === base || address.startsWith(`${base}/`))?.node ?? null
  }
  return {
    nodeOf,
    waysOf(url) {
      const offered = byAddress.get(anyFormat(url))
      const node = nodeOf(url)
      const through = [...(node === null ? [] : [node]), ...(offered?.feed.through ?? [])]
      const roots = offered?.feed.roots.map(({ id, hops }) => ({ id, hops: Math.min(MOST_NODES_PASSED, hops + 1) }))
      return { roots: roots ?? [{ id: sourceIdOf(url), hops: 1 }], through }
    },
  }
}

/** Origin and path, without a slash at the end. */
function baseOf(address: string): string {
  const url = parseUrl(address)
  return url === null ? address : (url.origin + url.pathname).replace(/\/+$/, '')
}

/** RSS, Atom and JSON of a feed are one feed. */
function anyFormat(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\.(?:rss|atom|json)$/, '')
}
