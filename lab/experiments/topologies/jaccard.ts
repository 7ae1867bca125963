import { entryAt } from '../../../src/model/entry-at.ts'
import {
  coverage,
  growTopology,
  jaccardDistance,
  type KeywordProfile,
  levels,
  randomProfile,
  reach,
  reachingSources,
  sharedKeywords,
  type Topology,
} from '../../../src/network/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'

export interface KeywordWorld {
  /** Profiles of the sources, then of the query feeds. */
  readonly profiles: readonly KeywordProfile[]
  readonly sources: number
  /** Between any two of them: asked for again in every tree, so computed once. */
  readonly distances: Float64Array
}

export interface Mesh {
  readonly alpha: number
  readonly radius: number
  /** Sources in whose tree a query feed is, on average. */
  readonly sourcesPerFeed: number
  /** Feeds that a query feed reads: its in-degree in the whole graph. */
  readonly inputsPerFeed: number
  /** Query feeds that no source is near enough for. */
  readonly unconnectedShare: number
  /** Pairs of source and query feed in one tree that share no keyword. */
  readonly strangerShare: number
  /** Mean JDist between a query feed and the sources of its trees, and between a feed and the one it reads. */
  readonly distanceToSource: number
  readonly distanceToInput: number
  readonly meanHops: number
  readonly deepestLevel: number
  /** Of the keywords that feeds share with their sources, those that the feeds between let through. */
  readonly deliveredShare: number
}

export interface WorldConfig {
  readonly sources: number
  readonly queries: number
  readonly dictionary: number
  readonly sourceShare: number
  readonly queryShare: number
}

export function drawWorld(config: WorldConfig, seed: number): KeywordWorld {
  const random = seededRandom(seed)
  const draw = (count: number, share: number) =>
    Array.from({ length: count }, () => randomProfile(config.dictionary, share, random))
  const profiles = [...draw(config.sources, config.sourceShare), ...draw(config.queries, config.queryShare)]
  const distances = Float64Array.from(profiles.flatMap((a) => profiles.map((b) => jaccardDistance(a, b))))
  return { profiles, sources: config.sources, distances }
}

export function meshOf(world: KeywordWorld, alpha: number, radius: number): Mesh {
  const { profiles, distances } = world
  const distance = (a: number, b: number) => entryAt(distances, a * profiles.length + b)
  const numbers = [...profiles.keys()]
  const topology = growTopology(
    {
      sources: numbers.slice(0, world.sources),
      queries: numbers.slice(world.sources),
      distance,
      breadth: (node) => coverage(entryAt(profiles, node)),
    },
    { alpha, radius },
  )
  const { graph } = topology
  const pairs = sourceQueryPairs(topology, world.sources)
  const feeds = profiles.length - world.sources
  const origins = reachingSources(graph)
  const { interested: subscribed, delivered } = reach(graph, profiles, pairs)
  return {
    alpha,
    radius,
    sourcesPerFeed: pairs.length / feeds,
    inputsPerFeed: graph.subscriptions.length / feeds,
    unconnectedShare: origins.slice(world.sources).filter((sources) => sources.length === 0).length / feeds,
    strangerShare: mean(pairs.map(({ source, query }) => (shares(profiles, source, query) ? 0 : 1))),
    distanceToSource: mean(pairs.map(({ source, query }) => distance(source, query))),
    distanceToInput: mean(graph.subscriptions.map(({ from, to }) => distance(from, to))),
    meanHops: mean(topology.trees.flatMap((tree) => Array.from(tree.hops.subarray(1)))),
    deepestLevel: Math.max(...levels(graph)),
    deliveredShare: subscribed === 0 ? 1 : delivered / subscribed,
  }
}

function sourceQueryPairs({ trees }: Topology, sources: number): { source: number; query: number }[] {
  return trees.flatMap((tree, source) =>
    Array.from(tree.members.subarray(1), (member) => ({ source, query: sources + member })),
  )
}

function shares(profiles: readonly KeywordProfile[], a: number, b: number): boolean {
  return sharedKeywords(entryAt(profiles, a), entryAt(profiles, b)) > 0
}

/** 0 for nothing at all. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
