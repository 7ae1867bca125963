import { assignShards } from '../../../src/cluster/rendezvous.ts'
import { SHARDS } from '../../../src/cluster/shards.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/model/index.ts'
import { foresight, learnTables } from '../../../src/refresh/strategies/foresight/index.ts'
import type { AnyPricedStrategy } from '../../../src/refresh/strategy.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { shardOf } from '../../../src/store/shards.ts'
import { byRate, type CommonSetup, measureAlone, measureShares } from '../../cluster/measure.ts'
import { specWorld } from '../../simulator/named-worlds.ts'
import { countPublishedBy, type SimSource } from '../../simulator/world.ts'
import type { PublicationSpec } from '../../worlds/publication.ts'
import { CONFIG } from './config.ts'

type ClusterOf = (source: Pick<SimSource, 'id'>) => number

/** Who has which sites; the cluster with the last number is the newest. */
function clusterOf(clusters: number): ClusterOf {
  const names = Array.from({ length: clusters }, (_, cluster) => `cluster ${cluster}`)
  const owners = assignShards(names, SHARDS)
  return ({ id }) => names.indexOf(owners[shardOf(`https://site-${id}.example/feed`, SHARDS)] ?? '')
}

export interface ClustersRow {
  readonly name: string
  /** From the source to the cluster that has it. */
  readonly delayMinutes: number
  readonly lostShare: number
  /** Of the budget. */
  readonly spent: number
}

/** The same budget: in one cluster, or the same share of it in each, by hash and where one has what publishes most. */
export function measureBudgets(setup: CommonSetup): readonly ClustersRow[] {
  const { clusters } = CONFIG
  const sorted = byRate(setup.world.sources, setup.measuredFromMs, clusters)
  return [
    { name: 'one cluster', ...measureAlone(setup) },
    { name: `${clusters} by hash`, ...measureShares(setup, clusters, clusterOf(clusters)) },
    { name: `${clusters} sorted by rate`, ...measureShares(setup, clusters, sorted) },
  ].map(({ name, meanDelayMinutes, lostShare, spent }) => ({ name, delayMinutes: meanDelayMinutes, lostShare, spent }))
}

export interface Crossing {
  /** Items a day that a cluster fetches itself, and that come to it from the others; mean and most of all clusters. */
  readonly ownPerDay: number
  readonly mostOwnPerDay: number
  readonly crossPerDay: number
  readonly mostCrossPerDay: number
  /** s·r·(k−1)/k. */
  readonly byFormula: number
  /** Of items that are read, how many came from another cluster. */
  readonly crossedShare: number
}

/** Every item that is published, and the clusters in which somebody wants it. */
export function measureCrossing({ world, measuredFromMs, seed }: CommonSetup): Crossing {
  const { clusters, selectivity } = CONFIG
  const owner = clusterOf(clusters)
  const random = seededRandom(seed)
  const own = new Float64Array(clusters)
  const cross = new Float64Array(clusters)
  let wanted = 0
  for (const source of world.sources) {
    const home = owner(source)
    const items = source.times.length - countPublishedBy(source.times, measuredFromMs - 1)
    own[home] = (own[home] ?? 0) + items
    for (let item = 0; item < items; item++) {
      for (let reader = 0; reader < clusters; reader++) {
        if (random() >= selectivity) continue
        wanted++
        if (reader !== home) cross[reader] = (cross[reader] ?? 0) + 1
      }
    }
  }
  const days = (world.endMs - measuredFromMs) / DAY_MS
  const sum = (values: Float64Array) => values.reduce((all, one) => all + one, 0)
  return {
    ownPerDay: sum(own) / clusters / days,
    mostOwnPerDay: Math.max(...own) / days,
    crossPerDay: sum(cross) / clusters / days,
    mostCrossPerDay: Math.max(...cross) / days,
    byFormula: (selectivity * (sum(own) / days) * (clusters - 1)) / clusters,
    crossedShare: sum(cross) / wanted,
  }
}

export interface ClusterMove {
  readonly name: string
  /** Of all sources: those that have another cluster now. */
  readonly moved: number
  /** Of them: from one to another that were both there before and after. */
  readonly needless: number
}

/** One cluster joins, and the newest one leaves. */
export function measureMoves({ world }: Pick<CommonSetup, 'world'>): readonly ClusterMove[] {
  const { clusters } = CONFIG
  return [
    moveBetween('an eleventh joins', world.sources, clusterOf(clusters), clusterOf(clusters + 1), clusters),
    moveBetween('the tenth leaves', world.sources, clusterOf(clusters), clusterOf(clusters - 1), clusters - 1),
  ]
}

/** `changing`: the number of the cluster that comes or goes. */
function moveBetween(
  name: string,
  sources: readonly SimSource[],
  before: ClusterOf,
  after: ClusterOf,
  changing: number,
): ClusterMove {
  const moving = sources.filter((source) => before(source) !== after(source))
  const needless = moving.filter((source) => before(source) !== changing && after(source) !== changing)
  return { name, moved: moving.length / sources.length, needless: needless.length / sources.length }
}

export function clustersSetup(seed: number): CommonSetup {
  const { sources: count, leastPerDay, mostPerDay, windowSize, days, learningMs, perDay, burstsPerDay } = CONFIG
  const random = seededRandom(seed)
  const specs = Array.from({ length: count }, (_, id): PublicationSpec => {
    const ratePerDay = leastPerDay * (mostPerDay / leastPerDay) ** random()
    return id % 2 === 0 ? { kind: 'poisson', ratePerDay } : { kind: 'waves', ratePerDay, peakHour: id % 24 }
  })
  const startMs = Date.UTC(2024, 0, 1)
  const world = specWorld(specs, { startMs, endMs: startMs + days * DAY_MS }, { windowSize, seed })
  const measuredFromMs = startMs + learningMs
  const past = world.sources.map(({ times }) => times.subarray(0, countPublishedBy(times, measuredFromMs - 1)))
  const strategy = foresight({ tables: learnTables(past, seededRandom(seed)) }) as AnyPricedStrategy
  const requests = perDay * count
  return {
    world,
    newStrategy: () => strategy,
    terms: { budget: { requests, perMs: DAY_MS }, factor: 1, burst: Math.round(requests / burstsPerDay) },
    minIntervalMs: CONFIG.minIntervalMs,
    measuredFromMs,
    part: { fromMs: measuredFromMs, toMs: world.endMs },
    seed,
  }
}

/** What readers of a cluster wait for what they read, over all that they read. */
export function readersWaitMinutes(delayMinutes: number, crossedShare: number, hopMs: number): number {
  return delayMinutes + (crossedShare * hopMs) / MINUTE_MS
}
