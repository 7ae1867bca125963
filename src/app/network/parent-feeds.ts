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

export function parentFeeds(nodes: readonly Pick<KnownNode, 'profile'>[]): ParentFeeds {
  const byAddress = new Map<string, { readonly node: string; readonly feed: FeedProfile }>()
  const byOrigin = new Map<string, string>()
  for (const { profile } of nodes) {
    if (profile === null) continue
    byOrigin.set(parseUrl(profile.url)?.origin ?? profile.url, profile.node)
    for (const feed of profile.feeds) byAddress.set(anyFormat(feed.url), { node: profile.node, feed })
  }
  const nodeOf = (url: string) => byOrigin.get(parseUrl(url)?.origin ?? '') ?? null
  return {
    nodeOf,
    waysOf(url) {
      const known = byAddress.get(anyFormat(url))
      const node = nodeOf(url)
      const through = [...(node === null ? [] : [node]), ...(known?.feed.through ?? [])]
      const roots = known?.feed.roots.map(({ id, hops }) => ({ id, hops: Math.min(MOST_NODES_PASSED, hops + 1) }))
      return { roots: roots ?? [{ id: sourceIdOf(url), hops: 1 }], through }
    },
  }
}

/** RSS, Atom and JSON of a feed are one feed. */
function anyFormat(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\.(?:rss|atom|json)$/, '')
}
