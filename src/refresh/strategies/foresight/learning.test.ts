import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../model/index.ts'
import { seededRandom } from '../../../runtime/random.ts'
import { chanceOfChange } from './change.ts'
import { clusterCounts } from './cluster-counts.ts'
import { fitsBetter, logOddsOf, ownShape } from './evidence.ts'
import { foresight, learnTables } from './index.ts'
import { ratePerHour } from './memory.ts'

// A Monday.
const START = Date.UTC(2026, 0, 5)
const strategy = foresight()
const W = 20

/** Follows a source at one price, as the simulator does, and says when it was refreshed and what was lost. */
function run(times: readonly number[], price: number, days: number) {
  const facts = { id: 0, weight: 1, cost: 1, windowSize: W, addedAt: START, lastRefreshAt: null as number | null }
  let memory = strategy.start(facts, () => 0)
  const refreshes: { readonly at: number; readonly lost: number; readonly ratePerDay: number }[] = []
  let reached = 0
  for (;;) {
    const at = Math.max(strategy.dueAt(memory, facts, price), (facts.lastRefreshAt ?? 0) + 1_000)
    if (!(at < START + days * DAY_MS)) return refreshes
    let end = reached
    while (end < times.length && times[end]! <= at) end++
    const found = times.slice(Math.max(reached, end - W), end)
    memory = strategy.observe(
      memory,
      {
        sourceId: 0,
        previousAt: facts.lastRefreshAt,
        at,
        newItems: found.length,
        windowSize: W,
        overlap: facts.lastRefreshAt === null ? 'first' : found.length >= W ? 'none' : 'some',
        lostAtLeast: 0,
        itemTimes: found,
        notModified: found.length === 0,
        bytes: 0,
        latencyMs: 0,
      },
      facts,
      () => 0,
    )
    refreshes.push({ at, lost: end - reached - found.length, ratePerDay: 24 * ratePerHour(memory) })
    reached = end
    facts.lastRefreshAt = at
  }
}

const evenly = (perDay: number, fromDay: number, toDay: number) =>
  Array.from({ length: perDay * (toDay - fromDay) }, (_, k) => START + (fromDay + (k + 0.37) / perDay) * DAY_MS)

describe('windows that overflow', () => {
  it('do not make it look in the hours alone that it has seen', () => {
    // So expensive that windows are missed now and then: what is seen is what came just before a refresh.
    const perHour = [2, 1, 1, 1, 2, 7, 10, 9, 7, 8, 10, 10, 9, 9, 9, 10, 9, 9, 7, 4, 3, 3, 2, 2]
    const times = Array.from({ length: 120 * 24 }, (_, hour) => {
      const items = perHour[hour % 24]!
      return Array.from({ length: items }, (_, k) => START + (hour + (k + 0.5) / items) * HOUR_MS)
    }).flat()
    const later = run(times, 150, 120).filter(({ at }) => at > START + 60 * DAY_MS)
    const lost = later.reduce((sum, refresh) => sum + refresh.lost, 0)
    expect(lost / (times.length / 2)).toBeLessThan(0.1)
    expect(later.length / 60).toBeGreaterThan(6)
  })
})

