import { entryAt } from '../model/entry-at.ts'
/** A feed of the network by its number: its place in `nodes`. */
export type FeedNumber = number

/** Sources bring items into the network; query feeds are computed from other feeds (thesis 1.6.1). */
export type FeedKind = 'source' | 'query'

export interface FeedLink {
  /** The feed that is read … */
  readonly from: FeedNumber
  /** … and the query feed that is defined on it. */
  readonly to: FeedNumber
}

/** Definition 1.6.1: a directed acyclic graph. Only `subscriptionGraph` makes one, so that it always is. */
export interface SubscriptionGraph {
  readonly kinds: readonly FeedKind[]
  readonly subscriptions: readonly FeedLink[]
  /** S(q) of each feed, ascending; empty for sources. */
  readonly inputs: readonly (readonly FeedNumber[])[]
  /** Who reads each feed, ascending. */
  readonly readers: readonly (readonly FeedNumber[])[]
  /** Every feed after all of its inputs. */
  readonly order: readonly FeedNumber[]
}

export type GraphProblem =
  | { readonly kind: 'unknown-feed'; readonly feed: FeedNumber }
  /** Sources create items; they are subscribed to nothing. */
  | { readonly kind: 'source-with-input'; readonly feed: FeedNumber }
  /** The feeds that wait for each other, or for one that does. */
  | { readonly kind: 'cycle'; readonly feeds: readonly FeedNumber[] }

export type GraphOutcome =
  | { readonly ok: true; readonly graph: SubscriptionGraph }
  | { readonly ok: false; readonly problem: GraphProblem }

/** Builds the graph or says why it is none. A subscription given twice counts once. */
export function subscriptionGraph(kinds: readonly FeedKind[], links: Iterable<FeedLink>): GraphOutcome {
  const inputs = kinds.map(() => new Set<FeedNumber>())
  for (const { from, to } of links) {
    for (const feed of [from, to]) if (kinds[feed] === undefined) return refused({ kind: 'unknown-feed', feed })
    if (kinds[to] === 'source') return refused({ kind: 'source-with-input', feed: to })
    entryAt(inputs, to).add(from)
  }
  const sorted = inputs.map((set) => [...set].sort((a, b) => a - b))
  const readers: FeedNumber[][] = kinds.map(() => [])
  for (const [to, from] of sorted.entries()) for (const feed of from) entryAt(readers, feed).push(to)
  const order = topologicalOrder(sorted, readers)
  if (order.length < kinds.length) {
    const done = new Set(order)
    return refused({ kind: 'cycle', feeds: [...kinds.keys()].filter((feed) => !done.has(feed)) })
  }
  const subscriptions = sorted.flatMap((from, to) => from.map((feed) => ({ from: feed, to })))
  return { ok: true, graph: { kinds, subscriptions, inputs: sorted, readers, order } }
}

function refused(problem: GraphProblem): GraphOutcome {
  return { ok: false, problem }
}

/** Feeds whose inputs are all done, first come first; feeds on or behind a cycle never get there. */
function topologicalOrder(
  inputs: readonly (readonly FeedNumber[])[],
  readers: readonly (readonly FeedNumber[])[],
): FeedNumber[] {
  const missing = inputs.map((list) => list.length)
  const order = [...missing.keys()].filter((feed) => missing[feed] === 0)
  for (let index = 0; index < order.length; index++) {
    for (const reader of entryAt(readers, order[index] ?? 0)) {
      missing[reader] = (missing[reader] ?? 0) - 1
      if (missing[reader] === 0) order.push(reader)
    }
  }
  return order
}

/** S(n) of an aggregator n that holds these query feeds: all feeds it has to refresh, its own ones left out. */
export function inputsOfAggregator(graph: SubscriptionGraph, queryFeeds: Iterable<FeedNumber>): FeedNumber[] {
  const own = new Set(queryFeeds)
  const inputs = new Set([...own].flatMap((feed) => entryAt(graph.inputs, feed)))
  return [...inputs].filter((feed) => !own.has(feed)).sort((a, b) => a - b)
}

/** Refreshes between a feed and the farthest source above it: 0 for sources and for feeds without input. */
export function levels(graph: SubscriptionGraph): number[] {
  const level = graph.kinds.map(() => 0)
  for (const feed of graph.order) {
    for (const input of entryAt(graph.inputs, feed)) level[feed] = Math.max(level[feed] ?? 0, (level[input] ?? 0) + 1)
  }
  return level
}

/** The sources whose items can reach each feed, ascending. */
export function reachingSources(graph: SubscriptionGraph): FeedNumber[][] {
  const origins = graph.kinds.map((kind, feed) => new Set(kind === 'source' ? [feed] : []))
  for (const feed of graph.order) {
    for (const input of entryAt(graph.inputs, feed))
      for (const origin of entryAt(origins, input)) entryAt(origins, feed).add(origin)
  }
  return origins.map((set) => [...set].sort((a, b) => a - b))
}
