import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation, SECOND_MS } from '../../../model/index.ts'
import { seededRandom } from '../../../runtime/random.ts'
import { ESTIMATORS } from '../../estimators/index.ts'
import { findStrategy } from '../../strategies/index.ts'
import { Scheduler, type SchedulerSource } from '../scheduler.ts'
import { type Account, fill, Income } from './accounts.ts'
import { ParkedRows } from './parked-rows.ts'

const START = Date.UTC(2026, 0, 5)
const BUDGET = { requests: 60, perMs: HOUR_MS }

function newScheduler(strategy = 'uniform', minIntervalMs = MINUTE_MS): Scheduler<unknown> {
  const priced = findStrategy(strategy)!.priced!(ESTIMATORS.hybrid())
  return new Scheduler({
    strategy: priced,
    budget: BUDGET,
    burst: 2,
    minIntervalMs,
    random: seededRandom(1),
    now: START,
  })
}

function source(id: number, more: Partial<SchedulerSource> = {}): SchedulerSource {
  const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
  return { facts, dueAt: null, paused: false, retired: false, ...more }
}

function observationOf(sourceId: number, at: number): Observation {
  const found = { newItems: 1, windowSize: 20, overlap: 'some', lostAtLeast: 0, itemTimes: [at - 1] } as const
  return { sourceId, previousAt: at - HOUR_MS, at, ...found, notModified: false, bytes: 0, latencyMs: 0 }
}

/** What is taken until then, and at which price. */
function run(scheduler: Scheduler<unknown>, toMs: number, beforeTake: (now: number) => void = () => {}, from = START) {
  const refreshes: { id: number; at: number; price: number }[] = []
  for (let now = from; now < toMs; ) {
    beforeTake(now)
    const next = scheduler.take(now)
    if (next.kind === 'wait') now = Math.max(now + 1, Math.min(next.until, now + MINUTE_MS))
    else {
      refreshes.push({ id: next.id, at: now, price: next.why.price })
      scheduler.plan(observationOf(next.id, now))
      scheduler.finish(next.id, null)
    }
  }
  return refreshes
}

const account = fc.record({
  balance: fc.double({ min: -5, max: 5, noNaN: true }),
  isWanting: fc.boolean(),
  part: fc.constant(1),
})

describe('what comes in', () => {
  it('is shared evenly, and what one has no room for goes to the others', () => {
    const amounts = fc.double({ min: 0, max: 40, noNaN: true })
    fc.assert(
      fc.property(fc.array(account, { minLength: 1, maxLength: 8 }), amounts, (before, amount) => {
        const accounts: Account[] = before.map((one) => ({ ...one }))
        fill(accounts, amount, 5)
        const gains = accounts.map(({ balance }, index) => balance - before[index]!.balance)
        const sum = gains.reduce((total, one) => total + one, 0)
        const isFull = ({ balance, isWanting }: Account) => balance >= (isWanting ? 20 : 5) - 1e-6
        if (!accounts.every(isFull)) expect(sum).toBeCloseTo(amount, 6)
        // A payer with room left got as much as any other.
        const most = Math.max(...gains)
        for (const [index, one] of accounts.entries()) if (!isFull(one)) expect(gains[index]).toBeCloseTo(most, 6)
      }),
    )
  })

  it('is the same in one piece and in many', () => {
    fc.assert(
      fc.property(fc.array(account, { minLength: 1, maxLength: 6 }), (before) => {
        const [whole, pieces] = [before, before].map((all) => all.map((one) => ({ ...one })))
        fill(whole!, 12, 5)
        for (let piece = 0; piece < 48; piece++) fill(pieces!, 0.25, 5)
        for (const [index, { balance }] of whole!.entries()) expect(pieces![index]!.balance).toBeCloseTo(balance, 6)
      }),
    )
  })

  it('does not depend on who looks when, and a clock that is set earns nothing', () => {
    const [checkedIncome, untouched] = [new Income(700), new Income(700)]
    checkedIncome.take(START)
    untouched.take(START)
    let sum = 0
    for (let now = START; now <= START + HOUR_MS; now += 997) sum += checkedIncome.take(now)
    sum += checkedIncome.take(START + HOUR_MS)
    expect(sum).toBeCloseTo(untouched.take(START + HOUR_MS), 9)
    untouched.shift(-HOUR_MS)
    expect(untouched.take(START)).toBe(0)
    expect(untouched.take(START + SECOND_MS)).toBeLessThan(2)
    untouched.shift(24 * HOUR_MS)
    expect(untouched.take(START + 24 * HOUR_MS + SECOND_MS)).toBe(0)
  })
})

