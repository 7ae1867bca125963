import type { InstantMs, Observation, Random } from '../../src/model/index.ts'
import type { SourceFacts } from '../../src/refresh/strategy.ts'
import { SourceRun } from './source-run.ts'
import { countPublishedBy, factsOf, type SimSource } from './world.ts'

/** What is true of a source at an instant (thesis 2.1, 2.3). */
export interface DivergenceTruth {
  /** New items since the last refresh. */
  stream: number
  /** New relevant items still in the window, Div_A. */
  windowRelevant: number
  /** Relevant items in the window, |q(A)|. */
  inWindow: number
}

/** How what is known of a source comes about: learnt from observations, or seen (the oracle). */
export interface Knowledge<Memory> {
  /** What is known of a source before its first refresh. */
  start(facts: SourceFacts, random: Random): Memory
  /** What is known after a refresh. */
  observe(memory: Memory, observation: Observation, facts: SourceFacts, random: Random): Memory
  /** Called before each decision; only oracles use it. */
  see?(memory: Memory, truth: DivergenceTruth): void
}

/** One source of a cycle-based run. It is at the same time what the strategy sees of it: facts and memory. */
export class CycleSourceState<Memory> {
  facts: SourceFacts
  memory: Memory
  readonly truth: DivergenceTruth = { stream: 0, windowRelevant: 0, inWindow: 0 }
  private readonly run: SourceRun
  private readonly source: SimSource
  private published = 0
  private fetchedUntil = 0

  constructor(source: SimSource, startMs: InstantMs, knowledge: Knowledge<Memory>, random: Random, lossKnown: boolean) {
    this.source = source
    this.facts = factsOf(source, startMs, null)
    this.memory = knowledge.start(this.facts, random)
    this.run = new SourceRun(source, { lossKnown })
  }

  /** Time moves on; returns how many relevant items were published. */
  publishUntil(now: InstantMs): number {
    const before = this.published
    this.published = countPublishedBy(this.source.times, now, before)
    this.look()
    return this.relevantIn(before, this.published)
  }

  /** Fetches the window; returns how many new relevant items it held. */
  refresh(now: InstantMs, knowledge: Knowledge<Memory>, random: Random): number {
    const observation = this.run.refresh(now)
    const { firstSeen, to } = this.run.sight
    this.fetchedUntil = to
    this.facts = { ...this.facts, lastRefreshAt: now }
    this.memory = knowledge.observe(this.memory, observation, this.facts, random)
    this.look()
    return this.relevantIn(firstSeen, to)
  }

  private look(): void {
    const windowStart = Math.max(0, this.published - this.source.windowSize)
    this.truth.stream = this.published - this.fetchedUntil
    this.truth.windowRelevant = this.relevantIn(Math.max(windowStart, this.fetchedUntil), this.published)
    this.truth.inWindow = this.relevantIn(windowStart, this.published)
  }

  private relevantIn(from: number, to: number): number {
    const { relevant } = this.source
    if (relevant === null) return to - from
    let count = 0
    for (let index = from; index < to; index++) count += relevant[index] ?? 0
    return count
  }
}
