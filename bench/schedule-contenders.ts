import { ForesightWheel } from '../lab/wheel/foresight-wheel.ts'
import { packedHybridModel } from '../lab/wheel/packed-model.ts'
import { TwoStepsWheel } from '../lab/wheel/two-steps-wheel.ts'
import { entryAt } from '../src/model/entry-at.ts'
import type { InstantMs } from '../src/model/index.ts'
import { estimatedDivergence } from '../src/refresh/divergence.ts'
import type { HybridState } from '../src/refresh/estimators/index.ts'
import { FLAT_TABLES } from '../src/refresh/strategies/foresight/index.ts'
import { twoStepsCycle } from '../src/refresh/strategies/two-steps.ts'
import type { SourceFacts } from '../src/refresh/strategy.ts'
import { BENCH_CYCLE_MS, ESTIMATOR, type ScheduleWorld } from './schedule-world.ts'

/** One strategy in a world of its own. */
export interface Contender {
  readonly tau: number
  /** Sources examined so far. */
  readonly looks: number
  /** CPU time of choosing and of learning what the refreshes brought; making up the answers is not counted. */
  cycle(now: InstantMs): { readonly decisions: number; readonly cpuMs: number }
}

/** Algorithm 4.1 as printed: every source is examined in every cycle. */
export class Scan implements Contender {
  private readonly strategy
  private state
  looks = 0
  private readonly sources: { facts: SourceFacts; memory: HybridState }[] = []

  constructor(private readonly world: ScheduleWorld) {
    this.strategy = twoStepsCycle(estimatedDivergence(ESTIMATOR), { firstThreshold: world.firstThreshold })
    this.state = this.strategy.begin({ budgetPerCycle: world.budgetPerCycle, cycleMs: BENCH_CYCLE_MS })
    for (let id = 0; id < world.sources; id++) this.sources.push({ facts: world.facts(id), memory: world.state(id) })
  }

  get tau(): number {
    return this.state.threshold
  }

  cycle(now: InstantMs) {
    const choosing = cpuMsOf(() => this.strategy.select(this.state, this.sources, now, () => 0))
    const { state, refresh } = choosing.result
    this.state = state
    this.looks += this.sources.length
    const answers = refresh.map((id) => this.world.refresh(id, entryAt(this.sources, id).facts.lastRefreshAt!, now))
    const learning = cpuMsOf(() => {
      for (const answer of answers) {
        const source = entryAt(this.sources, answer.sourceId)
        source.memory = ESTIMATOR.observe(source.memory, answer)
        source.facts = { ...source.facts, lastRefreshAt: now, windowSize: answer.windowSize! }
      }
    })
    return { decisions: refresh.length, cpuMs: choosing.cpuMs + learning.cpuMs }
  }
}

/** The event-driven form. When each source was refreshed last is the world's to know, so it is not the wheel's memory. */
export class WheelContender implements Contender {
  readonly wheel: TwoStepsWheel<HybridState>
  private readonly refreshedAt: Float64Array

  constructor(private readonly world: ScheduleWorld) {
    this.refreshedAt = new Float64Array(world.sources)
    this.wheel = new TwoStepsWheel({
      model: packedHybridModel(),
      budgetPerCycle: world.budgetPerCycle,
      cycleMs: BENCH_CYCLE_MS,
      capacity: world.sources,
      firstThreshold: world.firstThreshold,
    })
    for (let id = 0; id < world.sources; id++) {
      const facts = world.facts(id)
      this.refreshedAt[id] = facts.lastRefreshAt!
      this.wheel.add(facts, world.state(id))
    }
  }

  get tau(): number {
    return this.wheel.tau
  }

  get looks(): number {
    return this.wheel.looks
  }

  get worldBytes(): number {
    return this.refreshedAt.byteLength
  }

  cycle(now: InstantMs) {
    const choosing = cpuMsOf(() => this.wheel.select(now))
    const answers = choosing.result.map((id) => this.world.refresh(id, entryAt(this.refreshedAt, id), now))
    const learning = cpuMsOf(() => {
      for (const answer of answers) this.wheel.observe(answer)
    })
    for (const { sourceId } of answers) this.refreshedAt[sourceId] = now
    return { decisions: answers.length, cpuMs: choosing.cpuMs + learning.cpuMs }
  }
}

/** Foresight at the price that spends about the same budget. */
export class Ahead implements Contender {
  readonly wheel: ForesightWheel

  constructor(private readonly world: ScheduleWorld) {
    const price = world.firstThreshold
    this.wheel = new ForesightWheel({ capacity: world.sources, shared: { tables: FLAT_TABLES }, price })
    for (let id = 0; id < world.sources; id++) this.wheel.add(world.facts(id), world.memory(id))
  }

  get tau(): number {
    return this.wheel.price
  }

  get looks(): number {
    return this.wheel.looks
  }

  /** When each was refreshed last is part of its own memory. */
  readonly worldBytes = 0

  cycle(now: InstantMs) {
    const choosing = cpuMsOf(() => this.wheel.select(now))
    const answers = choosing.result.map((id) => this.world.refresh(id, this.wheel.lastRefreshAt(id)!, now))
    const learning = cpuMsOf(() => {
      for (const answer of answers) this.wheel.observe(answer)
    })
    return { decisions: answers.length, cpuMs: choosing.cpuMs + learning.cpuMs }
  }
}

export function cpuMsOf<Result>(work: () => Result): { readonly result: Result; readonly cpuMs: number } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, cpuMs: (user + system) / 1_000 }
}
