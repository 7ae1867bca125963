import { jaccardDistance, profileOf } from './keyword-profile.ts'
import { cheapestParent, type TopologyOptions } from './topology.ts'

/** A feed of another node that could be followed. */
export interface CandidateFeed {
  readonly url: string
  /** The node that publishes it. */
  readonly node: string
  readonly words: readonly string[]
  /** Sources whose items reach it, and over how many refreshes. */
  readonly roots: readonly { readonly id: string; readonly hops: number }[]
  /** Nodes that its items may have come through. */
  readonly through: readonly string[]
}

export interface ChosenParent {
  readonly url: string
  readonly node: string
  /** JDist of its words and ours. */
  readonly distance: number
  /** hops + α·JDist, of the nearest of its sources. */
  readonly cost: number
  /** Sources for which it is the best parent. */
  readonly roots: readonly string[]
  /** Most refreshes between one of them and us. */
  readonly hops: number
}

export interface ParentChoice {
  readonly chosen: readonly ChosenParent[]
  /** Within the radius, but our own items would come back through them. */
  readonly circles: readonly string[]
}

export interface ChoosingNode {
  readonly node: string
  readonly words: readonly string[]
  /** Sources that it polls itself: it is at their root, and needs no parent in their trees. */
  readonly roots: ReadonlySet<string>
}

/**
 * Thesis 1.6.2 as one node sees it that joins: in the tree of every source that it can hear of, it attaches itself to the feed
 * within its radius that makes hops + α·JDist least. A node does not learn what sources of others are about: a feed stands for
 * those that it carries. Feeds that have passed through the node itself are no parents, since that would close a circle.
 * Those for which most sources speak come first.
 */
export function chooseParents(
  own: ChoosingNode,
  candidates: readonly CandidateFeed[],
  { alpha, radius }: TopologyOptions,
): ParentChoice {
  const near = candidates
    .map((feed) => ({ feed, distance: wordDistance(own.words, feed.words) }))
    .filter(({ feed, distance }) => feed.node !== own.node && distance <= radius)
  const isCircle = ({ feed }: (typeof near)[number]) => feed.through.includes(own.node)
  const open = near.filter((one) => !isCircle(one))
  const chosen = new Map<string, ChosenParent>()
  for (const [root, carriers] of carriersByRoot(open)) {
    if (own.roots.has(root)) continue
    const place = cheapestParent(
      carriers.map(({ hops }) => hops),
      (at) => carriers[at]?.distance ?? 1,
      alpha,
    )
    const best = carriers[place]
    if (best !== undefined) chosen.set(best.feed.url, withRoot(chosen.get(best.feed.url), best, root, alpha))
  }
  return { chosen: [...chosen.values()].sort(byWorth), circles: near.filter(isCircle).map(({ feed }) => feed.url) }
}

/** JDist of two lists of words, over the words that either of them has. */
export function wordDistance(a: readonly string[], b: readonly string[]): number {
  const dictionary = [...new Set([...a, ...b])]
  // Who says nothing is near nobody; two empty profiles would else be equal.
  if (a.length === 0 || b.length === 0) return 1
  return jaccardDistance(profileOf(a, dictionary), profileOf(b, dictionary))
}

interface Carrier {
  readonly feed: CandidateFeed
  readonly distance: number
  readonly hops: number
}

/** In the order of the candidates: of equal parents the first is taken, as in the thesis. */
function carriersByRoot(
  near: readonly { readonly feed: CandidateFeed; readonly distance: number }[],
): ReadonlyMap<string, readonly Carrier[]> {
  const byRoot = new Map<string, Carrier[]>()
  for (const { feed, distance } of near) {
    for (const { id, hops } of feed.roots) {
      const carriers = byRoot.get(id)
      const carrier = { feed, distance, hops }
      if (carriers === undefined) byRoot.set(id, [carrier])
      else carriers.push(carrier)
    }
  }
  return byRoot
}

function withRoot(known: ChosenParent | undefined, best: Carrier, root: string, alpha: number): ChosenParent {
  const { feed, distance, hops } = best
  const cost = hops + alpha * distance
  if (known === undefined) return { url: feed.url, node: feed.node, distance, cost, roots: [root], hops }
  return {
    ...known,
    cost: Math.min(known.cost, cost),
    roots: [...known.roots, root],
    hops: Math.max(known.hops, hops),
  }
}

function byWorth(a: ChosenParent, b: ChosenParent): number {
  return b.roots.length - a.roots.length || a.cost - b.cost || (a.url < b.url ? -1 : 1)
}
