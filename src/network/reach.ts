import { entryAt } from '../model/entry-at.ts'
import { coverage, type KeywordProfile, sharedKeywords } from './keyword-profile.ts'
import type { FeedNumber, SubscriptionGraph } from './subscription-graph.ts'

export interface Reach {
  /** Keywords that a query feed shares with a source in whose tree it is, over all such pairs … */
  readonly interested: number
  /** … and those of them that every feed on some way between the two lets through. */
  readonly delivered: number
}

/**
 * How much of what query feeds want can reach them. A feed publishes what its own query selects, so a keyword arrives
 * only where the feeds before it have it too; the topology of 1.6.2 does not ask for that. Counted for items that bear
 * one keyword: with more of them an item may pass by another.
 */
export function reach(
  graph: SubscriptionGraph,
  profiles: readonly KeywordProfile[],
  pairs: Iterable<{ readonly source: FeedNumber; readonly query: FeedNumber }>,
): Reach {
  const carried = new Map<FeedNumber, KeywordProfile[]>()
  let interested = 0
  let delivered = 0
  for (const { source, query } of pairs) {
    let bySource = carried.get(source)
    if (bySource === undefined) carried.set(source, (bySource = carriedFrom(source, graph, profiles)))
    interested += sharedKeywords(entryAt(profiles, source), entryAt(profiles, query))
    delivered += coverage(entryAt(bySource, query))
  }
  return { interested, delivered }
}

/** Keywords of one source's items as each feed publishes them. */
function carriedFrom(
  source: FeedNumber,
  graph: SubscriptionGraph,
  profiles: readonly KeywordProfile[],
): KeywordProfile[] {
  const carried = profiles.map((profile, feed) => (feed === source ? profile : new Uint8Array(profile.length)))
  for (const feed of graph.order) {
    for (const input of entryAt(graph.inputs, feed)) {
      const mine = entryAt(carried, feed)
      const theirs = entryAt(carried, input)
      for (const [keyword, isWanted] of entryAt(profiles, feed).entries()) {
        if (isWanted === 1 && theirs[keyword] === 1) mine[keyword] = 1
      }
    }
  }
  return carried
}
