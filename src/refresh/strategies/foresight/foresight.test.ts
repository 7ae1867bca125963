import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation, WEEK_MS } from '../../../model/index.ts'
import { expectedItems } from '../../intensity.ts'
import type { SourceFacts } from '../../strategy.ts'
import { FLAT_TABLES, type ForesightMemory, foresight, learnTables } from './index.ts'
import { ratePerHour } from './memory.ts'
import { foresightPacking, PACKED_BYTES } from './pack.ts'

// A Monday.
const START = Date.UTC(2026, 0, 5)
const strategy = foresight()
const never = () => 0

function factsAt(lastRefreshAt: number | null, more: Partial<SourceFacts> = {}): SourceFacts {
  return { id: 0, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt, ...more }
}

function observationOf(
  previousAt: number | null,
  at: number,
  itemTimes: readonly number[],
  more: Partial<Observation> = {},
) {
  return {
    sourceId: 0,
    previousAt,
    at,
    newItems: itemTimes.length,
    windowSize: 20,
    overlap: previousAt === null ? 'first' : itemTimes.length >= 20 ? 'none' : 'some',
    lostAtLeast: 0,
    itemTimes,
    notModified: itemTimes.length === 0,
    bytes: 0,
    latencyMs: 0,
    ...more,
  } satisfies Observation
}

/** Follows a source that publishes at the given times, refreshed every `everyMs`. */
function memoryAfter(times: readonly number[], everyMs: number, until: number, from = START): ForesightMemory {
  let memory = strategy.start(factsAt(null), never)
  let previous: number | null = null
  for (let at = from; at <= until; at += everyMs) {
    const items = times.filter((time) => time <= at && time > (previous ?? from - 1))
    memory = strategy.observe(memory, observationOf(previous, at, items.slice(-20)), factsAt(at), never)
    previous = at
  }
  return memory
}

/** One item at each of some moments of the day, for some weeks. */
function daily(moments: readonly number[], days: number): number[] {
  return Array.from({ length: days }, (_, day) => moments.map((moment) => START + day * DAY_MS + moment)).flat()
}

const evenly = (perDay: number) => Array.from({ length: perDay }, (_, k) => ((k + 0.37) * DAY_MS) / perDay)

