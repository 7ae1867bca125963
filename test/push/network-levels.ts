import { type Aggregator, endToEndDelaysMs, runCascade } from '../../lab/simulator/cascade.ts'
import { type SimWorld, simSource } from '../../lab/simulator/world.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import { type DurationMs, type InstantMs, SECOND_MS } from '../../src/model/index.ts'
import { type FeedNumber, levels, reachingSources } from '../../src/network/subscription-graph.ts'
import { uniform } from '../../src/refresh/strategies/uniform.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import type { NetworkItem, NetworkPlan, NetworkRun } from './node-network.ts'

/** What items take to a level of the network, and how many get there. */
export interface LevelFigures {
  readonly level: number
  readonly nodes: number
  readonly delaySeconds: number
  /** Of the items of sources that reach the node. */
  readonly lostShare: number
}

/** For one feed: how late each item came; only of items that had the time to arrive. */
type DelaysOf = (feed: FeedNumber) => readonly { readonly publishedAt: InstantMs; readonly delayMs: number }[]

/** As the processes had it. */
export function realLevels(run: NetworkRun, untilMs: InstantMs): LevelFigures[] {
  return levelFigures(run, untilMs, (feed) =>
    entryAt(run.published, feed - run.times.length).map(({ source, item, at }) => {
      const publishedAt = entryAt(run.times, source)[item] ?? 0
      return { publishedAt, delayMs: at - publishedAt }
    }),
  )
}

/** As the simulator has it where every node reads at the moments at which the processes did, and takes as long to publish. */
export function replayedLevels(plan: NetworkPlan, run: NetworkRun, untilMs: InstantMs): LevelFigures[] {
  const aggregator = (feed: FeedNumber) => ({
    strategy: replay(entryAt(run.polls, feed - plan.sources)),
    price: 1,
    windowSize: plan.feedWindow,
    publishAfterMs: latencyMs(entryAt(run.published, feed - plan.sources)),
  })
  return simulated(plan, run, untilMs, 1, aggregator)
}

/** As the simulator has it by the plan alone: intervals, with any phase. */
export function plannedLevels(plan: NetworkPlan, run: NetworkRun, untilMs: InstantMs, seed: number): LevelFigures[] {
  const aggregator = (feed: FeedNumber) => ({
    strategy: uniform as AnyPricedStrategy,
    price: plan.intervalMs(feed - plan.sources),
    windowSize: plan.feedWindow,
  })
  return simulated(plan, run, untilMs, seed, aggregator)
}

function simulated(
  plan: NetworkPlan,
  run: NetworkRun,
  untilMs: InstantMs,
  seed: number,
  aggregator: (feed: FeedNumber) => Aggregator,
): LevelFigures[] {
  const { graph, startMs, endMs } = run
  const sources = run.times.map((times, id) => simSource(id, times, plan.sourceWindow))
  const world: SimWorld = { startMs, endMs, sources }
  const outcome = runCascade({ world, graph, seed, aggregator })
  return levelFigures(run, untilMs, (feed) => {
    const { source, items } = entryAt(outcome.feeds, feed)
    const delays = endToEndDelaysMs(outcome, feed)
    return [...source.times].map((_, index) => ({
      publishedAt: outcome.publishedAt[items[index] ?? 0] ?? 0,
      delayMs: delays[index] ?? 0,
    }))
  })
}

function levelFigures({ graph, times }: NetworkRun, untilMs: InstantMs, delaysOf: DelaysOf): LevelFigures[] {
  const level = levels(graph)
  const reaching = reachingSources(graph)
  const nodes = [...graph.kinds.keys()].filter((feed) => graph.kinds[feed] === 'query')
  const depths = [...new Set(nodes.map((feed) => level[feed] ?? 0))].filter((depth) => depth > 0).sort((a, b) => a - b)
  return depths.map((depth) => {
    const at = nodes.filter((feed) => level[feed] === depth)
    const came = at.flatMap((feed) => delaysOf(feed).filter(({ publishedAt }) => publishedAt < untilMs))
    const due = at.flatMap((feed) => entryAt(reaching, feed).flatMap((source) => [...entryAt(times, source)]))
    const expected = due.filter((time) => time < untilMs).length
    return {
      level: depth,
      nodes: at.length,
      delaySeconds: came.reduce((sum, { delayMs }) => sum + delayMs, 0) / came.length / SECOND_MS,
      lostShare: 1 - came.length / expected,
    }
  })
}

/** A busy machine takes a while from fetching to publishing. */
export function latencyMs(items: readonly NetworkItem[]): DurationMs {
  return items.reduce((sum, { at, fetchedAt }) => sum + at - fetchedAt, 0) / Math.max(1, items.length)
}

/** Reads each input at given moments. */
function replay(polls: ReadonlyMap<FeedNumber, readonly InstantMs[]>): AnyPricedStrategy {
  return {
    id: 'replay',
    start: () => null,
    observe: (memory) => memory,
    dueAt: (_memory, { id, lastRefreshAt }) =>
      polls.get(id)?.find((at) => at > (lastRefreshAt ?? Number.NEGATIVE_INFINITY)) ?? Number.POSITIVE_INFINITY,
    reason: () => 'as recorded',
    firstPrice: () => 1,
  }
}
