import { type InstantMs, MINUTE_MS, type Observation } from '../../src/model/index.ts'
import { type ForesightMemory, foresight, type SharedTables } from '../../src/refresh/strategies/foresight/index.ts'
import { foresightPacking as packing } from '../../src/refresh/strategies/foresight/pack.ts'
import type { SourceFacts } from '../../src/refresh/strategy.ts'
import { TimingWheel } from './timing-wheel.ts'

export interface ForesightWheelOptions {
  readonly capacity: number
  readonly shared: SharedTables
  readonly price: number
}

/**
 * Foresight over very many sources, numbered 0 to capacity − 1: 64 bytes of memory, eight in the wheel and 26 of facts
 * each. A decision is O(1): drain what is due, learn, look ahead, sleep. A price that moved reaches a source with its next
 * refresh. Weights and costs are 1 here; Scheduler has them.
 */
export class ForesightWheel {
  price: number
  /** Sources that were woken. */
  looks = 0
  private readonly strategy
  private readonly memories: Float32Array
  private readonly refreshedAt: Float64Array
  private readonly dueAt: Float64Array
  private readonly windows: Uint16Array
  private readonly wheel: TimingWheel
  private readonly woken: number[] = []

  constructor({ capacity, shared, price }: ForesightWheelOptions) {
    this.price = price
    this.strategy = foresight(shared)
    this.memories = new Float32Array(capacity * packing.floats)
    this.refreshedAt = new Float64Array(capacity)
    this.dueAt = new Float64Array(capacity)
    this.windows = new Uint16Array(capacity)
    this.wheel = new TimingWheel(MINUTE_MS / 4, capacity)
  }

  get bytes(): number {
    return this.memories.byteLength + 2 * this.refreshedAt.byteLength + this.windows.byteLength + this.wheel.bytes
  }

  /** `memory`: what was learnt before, if anything was. */
  add(facts: SourceFacts, memory: ForesightMemory = this.strategy.start(facts, never)): void {
    const { id } = facts
    packing.pack(memory, this.memories, id * packing.floats)
    this.refreshedAt[id] = facts.lastRefreshAt ?? Number.NaN
    this.windows[id] = facts.windowSize
    this.sleep(id, this.strategy.dueAt(memory, facts, this.price))
  }

  lastRefreshAt(id: number): InstantMs | null {
    const at = this.refreshedAt[id] ?? 0
    return Number.isNaN(at) ? null : at
  }

  /** Sources that are due by now. Each must be observed (or added again) before it can be due once more. */
  select(now: InstantMs): number[] {
    this.woken.length = 0
    this.wheel.drain(now, this.woken)
    this.looks += this.woken.length
    const due: number[] = []
    for (const id of this.woken) {
      if ((this.dueAt[id] ?? 0) <= now) due.push(id)
      else this.wheel.put(id, this.dueAt[id] ?? 0)
    }
    return due
  }

  observe(observation: Observation): void {
    const { sourceId: id, at } = observation
    this.refreshedAt[id] = at
    if (observation.windowSize) this.windows[id] = observation.windowSize
    const facts = this.factsOf(id)
    const before = packing.unpack(this.memories, id * packing.floats)
    const memory = this.strategy.observe(before, observation, facts, never)
    packing.pack(memory, this.memories, id * packing.floats)
    this.sleep(id, this.strategy.dueAt(memory, facts, this.price))
  }

  private sleep(id: number, until: InstantMs): void {
    this.dueAt[id] = until
    this.wheel.put(id, until)
  }

  private factsOf(id: number): SourceFacts {
    return {
      id,
      weight: 1,
      cost: 1,
      windowSize: this.windows[id] ?? 0,
      addedAt: 0,
      lastRefreshAt: this.lastRefreshAt(id),
    }
  }
}

const never = () => 0
