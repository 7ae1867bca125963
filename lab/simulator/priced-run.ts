import type { DurationMs, InstantMs, Random } from '../../src/model/index.ts'
import type { PricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { SourceRun, type SourceRunOptions } from './source-run.ts'
import type { RunWatch } from './tally.ts'
import { countPublishedBy, factsOf, type SimSource, type SimWorld } from './world.ts'

/** The seed of one source's own stream of chance: what happens to one source never moves another. */
export function sourceRandom(seed: number, sourceId: number): Random {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(sourceId + 1, 0x85ebca6b))
  for (let k = 0; k < 4; k++) random()
  return random
}

// Two refreshes of a source at one instant would learn nothing; also what keeps a price of 0 from running for ever.
const SHORTEST_MS = 1_000

/** What `runPriced` simulates. */
export interface PricedRun<Memory> {
  readonly world: SimWorld
  readonly strategy: PricedStrategy<Memory>
  readonly price: number
  readonly seed: number
  /** No source is refreshed less often, as in a live node; absent: there is no such limit. */
  readonly maxIntervalMs?: DurationMs
  readonly run?: SourceRunOptions
}

/** Every source of a world from its beginning to its end. */
export function runPriced<Memory>(options: PricedRun<Memory>, watch: RunWatch): void {
  const { sources, endMs } = options.world
  new PricedSourceRun(options).goOn(sources, endMs, Number.POSITIVE_INFINITY, watch)
}

/**
 * Continuous time at one price. Since only the price is global, sources can be run one after the other, which is much
 * faster than an event queue and gives the same refreshes (events.ts; the test compares the two); and each can be left at
 * any moment and gone on with later.
 */
export class PricedSourceRun<Memory> {
  private readonly options: PricedRun<Memory>
  private readonly underway = new Map<SimSource, SourceRunSteps<Memory>>()

  constructor(options: PricedRun<Memory>) {
    this.options = options
  }

  /** Takes these sources on to `untilMs`; gives up once more than `mostRequests` were counted. Returns those it took. */
  goOn(sources: readonly SimSource[], untilMs: InstantMs, mostRequests: number, watch: RunWatch): readonly SimSource[] {
    const isEnd = untilMs >= this.options.world.endMs
    for (const [index, source] of sources.entries()) {
      const run = this.underway.get(source) ?? new SourceRunSteps(this.options, source)
      // What a strategy remembers of all sources at all prices of a search would be much.
      if (isEnd) this.underway.delete(source)
      else this.underway.set(source, run)
      run.goOn(untilMs, watch)
      if (watch.requests > mostRequests) return sources.slice(0, index + 1)
    }
    return sources
  }
}

class SourceRunSteps<Memory> {
  private readonly options: PricedRun<Memory>
  private readonly source: SimSource
  private readonly random: Random
  private readonly run: SourceRun
  // One object that is moved on; strategies must not keep it.
  private readonly facts: { lastRefreshAt: InstantMs | null } & ReturnType<typeof factsOf>
  private memory: Memory

  constructor(options: PricedRun<Memory>, source: SimSource) {
    this.options = options
    this.source = source
    this.random = sourceRandom(options.seed, source.id)
    // As with facts: strategies learn from it and keep nothing of it.
    this.run = new SourceRun(source, { ...options.run, movesObservation: true })
    this.facts = { ...factsOf(source, options.world.startMs, null) }
    this.memory = options.strategy.start(this.facts, this.random)
  }

  goOn(untilMs: InstantMs, watch: RunWatch): void {
    const { source, run, facts, random } = this
    const { strategy, price, maxIntervalMs = Number.POSITIVE_INFINITY } = this.options
    // Looked up once: strategies are of so many forms that finding a method takes as long as what the simplest of them do.
    const { dueAt, observe } = strategy
    let { memory } = this
    for (;;) {
      const last = facts.lastRefreshAt
      const due = dueAt(memory, facts, price)
      const at = last === null ? due : Math.min(Math.max(due, last + SHORTEST_MS), last + maxIntervalMs)
      if (!(at < untilMs)) break
      const observation = run.refresh(at)
      watch.refreshed(source, at, run.sight)
      facts.lastRefreshAt = at
      memory = observe(memory, observation, facts, random)
    }
    this.memory = memory
    watch.ended(source, run.sight.to, countPublishedBy(source.times, untilMs, run.sight.to))
  }
}
