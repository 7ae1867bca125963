import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation } from '../../src/model/index.ts'
import type { AnyPricedStrategy, CycleStrategy, SourceFacts } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'

const START = Date.UTC(2026, 0, 5)

/** A few refreshes of one source: gaps, counts, with and without dates, sometimes saturated, sometimes a 304. */
const history = fc.array(
  fc.record({
    gapMs: fc.oneof(fc.integer({ min: 1, max: 40 * DAY_MS }), fc.constantFrom(0, MINUTE_MS, HOUR_MS, DAY_MS)),
    newItems: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 })),
    dated: fc.boolean(),
    notModified: fc.boolean(),
  }),
  { maxLength: 25 },
)
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

function lived(strategy: AnyPricedStrategy, steps: History, seed: number) {
  const random = seededRandom(seed)
  let facts: SourceFacts = { id: 7, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
  let memory = strategy.start(facts, random)
  for (const step of steps) {
    const observation = observed(facts, step)
    facts = { ...facts, lastRefreshAt: observation.at }
    memory = strategy.observe(memory, observation, facts, random)
  }
  return { facts, memory }
}

function observed(facts: SourceFacts, step: History[number]): Observation {
  const previousAt = facts.lastRefreshAt
  const from = previousAt ?? facts.addedAt
  const at = from + step.gapMs
  const newItems = step.notModified ? 0 : Math.min(step.newItems, facts.windowSize)
  const gap = step.gapMs / (newItems + 1)
  return {
    sourceId: facts.id,
    previousAt,
    at,
    newItems,
    windowSize: step.notModified ? null : facts.windowSize,
    overlap: previousAt === null ? 'first' : newItems === facts.windowSize ? 'none' : 'some',
    lostAtLeast: Math.max(0, step.newItems - facts.windowSize),
    itemTimes: step.dated ? Array.from({ length: newItems }, (_, k) => from + (k + 1) * gap) : [],
    notModified: step.notModified,
    bytes: 1_000,
    latencyMs: 50,
  }
}

const price = fc.double({ min: 1e-3, max: 1e9, noNaN: true })

/** Refreshes in 60 days when nothing new is learnt: what "more often" means for a timetable. */
function refreshesInSixtyDays(strategy: AnyPricedStrategy, memory: unknown, facts: SourceFacts, at: number): number {
  const end = START + 3_000 * DAY_MS
  let now = end
  let count = 0
  while (count < 3_000) {
    const due = strategy.dueAt(memory, { ...facts, lastRefreshAt: now }, at)
    if (!(due < end + 60 * DAY_MS)) break
    now = Math.max(due, now + 1)
    count++
  }
  return count
}

/** The rules that every strategy keeps, as src/refresh/strategy.ts gives them. */
export function strategyContract(make: () => AnyPricedStrategy): void {
  const strategy = make()
  describe(`strategy ${strategy.id}`, () => {
    it('refreshes a source at once or soon after it is added', () => {
      const { facts, memory } = lived(strategy, [], 1)
      const due = strategy.dueAt(memory, facts, 1)
      expect(due).toBeGreaterThanOrEqual(START)
      expect(due).toBeLessThan(START + DAY_MS)
    })

    it('is due at a moment that is no earlier than the last refresh, whatever was observed', () => {
      fc.assert(
        fc.property(history, fc.integer(), price, (steps, seed, at) => {
          const { facts, memory } = lived(strategy, steps, seed)
          const due = strategy.dueAt(memory, facts, at)
          expect(Number.isNaN(due)).toBe(false)
          expect(due).toBeGreaterThanOrEqual(facts.lastRefreshAt ?? facts.addedAt)
        }),
        { numRuns: 60 },
      )
    })

    it('is never due earlier at a higher price', () => {
      fc.assert(
        fc.property(
          history,
          fc.integer(),
          price,
          fc.double({ min: 1, max: 100, noNaN: true }),
          (steps, seed, at, k) => {
            const { facts, memory } = lived(strategy, steps, seed)
            if (strategy.timetable) {
              const dear = refreshesInSixtyDays(strategy, memory, facts, at * k)
              // Where a period ends cuts the count by one at most.
              expect(dear).toBeLessThanOrEqual(refreshesInSixtyDays(strategy, memory, facts, at) + 1)
              return
            }
            expect(strategy.dueAt(memory, facts, at * k)).toBeGreaterThanOrEqual(
              strategy.dueAt(memory, facts, at) - 1e-3,
            )
          },
        ),
        { numRuns: strategy.timetable ? 15 : 60 },
      )
    })

    it('lets weight hasten and cost delay, or knows neither', () => {
      fc.assert(
        fc.property(history, fc.integer(), price, fc.double({ min: 1, max: 50, noNaN: true }), (steps, seed, at, k) => {
          const { facts, memory } = lived(strategy, steps, seed)
          if (strategy.timetable) {
            const usual = refreshesInSixtyDays(strategy, memory, facts, at)
            expect(refreshesInSixtyDays(strategy, memory, { ...facts, weight: k }, at)).toBeGreaterThanOrEqual(
              usual - 1,
            )
            expect(refreshesInSixtyDays(strategy, memory, { ...facts, cost: k }, at)).toBeLessThanOrEqual(usual + 1)
            return
          }
          const usual = strategy.dueAt(memory, facts, at)
          expect(strategy.dueAt(memory, { ...facts, weight: k }, at)).toBeLessThanOrEqual(usual + 1e-3)
          expect(strategy.dueAt(memory, { ...facts, cost: k }, at)).toBeGreaterThanOrEqual(usual - 1e-3)
        }),
        { numRuns: strategy.timetable ? 15 : 60 },
      )
    })

    it('keeps a memory that can be written down and read again', () => {
      fc.assert(
        fc.property(history, fc.integer(), price, (steps, seed, at) => {
          const { facts, memory } = lived(strategy, steps, seed)
          const again: unknown = JSON.parse(JSON.stringify(memory))
          expect(strategy.dueAt(again, facts, at)).toBe(strategy.dueAt(memory, facts, at))
        }),
        { numRuns: 30 },
      )
    })

    it('holds nothing itself: the same life gives the same moment', () => {
      fc.assert(
        fc.property(history, fc.integer(), price, (steps, seed, at) => {
          const once = lived(strategy, steps, seed)
          const twice = lived(make(), steps, seed)
          expect(make().dueAt(twice.memory, twice.facts, at)).toBe(strategy.dueAt(once.memory, once.facts, at))
        }),
        { numRuns: 20 },
      )
    })

    it('says in words when and why', () => {
      const { facts, memory } = lived(strategy, [{ gapMs: HOUR_MS, newItems: 3, dated: true, notModified: false }], 3)
      const reason = strategy.reason(memory, facts, strategy.firstPrice(100, { requests: 10, perMs: MINUTE_MS }))
      expect(reason.length).toBeGreaterThan(10)
      expect(reason).not.toMatch(/NaN|undefined/)
    })

    it('names a first price that grows with the number of sources', () => {
      const few = strategy.firstPrice(10, { requests: 60, perMs: HOUR_MS })
      expect(few).toBeGreaterThan(0)
      expect(strategy.firstPrice(10_000, { requests: 60, perMs: HOUR_MS })).toBeGreaterThan(few)
    })
  })
}

/** The rules of cycle forms. `bounded`: never spends more than the budget of a cycle, rounded up. */
export function cycleContract(
  make: () => CycleStrategy<unknown, unknown>,
  bounded: boolean,
  memory: () => unknown,
): void {
  const strategy = make()
  const ages = fc.array(fc.integer({ min: 1, max: 30 * DAY_MS }), { minLength: 1, maxLength: 40 })
  const sourcesOf = (ageList: readonly number[], now: number) =>
    ageList.map((ageMs, id) => ({
      facts: { id, weight: 1, cost: 1, windowSize: 20, addedAt: START - DAY_MS, lastRefreshAt: now - ageMs },
      memory: memory(),
    }))

  describe(`cycle form of ${strategy.id}`, () => {
    it('chooses sources that exist, each at most once, within its budget', () => {
      fc.assert(
        fc.property(ages, fc.constantFrom(1, 3, 7.5), (ageList, budgetPerCycle) => {
          const state = strategy.begin({ budgetPerCycle, cycleMs: 10 * MINUTE_MS })
          const sources = sourcesOf(ageList, START)
          const { refresh } = strategy.select(state, sources, START, seededRandom(1))
          expect(new Set(refresh).size).toBe(refresh.length)
          expect(refresh.every((id) => id >= 0 && id < sources.length)).toBe(true)
          if (bounded) expect(refresh.length).toBeLessThanOrEqual(Math.ceil(budgetPerCycle))
        }),
        { numRuns: 60 },
      )
    })

    it('decides alike from the same state, and from its state written down and read again', () => {
      fc.assert(
        fc.property(ages, (ageList) => {
          const first = strategy.select(
            strategy.begin({ budgetPerCycle: 2, cycleMs: HOUR_MS }),
            sourcesOf(ageList, START),
            START,
            seededRandom(1),
          )
          const again: unknown = JSON.parse(JSON.stringify(first.state))
          const later = START + HOUR_MS
          const chosen = strategy.select(first.state, sourcesOf(ageList, later), later, seededRandom(2)).refresh
          expect(make().select(again, sourcesOf(ageList, later), later, seededRandom(2)).refresh).toEqual(chosen)
        }),
        { numRuns: 30 },
      )
    })

    it('has nothing to choose where there are no sources', () => {
      const state = strategy.begin({ budgetPerCycle: 5, cycleMs: HOUR_MS })
      expect(strategy.select(state, [], START, seededRandom(1)).refresh).toEqual([])
    })
  })
}
