import { entryAt } from '../model/entry-at.ts'
import { type SubscriptionGraph, subscriptionGraph } from './subscription-graph.ts'

export interface TopologyOptions {
  /** Weight of being alike against being near the root; 0 makes stars. */
  readonly alpha: number
  /** A query feed joins the tree of a source only when it is at most this far from it. */
  readonly radius: number
}

/**
 * The tree of one source. Places are in order of joining, the root first, so a parent's place is always lower: cutting
 * the arrays after k places gives the tree as it was with k members.
 */
export interface SourceTree {
  /** Number of the query feed at each place; −1 for the root. */
  readonly members: Int32Array
  /** Place of the feed it reads; −1 for the root. */
  readonly parents: Int32Array
  /** Hops from the root. */
  readonly hops: Int32Array
}

/** Distance of two nodes: −1 is the root, else the number of a query feed. */
export type NodeDistance = (a: number, b: number) => number

/**
 * Thesis 1.6.2, after the trees of Fabrikant et al. (FKP02): query feeds arrive one by one, and each attaches itself to
 * the member j that makes hops(j) + α·distance(j, i) least. Of equal ones the first to have come. Looks at every member,
 * so n²/2 distances for n arrivals.
 */
export function growTree(arrivals: Iterable<number>, distance: NodeDistance, options: TopologyOptions): SourceTree {
  const { alpha, radius } = options
  const members = [-1]
  const parents = [-1]
  const hops = [0]
  for (const arrival of arrivals) {
    if (!(distance(-1, arrival) <= radius)) continue
    const best = cheapestParent(hops, (place) => distance(members[place] ?? 0, arrival), alpha)
    members.push(arrival)
    parents.push(best)
    hops.push((hops[best] ?? 0) + 1)
  }
  return { members: Int32Array.from(members), parents: Int32Array.from(parents), hops: Int32Array.from(hops) }
}

/** The place that makes hops + α·distance least; of equal ones the first. 0 where there is none. */
export function cheapestParent(hops: readonly number[], distanceAt: (place: number) => number, alpha: number): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let place = 0; place < hops.length; place++) {
    const h = hops[place] ?? 0
    // What is already deeper than the best is no candidate, however alike: saves most distances at a small α.
    if (h >= least) continue
    const cost = h + alpha * distanceAt(place)
    if (cost < least) {
      least = cost
      best = place
    }
  }
  return best
}

/** Feeds read by how many others, at each place. */
export function outdegrees(tree: SourceTree): Int32Array {
  const degrees = new Int32Array(tree.parents.length)
  for (const parent of tree.parents.subarray(1)) degrees[parent] = (degrees[parent] ?? 0) + 1
  return degrees
}

export interface Nodes<Node> {
  readonly sources: readonly Node[]
  readonly queries: readonly Node[]
  readonly distance: (a: Node, b: Node) => number
  /** Query feeds with more of it arrive first (the coverage of their profile); equal ones in the given order. */
  readonly breadth: (node: Node) => number
}

export interface Topology {
  /** One per source. */
  readonly trees: readonly SourceTree[]
  /** All trees laid over each other: sources first, then the query feeds. */
  readonly graph: SubscriptionGraph
}

/** The tree of every source over the same query feeds, and the subscription graph that they form together. */
export function growTopology<Node>(nodes: Nodes<Node>, options: TopologyOptions): Topology {
  const { sources, queries, distance } = nodes
  const order = arrivalOrder(nodes)
  const trees = sources.map((source) => {
    const nodeAt = (number: number) => (number < 0 ? source : entryAt(queries, number))
    return growTree(order, (a, b) => distance(nodeAt(a), nodeAt(b)), options)
  })
  const kinds = [...sources.map(() => 'source' as const), ...queries.map(() => 'query' as const)]
  const outcome = subscriptionGraph(
    kinds,
    trees.flatMap((tree, source) => subscriptionsOf(tree, source, sources.length)),
  )
  // One order of arrival for all trees makes every edge lead from an earlier feed to a later one: no cycle can arise.
  if (!outcome.ok) throw new Error(`a topology that is no subscription graph: ${outcome.problem.kind}`)
  return { trees, graph: outcome.graph }
}

function arrivalOrder<Node>({ queries, breadth }: Nodes<Node>): number[] {
  const breadths = queries.map(breadth)
  return [...queries.keys()].sort((a, b) => (breadths[b] ?? 0) - (breadths[a] ?? 0) || a - b)
}

function subscriptionsOf(tree: SourceTree, source: number, sourceCount: number) {
  const feedAt = (node: number) => (node === 0 ? source : sourceCount + (tree.members[node] ?? 0))
  return Array.from(tree.members.keys())
    .slice(1)
    .map((node) => ({ from: feedAt(tree.parents[node] ?? 0), to: feedAt(node) }))
}
