import { entryAt } from '../../src/model/entry-at.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import type { FeedNumber, SubscriptionGraph } from '../../src/network/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { runPriced } from './priced-run.ts'
import type { WindowSight } from './source-run.ts'
import { Tally } from './tally.ts'
import { countWorldItems, type SimSource, type SimWorld, simSource } from './world.ts'

/** An item by its number over all sources of the world. */
export type ItemNumber = number

/** How one query feed of the network is run. */
export interface Aggregator {
  readonly strategy: AnyPricedStrategy
  readonly price: number
  /** Items that its own published feed shows. */
  readonly windowSize: number
  /** From fetching an item to showing it; absent: none. */
  readonly publishAfterMs?: DurationMs
  /** Its query; absent: everything. */
  readonly wants?: (item: ItemNumber, origin: FeedNumber) => boolean
}

export interface Cascade {
  /** Its sources are the first feeds of the graph, in order. */
  readonly world: SimWorld
  readonly graph: SubscriptionGraph
  readonly aggregator: (feed: FeedNumber) => Aggregator
  readonly seed: number
}

/** One feed as others see it: items appear in it when it has them, at a source when they are published. */
export interface CascadeFeed {
  readonly source: SimSource
  /** The item at each place of `source.times`. */
  readonly items: Int32Array
  /** What reading its inputs cost and missed; all 0 for sources. */
  readonly requests: number
  /** Items that fell out of the window of an input before they were read. */
  readonly fallenOut: number
  /** Items that came by more than one input; the first time counts. */
  readonly repeated: number
  readonly unwanted: number
  /** Items of its inputs that were not read before the end. */
  readonly waiting: number
  /** How long the items it published had waited in its inputs, summed. */
  readonly delaySumMs: DurationMs
}

export interface CascadeOutcome {
  readonly feeds: readonly CascadeFeed[]
  /** When each item was published at its source … */
  readonly publishedAt: Float64Array
  /** … and which source that was. */
  readonly origins: Int32Array
}

/**
 * Aggregators that read each other (thesis 1.6, "cascading effect" of its perspectives). What an aggregator fetches it
 * publishes at once, in a window of its own; the next level sees nothing else. Feeds are worked off in the order of the
 * graph, each a simulated source for those after it.
 */
export function runCascade(cascade: Cascade): CascadeOutcome {
  const { world, graph } = cascade
  const publishedAt = new Float64Array(countWorldItems(world))
  const origins = new Int32Array(publishedAt.length)
  const feeds: CascadeFeed[] = []
  let first = 0
  for (const [number, source] of world.sources.entries()) {
    publishedAt.set(source.times, first)
    origins.fill(number, first, first + source.times.length)
    feeds[number] = sourceFeed(number, source, first)
    first += source.times.length
  }
  for (const feed of graph.order)
    if (graph.kinds[feed] === 'query') feeds[feed] = queryFeed(cascade, feed, feeds, origins)
  return { feeds, publishedAt, origins }
}

/** From publication at the source to appearing in this feed, one per item, in the order of appearing. */
export function endToEndDelaysMs({ feeds, publishedAt }: CascadeOutcome, feed: FeedNumber): Float64Array {
  const { source, items } = entryAt(feeds, feed)
  return source.times.map((at, index) => at - (publishedAt[items[index] ?? 0] ?? 0))
}

const UNREAD = { requests: 0, fallenOut: 0, repeated: 0, unwanted: 0, waiting: 0, delaySumMs: 0 }

function sourceFeed(number: FeedNumber, source: SimSource, first: ItemNumber): CascadeFeed {
  const items = Int32Array.from(source.times, (_, index) => first + index)
  return { source: { ...source, id: number }, items, ...UNREAD }
}

function queryFeed(
  { world, graph, aggregator, seed }: Cascade,
  feed: FeedNumber,
  feeds: readonly CascadeFeed[],
  origins: Int32Array,
): CascadeFeed {
  const { strategy, price, windowSize, wants, publishAfterMs = 0 } = aggregator(feed)
  const inputs = entryAt(graph.inputs, feed).map((input) => entryAt(feeds, input))
  const log = new RetrievalLog(world)
  // Every aggregator draws its own chance: two that read one feed do not do so at the same moments.
  runPriced(
    { world: { ...world, sources: inputs.map(({ source }) => source) }, strategy, price, seed: seed * 1_009 + feed },
    log,
  )
  const arrived = log.arrivals(inputs)
  const seen = new Set<ItemNumber>()
  let unwanted = 0
  let delaySumMs = 0
  const matching = arrived.filter(({ item, at, appearedAt }) => {
    if (seen.has(item)) return false
    seen.add(item)
    if (wants !== undefined && !wants(item, origins[item] ?? 0)) {
      unwanted++
      return false
    }
    delaySumMs += at - appearedAt
    return true
  })
  return {
    source: simSource(
      feed,
      Float64Array.from(matching, ({ at }) => at + publishAfterMs),
      windowSize,
      { name: `feed ${feed}` },
    ),
    items: Int32Array.from(matching, ({ item }) => item),
    requests: log.requests,
    fallenOut: log.fallenOut,
    repeated: arrived.length - seen.size,
    unwanted,
    waiting: log.waiting,
    delaySumMs,
  }
}

interface Arrival {
  readonly item: ItemNumber
  readonly at: InstantMs
  readonly appearedAt: InstantMs
}

/** Keeps what each refresh brought, beside the usual counts. */
class RetrievalLog extends Tally {
  fallenOut = 0
  waiting = 0
  private readonly fetched: { input: FeedNumber; at: InstantMs; from: number; to: number }[] = []

  constructor(world: SimWorld) {
    super(world.startMs, world.endMs)
  }

  override refreshed(source: SimSource, at: InstantMs, sight: WindowSight): void {
    super.refreshed(source, at, sight)
    this.fallenOut += sight.firstSeen - sight.from
    if (sight.to > sight.firstSeen) this.fetched.push({ input: source.id, at, from: sight.firstSeen, to: sight.to })
  }

  override ended(source: SimSource, reached: number, publishedByEnd: number): void {
    super.ended(source, reached, publishedByEnd)
    this.waiting += publishedByEnd - reached
  }

  /** In the order of arriving; of one moment, by input and then by place in its window. */
  arrivals(inputs: readonly CascadeFeed[]): Arrival[] {
    const byId = new Map(inputs.map((input) => [input.source.id, input]))
    return this.fetched
      .toSorted((a, b) => a.at - b.at || a.input - b.input)
      .flatMap(({ input, at, from, to }) => {
        const { source, items } = byId.get(input)!
        return Array.from({ length: to - from }, (_, k) => ({
          item: items[from + k] ?? 0,
          at,
          appearedAt: source.times[from + k] ?? 0,
        }))
      })
  }
}
