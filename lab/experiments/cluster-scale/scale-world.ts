import { SHARDS } from '../../../src/cluster/shards.ts'
import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, type InstantMs, type Random } from '../../../src/model/index.ts'
import { Scheduler } from '../../../src/refresh/scheduler/scheduler.ts'
import { foresight, learnTables } from '../../../src/refresh/strategies/foresight/index.ts'
import type { AnyPricedStrategy } from '../../../src/refresh/strategy.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { shardOf } from '../../../src/store/shards.ts'
import type { KnownOf } from '../../simulator/known-sources.ts'
import { SourceRun } from '../../simulator/source-run.ts'
import { factsOf, type SimSource, type SimWorld, simSource } from '../../simulator/world.ts'
import { keyedRandom } from '../../worlds/keyed-random.ts'

/** Of a world of so many sources, one site of `oneOf`, with all its feeds. */
export interface ScaleWorldOptions {
  readonly sources: number
  readonly oneOf: number
  readonly days: number
  /** Refreshes a day of a source, for what was learnt before. */
  readonly perDay: number
  readonly seed: number
}

export interface ScaleWorld extends SimWorld {
  readonly knownOf: KnownOf
  readonly strategy: AnyPricedStrategy
  readonly siteOf: (source: SimSource) => number
  readonly shardOf: (source: SimSource) => number
}

/** From one item a month to one in two hours, evenly over the logarithm: two a day on average, many quiet and few busy ones. */
const LEAST_PER_HOUR = 1 / (30 * 24)
const MOST_PER_HOUR = 1 / 2
const WINDOWS = [10, 20, 20, 50] as const
/** Feeds of a site: most have one, few have many (a Pareto distribution, cut off). */
const SITE_EXPONENT = 1.5
const LARGEST_SITE = 200
const START: InstantMs = Date.UTC(2026, 0, 5)
const KINDS = 512
const LEARNING_DAYS = 28

/** How a source publishes, and what a scheduler has learnt of it in four weeks. */
interface Kind {
  readonly perHour: number
  readonly peakHour: number
  readonly windowSize: number
}

/** A sample of a large world that holds as much of every shard; whoever draws a larger one gets the smaller one with it. */
export function scaleWorld({ sources, oneOf, days, perDay, seed }: ScaleWorldOptions): ScaleWorld {
  const endMs = START + days * DAY_MS
  const kinds = Array.from({ length: KINDS }, (_, index) => kindOf(keyedRandom(seed, 1, index)))
  const past = kinds.map((kind, index) => pastOf(kind, index, seed))
  const strategy = foresight({
    tables: learnTables(
      past.map(({ times }) => times),
      seededRandom(seed),
    ),
  }) as AnyPricedStrategy
  const memories = learn(past, strategy, perDay, seed)
  const found: SimSource[] = []
  const sites: number[] = []
  const kindIds: number[] = []
  const siteCount = Math.round(sources / meanSiteSize())
  for (let site = 0; site < siteCount; site++) {
    if (!isInSample(site, oneOf)) continue
    const random = keyedRandom(seed, 2, site)
    const feeds = siteSize(random)
    for (let feed = 0; feed < feeds; feed++) {
      const kindId = Math.floor(random() * KINDS)
      const kind = entryAt(kinds, kindId)
      const times = publish(kind, START - 2 * DAY_MS, endMs, random)
      found.push(simSource(found.length, times, kind.windowSize))
      sites.push(site)
      kindIds.push(kindId)
    }
  }
  const siteOf = ({ id }: SimSource) => entryAt(sites, id)
  const shards = new Map(sites.map((site) => [site, shardOf(`https://site-${site}.example/`, SHARDS)]))
  return {
    startMs: START,
    endMs,
    sources: found,
    strategy,
    siteOf,
    shardOf: (source) => shards.get(siteOf(source)) ?? 0,
    knownOf: ({ id }) => ({
      // Somewhere within the mean interval, as after weeks of running.
      lastRefreshAt: START - Math.floor((keyedRandom(seed, 3, id)() * DAY_MS) / perDay) - 1,
      memory: entryAt(memories, entryAt(kindIds, id)),
    }),
  }
}

/** A hash of the site, and no counting: neighbours in number are nothing to each other. */
function isInSample(site: number, oneOf: number): boolean {
  let h = Math.imul(site ^ (site >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) % oneOf === 0
}

function siteSize(random: Random): number {
  return Math.min(LARGEST_SITE, Math.floor((1 - random()) ** (-1 / SITE_EXPONENT)))
}

/** The sum of P(size ≥ n). */
function meanSiteSize(): number {
  let mean = 0
  for (let n = 1; n <= LARGEST_SITE; n++) mean += n ** -SITE_EXPONENT
  return mean
}

function kindOf(random: Random): Kind {
  return {
    perHour: LEAST_PER_HOUR * (MOST_PER_HOUR / LEAST_PER_HOUR) ** random(),
    peakHour: random() * 24,
    windowSize: entryAt(WINDOWS, Math.floor(random() * WINDOWS.length)),
  }
}

/** By day more than by night, each in its own part of the world. */
function publish({ perHour, peakHour }: Kind, fromMs: InstantMs, toMs: InstantMs, random: Random): Float64Array {
  const times: number[] = []
  for (let at = fromMs; ; ) {
    at += (-Math.log(1 - random()) * HOUR_MS) / (1.9 * perHour)
    if (at >= toMs) return Float64Array.from(times)
    const hour = (at % DAY_MS) / HOUR_MS
    if (random() * 1.9 < 1 + 0.9 * Math.cos(((hour - peakHour) * Math.PI) / 12)) times.push(at)
  }
}

function pastOf(kind: Kind, index: number, seed: number): SimSource {
  const times = publish(kind, START - LEARNING_DAYS * DAY_MS, START, keyedRandom(seed, 4, index))
  return simSource(index, times, kind.windowSize)
}

/** What the node's scheduler remembers of each kind, in the form in which the store keeps it. */
function learn(past: readonly SimSource[], strategy: AnyPricedStrategy, perDay: number, seed: number) {
  const from = START - LEARNING_DAYS * DAY_MS
  const budget = { requests: 1, perMs: DAY_MS }
  const scheduler = new Scheduler({
    strategy,
    budget,
    burst: 1,
    minIntervalMs: 0,
    random: seededRandom(seed),
    now: from,
  })
  return past.map((source) => {
    const run = new SourceRun(source, { emptyIsFirst: true })
    const random = keyedRandom(seed, 5, source.id)
    scheduler.upsert({ facts: factsOf(source, from, null), dueAt: null, paused: false, retired: false })
    const observations = Array.from({ length: LEARNING_DAYS * perDay }, (_, turn) => ({
      ...run.refresh(from + Math.floor(((turn + random()) * DAY_MS) / perDay)),
      cause: null,
    }))
    scheduler.catchUp(source.id, observations)
    const memory = scheduler.memory(source.id)
    if (memory === null) throw new Error(`nothing was learnt of kind ${source.id}`)
    return memory
  })
}
