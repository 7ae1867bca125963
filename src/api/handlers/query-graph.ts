import type { QueryFeed } from '../../model/index.ts'
import type { AnswerOf } from '../operations/operation.ts'
import type { queryOperations } from '../operations/queries.ts'
import type { FeedOrigin } from '../services.ts'

type Graph = AnswerOf<typeof queryOperations.queryGraph>

/** Feeds as nodes, with what they read; a feed that may not be seen is not named, nor what leads to it. */
export function graphOf(feeds: readonly QueryFeed[], origins: ReadonlyMap<string, readonly FeedOrigin[]>): Graph {
  const nodes = new Map<string, Graph['nodes'][number]>()
  const edges: Graph['edges'] = []
  const visible = new Set(feeds.map(({ name }) => name))
  const nodeFor = (kind: FeedOrigin['kind'], name: string) => {
    const id = kind === 'all' ? 'all' : `${kind}:${name}`
    nodes.set(id, { id, kind, name })
    return id
  }
  for (const { name } of feeds) {
    const to = nodeFor('feed', name)
    for (const origin of origins.get(name) ?? []) {
      if (origin.kind === 'feed' && !visible.has(origin.name)) continue
      edges.push({ from: nodeFor(origin.kind, origin.name), to, kind: origin.isJoin ? 'joins' : 'reads' })
    }
  }
  return { nodes: [...nodes.values()], edges }
}