describe('foresight', () => {
  it('refreshes at once a source that was never refreshed, and after that at the interval of the papers where all hours are alike', () => {
    expect(strategy.dueAt(strategy.start(factsAt(null), never), factsAt(null), 5)).toBe(START)
    const days = 60
    const memory = memoryAfter(daily(evenly(25), days), HOUR_MS / 2, START + days * DAY_MS)
    const end = START + days * DAY_MS
    expect(ratePerHour(memory)).toBeGreaterThan(0.98)
    expect(ratePerHour(memory)).toBeLessThan(1.1)
    // λa²/2 = μ with λ = 1 an hour.
    const waitHours = (strategy.dueAt(memory, factsAt(end), 8) - end) / HOUR_MS
    expect(waitHours).toBeGreaterThan(3.3)
    expect(waitHours).toBeLessThan(4.8)
  })

  it('comes just after the hour in which a source publishes, not before', () => {
    const days = 42
    const memory = memoryAfter(
      daily([9 * HOUR_MS + 5 * MINUTE_MS, 9 * HOUR_MS + 20 * MINUTE_MS], days),
      2 * HOUR_MS,
      START + days * DAY_MS,
    )
    const midnight = START + days * DAY_MS
    const price = (2 / 24) * 24 ** 2 * 0.5
    const due = strategy.dueAt(memory, factsAt(midnight), price)
    const hour = ((due - midnight) / HOUR_MS) % 24
    expect(hour).toBeGreaterThan(9.3)
    expect(hour).toBeLessThan(11.5)
  })

  it('comes just after the minute at which a source publishes', () => {
    const days = 28
    const onTheHour = daily(
      Array.from({ length: 24 }, (_, hour) => hour * HOUR_MS + 30 * MINUTE_MS),
      days,
    )
    const memory = memoryAfter(onTheHour, 20 * MINUTE_MS, START + days * DAY_MS)
    const now = START + days * DAY_MS + 35 * MINUTE_MS
    const due = strategy.dueAt(memory, factsAt(now), 0.5)
    const minute = ((due - START) % HOUR_MS) / MINUTE_MS
    expect(minute).toBeGreaterThanOrEqual(30)
    expect(minute).toBeLessThan(36)
  })

  it('follows a tenfold change of rate within a week', () => {
    const slow = daily(evenly(2), 56)
    const fast = daily(evenly(20), 7).map((time) => time + 56 * DAY_MS)
    const memory = memoryAfter([...slow, ...fast], 2 * HOUR_MS, START + 63 * DAY_MS)
    expect(24 * ratePerHour(memory)).toBeGreaterThan(14)
  })

  it('comes earlier where items would fall out of the window', () => {
    const days = 21
    const memory = memoryAfter(daily(evenly(240), days), HOUR_MS, START + days * DAY_MS)
    const end = START + days * DAY_MS
    const careless = foresight(undefined, { loss: false })
    const price = 200
    const careful = strategy.dueAt(memory, factsAt(end), price) - end
    expect(careful).toBeLessThan(3.2 * HOUR_MS)
    expect(careless.dueAt(memory, factsAt(end), price) - end).toBeGreaterThan(5 * HOUR_MS)
    expect(strategy.reason(memory, factsAt(end), price)).toMatch(/fall out of its window/)
  })

  it('knows a source by its first window', () => {
    const times = Array.from({ length: 20 }, (_, k) => START - (20 - k) * HOUR_MS)
    const memory = strategy.observe(
      strategy.start(factsAt(null), never),
      observationOf(null, START, times),
      factsAt(START),
      never,
    )
    expect(ratePerHour(memory)).toBeGreaterThan(0.6)
    expect(ratePerHour(memory)).toBeLessThan(1.4)
  })

  it('learns from counts where there are no dates', () => {
    let memory = strategy.start(factsAt(null), never)
    memory = strategy.observe(memory, observationOf(null, START, []), factsAt(START), never)
    for (let at = START + HOUR_MS; at < START + 14 * DAY_MS; at += HOUR_MS) {
      memory = strategy.observe(
        memory,
        { ...observationOf(at - HOUR_MS, at, []), newItems: 2, notModified: false },
        factsAt(at),
        never,
      )
    }
    expect(ratePerHour(memory)).toBeCloseTo(2, 0)
    // A silent week teaches it again.
    for (let at = START + 14 * DAY_MS; at < START + 21 * DAY_MS; at += HOUR_MS) {
      memory = strategy.observe(memory, observationOf(at - HOUR_MS, at, []), factsAt(at), never)
    }
    expect(ratePerHour(memory)).toBeLessThan(0.7)
  })

  it('weighs the days of a busy week alike, whichever came last', () => {
    const memory = memoryAfter(daily(evenly(240), 30), HOUR_MS, START + 30 * DAY_MS)
    expect(Math.min(...memory.days.of)).toBeGreaterThan(0.6 * Math.max(...memory.days.of))
    expect(24 * ratePerHour(memory)).toBeGreaterThan(225)
    expect(24 * ratePerHour(memory)).toBeLessThan(255)
  })

  it('says why in words', () => {
    const memory = memoryAfter(daily([9 * HOUR_MS], 40), 3 * HOUR_MS, START + 40 * DAY_MS)
    const reason = strategy.reason(memory, factsAt(START + 40 * DAY_MS), 10)
    expect(reason).toMatch(
      /^after .*: about [\d.]+ items a day, usually published about 09:00–10:00 UTC; [\d.]+ new items? expected by [-\d: ]+ UTC, then they are worth the price of a request \(foresight\)$/,
    )
    expect(strategy.reason(memory, factsAt(null), 10)).toMatch(/never refreshed/)
  })
})

