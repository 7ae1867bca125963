import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation } from '../../src/model/index.ts'
import { estimatedDivergence } from '../../src/refresh/divergence.ts'
import { type HybridState, packedHybrid } from '../../src/refresh/estimators/index.ts'
import { raisedThreshold, twoStepsCycle } from '../../src/refresh/strategies/two-steps.ts'
import type { SourceFacts } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { packedHybridModel } from './packed-model.ts'
import { TwoStepsWheel } from './two-steps-wheel.ts'

const START = Date.UTC(2026, 2, 3)
const CYCLE_MS = 10 * MINUTE_MS
const model = packedHybridModel()
const { estimator } = model
const packing = packedHybrid()

interface KnownSource {
  facts: SourceFacts
  memory: HybridState
}

/** What is left of a state once it was packed. */
function packed(state: HybridState): HybridState {
  const row = new Float32Array(packing.floats)
  packing.pack(state, row, 0)
  return packing.unpack(row, 0)
}

/** The scan of Algorithm 4.1 over plain objects, in the order of ids; chosen sources stay out until they come back. */
class Scan {
  readonly known = new Map<number, KnownSource>()
  readonly chosen = new Set<number>()
  private readonly strategy
  private state

  constructor(budgetPerCycle: number, firstThreshold: number) {
    this.strategy = twoStepsCycle(estimatedDivergence(estimator), { firstThreshold })
    this.state = this.strategy.begin({ budgetPerCycle, cycleMs: CYCLE_MS })
  }

  get tau(): number {
    return this.state.threshold
  }

  select(now: number): readonly number[] {
    const sources = [...this.known.values()].filter(({ facts }) => !this.chosen.has(facts.id))
    sources.sort((a, b) => a.facts.id - b.facts.id)
    const { state, refresh } = this.strategy.select(this.state, sources, now, () => 0)
    this.state = state
    for (const id of refresh) this.chosen.add(id)
    return refresh
  }

  observe(observation: Observation): void {
    const source = this.known.get(observation.sourceId)!
    source.memory = packed(estimator.observe(source.memory, observation))
    const windowSize = observation.windowSize ?? source.facts.windowSize
    source.facts = { ...source.facts, windowSize, lastRefreshAt: observation.at }
    this.chosen.delete(observation.sourceId)
  }
}

/** Both forms side by side; every step is done to both, every choice compared. */
class Pair {
  readonly scan: Scan
  readonly wheel: TwoStepsWheel<HybridState>
  now = START

  constructor(budget: number, tau: number) {
    this.scan = new Scan(budget, tau)
    this.wheel = new TwoStepsWheel({
      model,
      budgetPerCycle: budget,
      cycleMs: CYCLE_MS,
      capacity: 1,
      firstThreshold: tau,
    })
  }

  add(facts: SourceFacts, state: HybridState): void {
    if (this.wheel.add(facts, state)) this.scan.known.set(facts.id, { facts, memory: packed(state) })
  }

  remove(id: number): void {
    expect(this.wheel.remove(id)).toBe(this.scan.known.delete(id))
    this.scan.chosen.delete(id)
  }

  update(id: number, change: Pick<SourceFacts, 'weight' | 'cost' | 'windowSize'>): void {
    const source = this.scan.known.get(id)
    expect(this.wheel.update({ id, ...change })).toBe(source !== undefined)
    if (source) source.facts = { ...source.facts, ...change }
  }

  release(id: number): void {
    expect(this.wheel.release(id)).toBe(this.scan.chosen.delete(id))
  }

  observe(id: number, newItems: number, windowSize: number | null): void {
    const facts = this.scan.known.get(id)?.facts
    if (facts === undefined) return
    const observation = observed(facts, this.now, newItems, windowSize)
    this.scan.observe(observation)
    this.wheel.observe(observation)
  }

  select(): readonly number[] {
    const expected = this.scan.select(this.now)
    expect(this.wheel.select(this.now)).toEqual(expected)
    expect(this.wheel.tau).toBe(this.scan.tau)
    return expected
  }
}

function observed(facts: SourceFacts, at: number, newItems: number, windowSize: number | null): Observation {
  const full = newItems >= (windowSize ?? facts.windowSize)
  return {
    sourceId: facts.id,
    previousAt: facts.lastRefreshAt,
    at,
    newItems,
    windowSize,
    overlap: facts.lastRefreshAt === null ? 'first' : full ? 'none' : 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: newItems === 0,
    bytes: 0,
    latencyMs: 0,
  }
}

const sources = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 60 }),
    weight: fc.constantFrom(0, 0.5, 1, 1, 3),
    cost: fc.constantFrom(1, 1, 1, 2, 0.3),
    windowSize: fc.constantFrom(0, 1, 5, 20),
    ratePerHour: fc.constantFrom(0, 0.01, 0.1, 1, 1, 8, 200),
    ageHours: fc.option(fc.integer({ min: 0, max: 72 })),
  }),
  { minLength: 1, maxLength: 40 },
)
const budgets = fc.constantFrom(0.4, 1, 2, 3.5, 10, 100)
const thresholds = fc.constantFrom(1e-9, 0.01, 1, 20, 1e4, 1e9)
const seeds = fc.integer()

