import type { DurationMs, InstantMs, Random } from '../../src/model/index.ts'
import type { CycleStrategy } from '../../src/refresh/strategy.ts'
import { CycleSourceState, type Knowledge } from './cycle-source.ts'
import type { SimWorld } from './world.ts'

/** What `runCycles` simulates. */
export interface CycleRun<Memory, State> {
  readonly world: SimWorld
  readonly strategy: CycleStrategy<Memory, State>
  readonly knowledge: Knowledge<Memory>
  readonly cycleMs: DurationMs
  readonly budgetPerCycle: number
  readonly warmupCycles: number
  readonly cycles: number
  readonly random: Random
  /** Observations contain the true loss (thesis 7.3.3). */
  readonly lossKnown?: boolean
  /** Called after each cycle, warm-up included. */
  readonly onCycle?: (cycle: CycleEvent<Memory, State>) => void
}

/** What happened in one cycle. */
export interface CycleEvent<Memory, State> {
  readonly cycle: number
  readonly now: InstantMs
  readonly state: State
  readonly refreshed: number
  readonly sources: readonly CycleSourceState<Memory>[]
}

/** Window freshness (2.3), averaged over the measured cycles: plain mean over sources, and weighted by window. */
export interface Freshness {
  readonly plain: number
  readonly weighted: number
}

/** What the measured cycles came to. */
export interface CycleOutcome {
  /** Relevant items fetched in the measured cycles over relevant items published in them (Definition 2.2.2). */
  readonly completeness: number
  /** Read before the refreshes of a cycle, and after them. */
  readonly freshnessBefore: Freshness
  readonly freshnessAfter: Freshness
  /** Requests (cost units) in the measured cycles. */
  readonly cost: number
  readonly refreshes: number
}

/**
 * Cycle-based simulation as in the papers (4.4.1, 7.3.1): in each cycle sources publish, the strategy chooses, the
 * chosen are refreshed. Deterministic; sources are always visited in their order.
 */
export function runCycles<Memory, State>(options: CycleRun<Memory, State>): CycleOutcome {
  const { world, strategy, knowledge, random, cycleMs } = options
  const sources = world.sources.map(
    (source) => new CycleSourceState<Memory>(source, world.startMs, knowledge, random, options.lossKnown ?? false),
  )
  const byId = new Map(sources.map((source) => [source.facts.id, source]))
  const sum = { fetched: 0, published: 0, cost: 0, refreshes: 0 }
  const before = new FreshnessMean()
  const after = new FreshnessMean()
  let state = strategy.begin({ budgetPerCycle: options.budgetPerCycle, cycleMs })
  for (let cycle = 0; cycle < options.warmupCycles + options.cycles; cycle++) {
    const now = world.startMs + (cycle + 1) * cycleMs
    const measured = cycle >= options.warmupCycles
    for (const source of sources) {
      const published = source.publishUntil(now)
      if (measured) sum.published += published
      knowledge.see?.(source.memory, source.truth)
    }
    if (measured) before.add(sources)
    const choice = strategy.select(state, sources, now, random)
    state = choice.state
    for (const id of choice.refresh) {
      const source = byId.get(id)!
      const fetched = source.refresh(now, knowledge, random)
      if (!measured) continue
      sum.fetched += fetched
      sum.cost += source.facts.cost
      sum.refreshes++
    }
    if (measured) after.add(sources)
    options.onCycle?.({ cycle, now, state, refreshed: choice.refresh.length, sources })
  }
  return {
    completeness: sum.published > 0 ? sum.fetched / sum.published : 1,
    freshnessBefore: before.mean,
    freshnessAfter: after.mean,
    cost: sum.cost,
    refreshes: sum.refreshes,
  }
}

class FreshnessMean {
  private plain = 0
  private weighted = 0
  private cycles = 0

  add(sources: readonly CycleSourceState<unknown>[]): void {
    let sum = 0
    let fresh = 0
    let visible = 0
    for (const { truth } of sources) {
      // Definition 2.3.1: 1 where the window holds nothing relevant.
      sum += truth.inWindow > 0 ? 1 - truth.windowRelevant / truth.inWindow : 1
      fresh += truth.inWindow - truth.windowRelevant
      visible += truth.inWindow
    }
    this.plain += sources.length > 0 ? sum / sources.length : 1
    this.weighted += visible > 0 ? fresh / visible : 1
    this.cycles++
  }

  get mean(): Freshness {
    const cycles = Math.max(1, this.cycles)
    return { plain: this.plain / cycles, weighted: this.weighted / cycles }
  }
}
