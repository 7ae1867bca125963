import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import { type FeedKind, type FeedLink, subscriptionGraph } from '../../src/network/index.ts'
import { uniform } from '../../src/refresh/strategies/uniform.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { endToEndDelaysMs, runCascade } from './cascade.ts'
import { poissonTimes } from './poisson.ts'
import { type SimWorld, simSource } from './world.ts'

/** Refreshes at the given hours, whatever it sees. */
function timetable(...hours: readonly number[]): AnyPricedStrategy {
  return {
    id: 'timetable',
    start: () => null,
    observe: () => null,
    dueAt: (_, { lastRefreshAt }): InstantMs =>
      hours.map((hour) => hour * HOUR_MS).find((at) => at > (lastRefreshAt ?? -1)) ?? Number.POSITIVE_INFINITY,
    reason: () => '',
    firstPrice: () => 1,
  }
}

function graphOf(kinds: readonly FeedKind[], edges: readonly (readonly [number, number])[]) {
  const outcome = subscriptionGraph(
    kinds,
    edges.map(([from, to]): FeedLink => ({ from, to })),
  )
  if (!outcome.ok) throw new Error(outcome.problem.kind)
  return outcome.graph
}

function worldOf(hours: number, windowSize: number, ...sources: readonly (readonly number[])[]): SimWorld {
  return {
    startMs: 0,
    endMs: hours * HOUR_MS,
    sources: sources.map((times, id) =>
      simSource(
        id,
        Float64Array.from(times, (hour) => hour * HOUR_MS),
        windowSize,
      ),
    ),
  }
}

const inHours = (times: Float64Array) => Array.from(times, (ms) => ms / HOUR_MS)
const SERIES = graphOf(
  ['source', 'query', 'query'],
  [
    [0, 1],
    [1, 2],
  ],
)

describe('aggregators in series', () => {
  it('delay adds up: an item waits for the first level, then for the second', () => {
    const outcome = runCascade({
      world: worldOf(12, 20, [1, 2.5, 4, 9]),
      graph: SERIES,
      aggregator: (feed) => ({
        strategy: feed === 1 ? timetable(2, 5, 10) : timetable(3, 6, 11),
        price: 1,
        windowSize: 20,
      }),
      seed: 1,
    })
    const [, first, second] = outcome.feeds
    expect(inHours(first!.source.times)).toEqual([2, 5, 5, 10])
    expect(inHours(second!.source.times)).toEqual([3, 6, 6, 11])
    expect(inHours(endToEndDelaysMs(outcome, 1))).toEqual([1, 2.5, 1, 1])
    expect(inHours(endToEndDelaysMs(outcome, 2))).toEqual([2, 3.5, 2, 2])
    expect([first!.delaySumMs, second!.delaySumMs].map((ms) => ms / HOUR_MS)).toEqual([5.5, 4])
    expect([first!.requests, second!.requests]).toEqual([3, 3])
  })

  it('each level loses what falls out of the window before it', () => {
    const outcome = runCascade({
      // The source shows 3 items and brings 5 before hour 6; the first aggregator shows 2.
      world: worldOf(12, 3, [1, 2, 3, 4, 5, 7, 8]),
      graph: SERIES,
      aggregator: (feed) => ({ strategy: feed === 1 ? timetable(6, 9) : timetable(6.5, 10), price: 1, windowSize: 2 }),
      seed: 1,
    })
    const [, first, second] = outcome.feeds
    expect(first).toMatchObject({ fallenOut: 2, waiting: 0 })
    expect([...first!.items]).toEqual([2, 3, 4, 5, 6])
    // Of three items published at hour 6 the second level finds two.
    expect(second).toMatchObject({ fallenOut: 1, waiting: 0 })
    expect([...second!.items]).toEqual([3, 4, 5, 6])
  })

  it('loses and invents nothing else, at any depth, and delay is the sum over the levels', () => {
    const inputs = fc.record({
      seed: fc.nat({ max: 10_000 }),
      perDay: fc.integer({ min: 1, max: 60 }),
      windowSize: fc.integer({ min: 1, max: 12 }),
      intervals: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
    })
    fc.assert(
      fc.property(inputs, ({ seed, perDay, windowSize, intervals }) => {
        const endMs = 6 * DAY_MS
        const times = poissonTimes(perDay / DAY_MS, 0, endMs, seededRandom(seed))
        const outcome = runCascade({
          world: { startMs: 0, endMs, sources: [simSource(0, times, windowSize)] },
          graph: graphOf(
            ['source', ...intervals.map(() => 'query' as const)],
            intervals.map((_, level) => [level, level + 1]),
          ),
          aggregator: (feed) => ({ strategy: uniform, price: intervals[feed - 1]! * HOUR_MS, windowSize }),
          seed,
        })
        const last = outcome.feeds.at(-1)!
        const lost = outcome.feeds.reduce((sum, { fallenOut, waiting }) => sum + fallenOut + waiting, 0)
        expect(last.items.length + lost).toBe(times.length)
        const waits = new Float64Array(times.length)
        for (const [level, { source, items }] of outcome.feeds.entries()) {
          if (level === 0) continue
          const before = outcome.feeds[level - 1]!
          const appearedAt = new Map(Array.from(before.items, (item, index) => [item, before.source.times[index]!]))
          for (const [index, item] of items.entries()) waits[item]! += source.times[index]! - appearedAt.get(item)!
        }
        const ends = endToEndDelaysMs(outcome, intervals.length)
        for (const [index, item] of last.items.entries()) expect(ends[index]).toBeCloseTo(waits[item]!, 3)
      }),
      { numRuns: 60 },
    )
  })

  it('two levels of a uniform four hours wait two and two hours on average', () => {
    const endMs = 400 * DAY_MS
    const times = poissonTimes(20 / DAY_MS, 0, endMs, seededRandom(5))
    const outcome = runCascade({
      world: { startMs: 0, endMs, sources: [simSource(0, times, 100)] },
      graph: SERIES,
      aggregator: (feed) => ({ strategy: uniform, price: (feed === 1 ? 4 : 4.01) * HOUR_MS, windowSize: 100 }),
      seed: 2,
    })
    const delays = inHours(endToEndDelaysMs(outcome, 2))
    const mean = delays.reduce((sum, hours) => sum + hours, 0) / delays.length
    expect(mean).toBeGreaterThan(3.8)
    expect(mean).toBeLessThan(4.2)
  })
})

describe('a network of aggregators', () => {
  it('takes an item that comes by two ways once, by the faster, and leaves out what it does not want', () => {
    const outcome = runCascade({
      world: worldOf(12, 20, [1, 4], [2]),
      // 2 and 3 read source 0, 3 reads source 1 too, 4 reads both.
      graph: graphOf(
        ['source', 'source', 'query', 'query', 'query'],
        [
          [0, 2],
          [0, 3],
          [1, 3],
          [2, 4],
          [3, 4],
        ],
      ),
      aggregator: (feed) => ({
        strategy: [timetable(), timetable(), timetable(2, 5), timetable(3, 8), timetable(4, 9)][feed]!,
        price: 1,
        windowSize: 20,
        ...(feed === 4 ? { wants: (_item: number, origin: number) => origin === 0 } : {}),
      }),
      seed: 1,
    })
    const last = outcome.feeds[4]!
    expect([...last.items]).toEqual([0, 1])
    expect(inHours(endToEndDelaysMs(outcome, 4))).toEqual([3, 5])
    expect(last).toMatchObject({ repeated: 2, unwanted: 1, requests: 4, fallenOut: 0 })
    expect([...outcome.origins]).toEqual([0, 0, 1])
  })
})