/** Any history of refreshes, sane or not. */
const history = fc.array(
  fc.record({
    gapMs: fc.oneof(fc.integer({ min: 1_000, max: 40 * DAY_MS }), fc.constantFrom(0, -HOUR_MS, 400 * DAY_MS)),
    items: fc.integer({ min: 0, max: 20 }),
    dated: fc.boolean(),
    whole: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)

function rememberSteps(steps: Iterable<{ gapMs: number; items: number; dated: boolean; whole: boolean }>): {
  memory: ForesightMemory
  at: number
} {
  let memory = strategy.start(factsAt(null), never)
  let at = START
  let previous: number | null = null
  for (const { gapMs, items, dated, whole } of steps) {
    const next: number = at + gapMs
    const times = Array.from({ length: items }, (_, k) => at + Math.floor((gapMs * (k + 1)) / (items + 1)))
    const visible =
      dated && gapMs > 0 ? times.map((time) => (whole ? Math.floor(time / MINUTE_MS) * MINUTE_MS : time)) : []
    memory = strategy.observe(
      memory,
      { ...observationOf(previous, next, visible), newItems: items },
      factsAt(next),
      never,
    )
    previous = next
    at = next
  }
  return { memory, at }
}

describe('for any history', () => {
  it('the next refresh is a moment after the last one, and the price decides how many there are in a long time', () => {
    fc.assert(
      fc.property(history, fc.double({ min: 1e-3, max: 1e4, noNaN: true }), (steps, price) => {
        const { memory, at } = rememberSteps(steps)
        const due = strategy.dueAt(memory, factsAt(at), price)
        expect(due).toBeGreaterThanOrEqual(at)
        expect(Number.isNaN(due)).toBe(false)
        const countAt = (each: number) => {
          let count = 0
          for (let now = at; now < at + 3 * WEEK_MS && count < 3_000; count++) {
            now = Math.max(now + 1_000, strategy.dueAt(memory, factsAt(now), each))
          }
          return count
        }
        expect(countAt(4 * price)).toBeLessThanOrEqual(countAt(price))
      }),
      { numRuns: 60 },
    )
  })

  it('64 bytes hold all that is remembered', () => {
    expect(PACKED_BYTES).toBe(64)
    expect(4 * foresightPacking.floats).toBe(64)
    fc.assert(
      fc.property(history, (steps) => {
        const { memory } = rememberSteps(steps)
        const rows = new Float32Array(3 * foresightPacking.floats)
        const others = rememberSteps([{ gapMs: DAY_MS, items: 20, dated: true, whole: true }]).memory
        const memories = [others, memory, others]
        for (const [index, each] of memories.entries())
          foresightPacking.pack(each, rows, index * foresightPacking.floats)
        expect(memories.map((_, index) => foresightPacking.unpack(rows, index * foresightPacking.floats))).toEqual(
          memories,
        )
      }),
    )
  })

  it('what it believes, hour by hour, is what it expects', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 167 }), (steps, hour) => {
        const { memory } = rememberSteps(steps)
        const { intensity } = strategy.believes!(memory)
        // A millisecond early: what is dated at the full hour belongs to it.
        const from = 52 * WEEK_MS + hour * HOUR_MS
        expect(expectedItems(intensity, from, from + HOUR_MS)).toBeCloseTo(
          strategy.expected!(memory, from - 1, from + HOUR_MS - 1),
          4,
        )
      }),
    )
  })

  it('expects items in proportion: additive over intervals, never below 0', () => {
    fc.assert(
      fc.property(
        history,
        fc.integer({ min: 0, max: WEEK_MS }),
        fc.integer({ min: 0, max: WEEK_MS }),
        (steps, a, b) => {
          const { memory, at } = rememberSteps(steps)
          const whole = strategy.expected!(memory, at, at + a + b)
          const parts = strategy.expected!(memory, at, at + a) + strategy.expected!(memory, at + a, at + a + b)
          expect(whole).toBeGreaterThanOrEqual(0)
          expect(parts).toBeCloseTo(whole, 5)
        },
      ),
    )
  })
})

describe('shared tables', () => {
  const nightly = daily([2 * HOUR_MS, 3 * HOUR_MS, 4 * HOUR_MS], 28)
  const midday = daily([11 * HOUR_MS, 12 * HOUR_MS, 13 * HOUR_MS], 28)

  it('lend a quiet source the shape of those it resembles', () => {
    const tables = learnTables([...Array(6).fill(nightly), ...Array(6).fill(midday)], () => 0.5)
    const informed = foresight({ tables })
    const learn = (which: typeof strategy) => {
      const times = daily([12 * HOUR_MS + 10 * MINUTE_MS], 4)
      const memory = which.start(factsAt(null), never)
      return which.observe(memory, observationOf(null, START + 4 * DAY_MS, times), factsAt(START + 4 * DAY_MS), never)
    }
    const share = (which: typeof strategy) => {
      const memory = learn(which)
      const day = START + 7 * DAY_MS
      return (
        which.expected!(memory, day + 11 * HOUR_MS, day + 14 * HOUR_MS) / which.expected!(memory, day, day + DAY_MS)
      )
    }
    expect(share(informed)).toBeGreaterThan(share(foresight()))
    expect(share(informed)).toBeGreaterThan(0.5)
  })

  it('are swapped while running, and are flat where nothing was published', () => {
    expect(learnTables([], () => 0.5)).toEqual(FLAT_TABLES)
    const shared = { tables: FLAT_TABLES }
    const live = foresight(shared)
    const { memory, at } = rememberSteps([{ gapMs: DAY_MS, items: 3, dated: true, whole: false }])
    const before = live.expected!(memory, at, at + HOUR_MS)
    shared.tables = learnTables([nightly, nightly], () => 0.5)
    expect(live.expected!(memory, at, at + HOUR_MS)).not.toBe(before)
  })
})