describe('parked sources', () => {
  it('leave in order, each from the heap of its payer', () => {
    const step = fc.record({ row: fc.nat(30), payer: fc.nat(3), isIn: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const parked = new ParkedRows((a, b) => a < b)
        parked.grow(31)
        const expected = new Map<number, number>()
        for (const { row, payer, isIn } of steps) {
          parked.remove(row)
          expected.delete(row)
          if (!isIn) continue
          parked.push(row, payer)
          expected.set(row, payer)
        }
        for (let payer = 0; payer < 4; payer++) {
          const own = [...expected].filter(([, of]) => of === payer).map(([row]) => row)
          expect(parked.peek(payer)).toBe(own.length === 0 ? -1 : Math.min(...own))
          expect([...parked.all(payer)].sort((a, b) => a - b)).toEqual(own.sort((a, b) => a - b))
        }
      }),
    )
  })
})

describe('payers', () => {
  it('change nothing where there is one of them', () => {
    for (const strategy of ['uniform', 'two-steps', 'foresight']) {
      const [without, withOne] = [newScheduler(strategy), newScheduler(strategy)]
      for (let id = 1; id <= 20; id++) {
        without.upsert(source(id))
        withOne.upsert(source(id, { payers: [7] }))
      }
      const ask = (scheduler: Scheduler<unknown>, by: number | null) => {
        let requestedAt = START
        return (now: number) => {
          if (now < requestedAt + HOUR_MS) return
          requestedAt = now
          scheduler.requestRefresh(3, by)
        }
      }
      const refreshes = run(withOne, START + DAY_MS, ask(withOne, 7))
      expect(refreshes).toEqual(run(without, START + DAY_MS, ask(without, null)))
      expect(withOne.shares(START + DAY_MS)).toMatchObject([{ id: 7, multiplier: 1, sources: 20 }])
      expect(withOne.snapshot(START + DAY_MS).payers).toBeUndefined()
    }
  })

  it('pay a source in equal parts', () => {
    const scheduler = newScheduler()
    scheduler.upsert(source(1, { payers: [1, 2, 3], intervalMs: 10 * MINUTE_MS }))
    const refreshes = run(scheduler, START + DAY_MS)
    expect(refreshes.length).toBeGreaterThan(140)
    const spent = scheduler.shares(START + DAY_MS).map(({ spentPerHour }) => spentPerHour)
    expect(spent).toHaveLength(3)
    for (const one of spent) expect(one).toBeCloseTo(2, 0)
  })

  it('wait for their share with sources of too short an interval, and say so', () => {
    const scheduler = newScheduler()
    for (let id = 1; id <= 10; id++) scheduler.upsert(source(id, { payers: [1], intervalMs: SECOND_MS }))
    for (let id = 11; id <= 40; id++) scheduler.upsert(source(id, { payers: [2] }))
    const refreshes = run(scheduler, START + DAY_MS)
    const modest = refreshes.filter(({ id, at }) => id > 10 && at > START + HOUR_MS).length
    expect(modest / (refreshes.filter(({ at }) => at > START + HOUR_MS).length - modest)).toBeGreaterThan(0.95)
    expect(refreshes.length).toBeGreaterThan(0.97 * 24 * 60)
    const reasons = Array.from({ length: 10 }, (_, index) => scheduler.explain(index + 1, START + DAY_MS)!.reason)
    expect(reasons.some((reason) => reason.startsWith('waits: its payers have used their share'))).toBe(true)
    const [greedy, other] = scheduler.shares(START + DAY_MS)
    expect(greedy!.multiplier).toBeGreaterThan(1)
    expect(other!.multiplier).toBe(1)
  })

  it('leave what they do not use to the others', () => {
    const scheduler = newScheduler()
    for (let id = 1; id <= 10; id++) scheduler.upsert(source(id, { payers: [1], intervalMs: SECOND_MS }))
    scheduler.upsert(source(11, { payers: [2], intervalMs: HOUR_MS }))
    const refreshes = run(scheduler, START + DAY_MS)
    expect(refreshes.length).toBeGreaterThan(0.97 * 24 * 60)
    expect(refreshes.filter(({ id }) => id === 11).length).toBeGreaterThanOrEqual(23)
  })

  it.each([
    ['its own', 1],
    ["another's", 11],
  ])('who asks for %s source by hand all the time gets no more than a share', (_, requested) => {
    const scheduler = newScheduler()
    for (let id = 1; id <= 10; id++) scheduler.upsert(source(id, { payers: [1] }))
    for (let id = 11; id <= 40; id++) scheduler.upsert(source(id, { payers: [2] }))
    const refreshes = run(scheduler, START + DAY_MS, () => {
      for (let id = requested; id < requested + 10; id++) scheduler.requestRefresh(id, 1)
    })
    expect(refreshes.length).toBeLessThan(1.02 * 24 * 60 + 10)
    // The other's sources: half of the budget, and what was requested besides.
    const others = refreshes.filter(({ id }) => id > 10).length
    expect(others).toBeGreaterThan(0.45 * 24 * 60)
    for (let id = 11; id <= 40; id++) expect(refreshes.some((one) => one.id === id)).toBe(true)
  })

  it('one who only asks has an account as long as it owes something', () => {
    const scheduler = newScheduler()
    for (let id = 1; id <= 10; id++) scheduler.upsert(source(id, { payers: [2] }))
    run(scheduler, START + HOUR_MS)
    for (let id = 1; id <= 10; id++) scheduler.requestRefresh(id, 9)
    run(scheduler, START + HOUR_MS + MINUTE_MS, undefined, START + HOUR_MS)
    expect(scheduler.shares(START + HOUR_MS).map(({ id }) => id)).toEqual([2, 9])
    run(scheduler, START + 3 * HOUR_MS, undefined, START + HOUR_MS + MINUTE_MS)
    expect(scheduler.shares(START + 3 * HOUR_MS)).toMatchObject([{ id: 2, multiplier: 1 }])
  })

  it('go on with their multipliers after a restart', () => {
    const fill = (scheduler: Scheduler<unknown>) => {
      for (let id = 1; id <= 200; id++) scheduler.upsert(source(id, { payers: [1] }))
      for (let id = 201; id <= 210; id++) scheduler.upsert(source(id, { payers: [2] }))
    }
    const before = newScheduler()
    fill(before)
    run(before, START + DAY_MS)
    const stored = JSON.parse(JSON.stringify(before.snapshot(START + DAY_MS)))
    const after = newScheduler()
    after.resume(stored, START + DAY_MS)
    fill(after)
    const multipliers = (one: Scheduler<unknown>) => one.shares(START + DAY_MS).map(({ multiplier }) => multiplier)
    expect(multipliers(before)[0]).toBeGreaterThan(2)
    for (const [index, one] of multipliers(before).entries()) expect(multipliers(after)[index]).toBeCloseTo(one, 6)
    expect(after.price).toBeCloseTo(before.price, 6)
  })

  it('any changes of who pays leave every source in the schedule', { timeout: 60_000 }, () => {
    const change = fc.record({
      id: fc.integer({ min: 1, max: 12 }),
      payers: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
      kind: fc.constantFrom('payers', 'ask', 'remove', 'add', 'postpone'),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const scheduler = newScheduler()
        for (let id = 1; id <= 12; id++) scheduler.upsert(source(id, { payers: [1] }))
        let now = START
        for (const { id, payers, kind } of changes) {
          run(scheduler, now + 7 * MINUTE_MS, undefined, now)
          now += 7 * MINUTE_MS
          if (kind === 'payers') scheduler.setPayers(id, payers)
          else if (kind === 'ask') scheduler.requestRefresh(id, payers[0]!)
          else if (kind === 'remove') scheduler.remove(id)
          else if (kind === 'add') scheduler.upsert(source(id, { payers }))
          else {
            const decision = scheduler.take(now)
            if (decision.kind === 'refresh') scheduler.postpone(decision.id, now + SECOND_MS, now)
          }
        }
        const refreshedIds = new Set(run(scheduler, now + 5 * HOUR_MS, undefined, now).map(({ id }) => id))
        for (let id = 1; id <= 12; id++) expect(refreshedIds.has(id)).toBe(scheduler.has(id))
        const shares = scheduler.shares(now)
        const sources = shares.reduce((sum, one) => sum + one.sources, 0)
        expect(sources).toBeCloseTo(scheduler.size, 6)
        for (const { multiplier } of shares) expect(multiplier).toBeGreaterThanOrEqual(1)
      }),
      { numRuns: 40 },
    )
  })
})