describe('a change of pace', () => {
  it('is believed after a few windows of a source that was silent for months', () => {
    const refreshes = run(evenly(160, 90, 100), 5, 100)
    const awake = refreshes.filter(({ lost }) => lost > 0)
    expect(awake.length).toBeLessThan(5)
    const second = refreshes.find(({ at }) => at > awake[0]!.at + DAY_MS)!
    expect(second.ratePerDay).toBeGreaterThan(100)
  })

  const steady = { trust: 30, elapsedMs: 6 * HOUR_MS, times: [] }

  it('is no twenty items of one merge, but twenty items that came one by one', () => {
    const spread = Array.from({ length: 20 }, (_, k) => START + k * 15 * MINUTE_MS)
    const merge = Array.from({ length: 20 }, (_, k) => START + k * 1_000)
    const input = { ...steady, items: 20, expected: 0.8 }
    expect(chanceOfChange({ ...input, times: spread })).toBeGreaterThan(0.9)
    expect(chanceOfChange({ ...input, times: merge })).toBeLessThan(0.01)
  })

  it('is not what was expected, and is sure after a long silence of a busy source', () => {
    expect(chanceOfChange({ ...steady, items: 10, expected: 10 })).toBeLessThan(0.01)
    expect(chanceOfChange({ ...steady, items: 0, expected: 2 })).toBeLessThan(0.01)
    expect(chanceOfChange({ ...steady, items: 0, expected: 200 })).toBeGreaterThan(0.9)
  })

  it('is a probability, whatever is seen', () => {
    const amount = fc.double({ min: 0, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(fc.nat(100_000), amount, amount, fc.nat(400), (items, expected, trust, days) => {
        const chance = chanceOfChange({ items, times: [], expected, trust: trust + 6, elapsedMs: days * DAY_MS })
        expect(chance).toBeGreaterThanOrEqual(0)
        expect(chance).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('habits', () => {
  const flat = new Float64Array(24).fill(1 / 24)

  it('are its own where the counts are too uneven for chance, and the others’ where they are not', () => {
    const chance = [2, 1, 0, 1, 3, 1, 0, 2, 1, 1, 2, 0, 1, 2, 1, 0, 1, 1, 3, 1, 2, 1, 0, 3]
    const nine = Array.from(flat, (_, hour) => (hour === 9 ? 24 : hour === 17 ? 6 : 0))
    expect(ownShape(chance, flat, 12, 0)).toBeLessThan(0.1)
    expect(ownShape(nine, flat, 12, 0)).toBeGreaterThan(0.99)
    expect(ownShape(new Array<number>(24).fill(0), flat, 12, 0)).toBe(0.5)
  })

  it('of a group need more than the best of many fits', () => {
    const log = (shares: readonly number[]) => Float64Array.from(shares, Math.log)
    const even = log(new Array<number>(4).fill(0.25))
    const early = log([0.55, 0.15, 0.15, 0.15])
    expect(fitsBetter([2, 1, 0, 1], early, even, 12)).toBeLessThan(0.3)
    expect(fitsBetter([20, 4, 3, 3], early, even, 12)).toBeGreaterThan(0.9)
  })

  it('of their own are as common as the collection shows', () => {
    expect(logOddsOf([5, 5, 5, 5, 5, 5, -5, -5])).toBeCloseTo(Math.log(3), 0)
    expect(logOddsOf(new Array<number>(50).fill(-5))).toBeLessThan(-2.5)
    expect(logOddsOf([])).toBe(0)
    const random = seededRandom(5)
    const days = Array.from({ length: 28 }, (_, day) => START + day * DAY_MS)
    const anyTime = () => days.map((day) => day + Math.floor(random() * DAY_MS))
    // Two moments of the day each: more kinds of sources than there are shared shapes.
    const ownTime = () => {
      const moments = [random(), random()].map((share) => Math.floor(share * DAY_MS)).sort((a, b) => a - b)
      return days.flatMap((day) => moments.map((moment) => day + moment))
    }
    const odds = (history: () => number[]) => learnTables(Array.from({ length: 40 }, history), random).own!
    expect(odds(anyTime).hours).toBeLessThan(-2)
    expect(odds(anyTime).parts).toBeLessThan(-2)
    expect(odds(ownTime).hours).toBeGreaterThan(1)
  })

  it('of all are even where the items fall at random, and uneven where they do not', () => {
    const random = seededRandom(7)
    const rows = (peak: number) =>
      Array.from({ length: 40 }, () => {
        const row = new Array<number>(60).fill(0)
        for (let item = 0; item < 20; item++) row[random() < peak ? 0 : Math.floor(random() * 60)]! += 1
        return row
      })
    const flatHour = new Array<number>(60).fill(1 / 60)
    const [even] = clusterCounts(rows(0), 8, flatHour, random)
    expect(60 * Math.max(...even!)).toBeLessThan(1.3)
    expect(60 * Math.min(...even!)).toBeGreaterThan(0.7)
    const [uneven] = clusterCounts(rows(0.2), 8, flatHour, random)
    expect(uneven![0]).toBeGreaterThan(0.15)
  })

  it('of all are the first of the groups', () => {
    const rows = [...Array(9).fill([30, 0, 0, 0]), ...Array(3).fill([0, 0, 0, 30])] as number[][]
    const [mean] = clusterCounts(rows, 3, [0.25, 0.25, 0.25, 0.25], () => 0.5)
    expect(mean![0]).toBeGreaterThan(0.65)
    expect(mean![3]).toBeGreaterThan(0.2)
  })
})