type PairInput = Parameters<Parameters<typeof sources.map>[0]>[0]

function begin(inputs: PairInput, budget: number, tau: number): Pair {
  const pair = new Pair(budget, tau)
  for (const { id, weight, cost, windowSize, ratePerHour, ageHours } of inputs) {
    const lastRefreshAt = ageHours === null ? null : START - ageHours * HOUR_MS
    const facts = { id, weight, cost, windowSize, addedAt: START - DAY_MS, lastRefreshAt }
    pair.add(facts, estimator.start({ ratePerHour, at: START }))
  }
  return pair
}

describe('2Steps event-driven', () => {
  it('chooses, in order, what the scan of Algorithm 4.1 chooses, τ moving by Algorithm 4.2', () => {
    fc.assert(
      fc.property(sources, budgets, thresholds, seeds, (inputs, budget, tau, seed) => {
        const random = seededRandom(seed)
        const pair = begin(inputs, budget, tau)
        for (let cycle = 0; cycle < 200; cycle++) {
          pair.now += CYCLE_MS
          for (const id of pair.select()) pair.observe(id, Math.floor(random() ** 4 * 30), 20)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('also while sources come, go, change, fail and are refreshed by hand, and cycles are late or the clock jumps', () => {
    const jumps = [1, 1, 1, 0.3, 0.01, 0, 7, 3_000, -2, -900]
    fc.assert(
      fc.property(sources, budgets, thresholds, seeds, (inputs, budget, tau, seed) => {
        const random = seededRandom(seed)
        const pick = (most: number) => Math.floor(random() * most)
        const pair = begin(inputs, budget, tau)
        for (let cycle = 0; cycle < 150; cycle++) {
          pair.now += jumps[pick(jumps.length)]! * CYCLE_MS
          for (const id of pair.select())
            if (random() < 0.7) pair.observe(id, pick(25), random() < 0.3 ? null : pick(25))
          const id = 1 + pick(60)
          const change = { weight: [0, 1, 2][pick(3)]!, cost: 1 + pick(2), windowSize: pick(20) }
          const act = pick(6)
          if (act === 0) pair.remove(id)
          if (act === 1) pair.update(id, change)
          if (act === 2) pair.observe(id, pick(30), 20)
          if (act === 3) for (const out of [...pair.scan.chosen]) pair.release(out)
          if (act === 4) {
            const facts = { id, ...change, addedAt: pair.now, lastRefreshAt: null }
            pair.add(facts, estimator.start({ ratePerHour: random() * 5, at: pair.now }))
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('ranks saturated sources by window divergence, then by the last refresh, then by id', () => {
    const wheel = new TwoStepsWheel({ model, budgetPerCycle: 4, cycleMs: CYCLE_MS })
    const source = (id: number, windowSize: number, hours: number) =>
      wheel.add(
        { id, weight: 1, cost: 1, windowSize, addedAt: 0, lastRefreshAt: START - hours * HOUR_MS },
        estimator.start({ ratePerHour: 100, at: START }),
      )
    source(9, 10, 5)
    source(2, 10, 5)
    source(3, 10, 8)
    source(4, 20, 2)
    source(5, 10, 4)
    expect(wheel.select(START)).toEqual([4, 3, 2, 9])
    expect(wheel.select(START)).toEqual([5])
  })

  it('differs from the scan over unpacked states only where utility or mass lies on the border', () => {
    const view = estimatedDivergence(estimator)
    const border = 1e-5
    fc.assert(
      fc.property(seeds, fc.double({ min: 0.1, max: 200, noNaN: true }), (seed, tau) => {
        const random = seededRandom(seed)
        const exact: KnownSource[] = []
        const wheel = new TwoStepsWheel({ model, budgetPerCycle: 1_000, cycleMs: CYCLE_MS, firstThreshold: tau })
        for (let id = 0; id < 30; id++) {
          const source = learnt(id, random)
          exact.push(source)
          wheel.add(source.facts, source.memory)
        }
        const strategy = twoStepsCycle(view, { firstThreshold: tau })
        const state = strategy.begin({ budgetPerCycle: 1_000, cycleMs: CYCLE_MS })
        const expected = new Set(strategy.select(state, exact, START, random).refresh)
        const found = new Set(wheel.select(START))
        const masses = exact.map(({ memory, facts }) => view.stream(memory, facts, START) / facts.windowSize)
        fc.pre(masses.every((mass) => Math.abs(mass - 1) > border))
        const price = raisedThreshold(tau, 1_000, masses.filter((mass) => mass >= 1).length)
        for (const { memory, facts } of exact) {
          if (Math.abs(view.utility(memory, facts, START) / price - 1) < border) continue
          expect(found.has(facts.id)).toBe(expected.has(facts.id))
        }
      }),
      { numRuns: 60 },
    )
  })
})

/** A source after thirty refreshes, the last of them within two days. */
function learnt(id: number, random: () => number): KnownSource {
  const ratePerHour = 10 ** (random() * 3 - 2)
  let facts: SourceFacts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: 0, lastRefreshAt: START - 90 * DAY_MS }
  let memory = estimator.start({ ratePerHour, at: START })
  for (let refresh = 30; refresh > 0; refresh--) {
    const at = START - refresh * 2 * DAY_MS + random() * 2 * DAY_MS
    const items = ratePerHour * ((at - facts.lastRefreshAt!) / HOUR_MS)
    memory = estimator.observe(memory, observed(facts, at, Math.floor(items * 2 * random()), 20))
    facts = { ...facts, lastRefreshAt: at }
  }
  return { facts, memory }
}

describe('the work it does', () => {
  /** Looks per decision in a settled world in which every source is visited once in 144 cycles. */
  function looksPerDecision(count: number): number {
    const random = seededRandom(7)
    const wheel = new TwoStepsWheel({ model, budgetPerCycle: count / 144, cycleMs: CYCLE_MS, firstThreshold: 50 })
    const facts = Array.from({ length: count }, (_, id): SourceFacts => {
      return { id, weight: 1, cost: 1, windowSize: 20, addedAt: 0, lastRefreshAt: START - random() * DAY_MS }
    })
    const rates = facts.map(() => 10 ** (random() * 2 - 2))
    for (const [id, each] of facts.entries()) {
      wheel.add(each, estimator.start({ ratePerHour: rates[id]!, at: START }))
    }
    let decisions = 0
    let looksBefore = 0
    for (let cycle = 0; cycle < 300; cycle++) {
      const now = START + cycle * CYCLE_MS
      if (cycle === 144) looksBefore = wheel.looks
      for (const id of wheel.select(now)) {
        const before = facts[id]!
        const items = Math.floor(rates[id]! * ((now - before.lastRefreshAt!) / HOUR_MS) + random())
        wheel.observe(observed(before, now, Math.min(20, items), 20))
        facts[id] = { ...before, lastRefreshAt: now }
        if (cycle >= 144) decisions++
      }
    }
    return (wheel.looks - looksBefore) / decisions
  }

  it('does not grow with the number of sources, where the scan looks 144 times per decision', () => {
    const few = looksPerDecision(400)
    const many = looksPerDecision(4_000)
    expect(few).toBeLessThan(10)
    expect(many).toBeLessThan(10)
    expect(many / few).toBeLessThan(1.5)
  })

  it('is little while saturated sources use up the budget and all others are above τ without effect', () => {
    const wheel = new TwoStepsWheel({ model, budgetPerCycle: 1, cycleMs: CYCLE_MS, firstThreshold: 1e-6 })
    for (let id = 0; id < 1_000; id++) {
      const facts = {
        id,
        weight: 1,
        cost: 1,
        windowSize: id < 500 ? 1 : 1e6,
        addedAt: 0,
        lastRefreshAt: START - DAY_MS,
      }
      wheel.add(facts, estimator.start({ ratePerHour: 1, at: START }))
    }
    for (let cycle = 0; cycle < 400; cycle++) expect(wheel.select(START + cycle * CYCLE_MS)).toHaveLength(1)
    expect(wheel.looks).toBeLessThan(4 * 1_000)
  })

  it('needs at most 350 bytes a source with the daily hybrid model, however many are added', () => {
    const wheel = new TwoStepsWheel({ model, budgetPerCycle: 1, cycleMs: CYCLE_MS })
    const state = estimator.start({ ratePerHour: 1, at: START })
    for (let id = 0; id < 60_000; id++) {
      wheel.add({ id: id * 7 + 1e10, weight: 1, cost: 1, windowSize: 20, addedAt: 0, lastRefreshAt: START }, state)
      if (id > 10_000 && id % 997 === 0) expect(wheel.bytes / wheel.size).toBeLessThan(350)
    }
    expect(wheel.bytes / wheel.size).toBeLessThan(350)
  })
})

describe('packed models', () => {
  it('believe, read in place, what their unpacked states believe', () => {
    const random = seededRandom(11)
    const row = new Float32Array(2 * packing.floats)
    const used = new Set<string>()
    for (let id = 0; id < 200; id++) {
      const { memory } = learnt(id, random)
      used.add(memory.using)
      packing.pack(memory, row, packing.floats)
      const expected = estimator.intensity(packing.unpack(row, packing.floats))
      const found = model.intensityAt(row, packing.floats)
      expect(found.periodMs).toBe(expected.periodMs)
      expect(Array.from(found.ratesPerHour)).toEqual(Array.from(expected.ratesPerHour))
    }
    expect(used).toEqual(new Set(['single', 'periodic']))
  })
})
