import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { hybrid } from '../../src/refresh/estimators/index.ts'
import { findStrategy, STRATEGIES } from '../../src/refresh/strategies/index.ts'
import { uniform } from '../../src/refresh/strategies/uniform.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { clairvoyant } from './clairvoyant.ts'
import { runEvents } from './event-run.ts'
import { EventQueue } from './events.ts'
import { poissonTimes } from './poisson.ts'
import { PricedSourceRun, runPriced } from './priced-run.ts'
import { runScheduled } from './scheduled-run.ts'
import { SourceRun } from './source-run.ts'
import { Tally } from './tally.ts'
import { countPublishedBy, type SimWorld, simSource } from './world.ts'

const START = Date.UTC(2026, 0, 1)

function poissonWorld(sources: number, days: number, seed: number, windowSize = 20): SimWorld {
  const random = seededRandom(seed)
  const endMs = START + days * DAY_MS
  return {
    startMs: START,
    endMs,
    sources: Array.from({ length: sources }, (_, id) =>
      simSource(id, poissonTimes((0.2 + 3 * random()) / HOUR_MS, START, endMs, random), windowSize),
    ),
  }
}

describe('event queue', () => {
  it('gives events by time, then priority, then order of adding', () => {
    const event = fc.record({ at: fc.integer({ min: 0, max: 5 }), priority: fc.integer({ min: 0, max: 2 }) })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const queue = new EventQueue<number>()
        for (const [index, { at, priority }] of events.entries()) queue.add(at, index, priority)
        const order = Array.from({ length: events.length }, () => queue.next()!.value)
        const expected = events
          .map((entry, index) => ({ ...entry, index }))
          .sort((a, b) => a.at - b.at || a.priority - b.priority || a.index - b.index)
        expect(order).toEqual(expected.map(({ index }) => index))
        expect(queue.next()).toBeUndefined()
      }),
    )
  })
})

it('at any price no source waits for longer than the longest interval', () => {
  const quiet = { startMs: START, endMs: START + 40 * DAY_MS, sources: [simSource(1, new Float64Array(0), 20)] }
  const moments: number[] = []
  const watch = { requests: 0, refreshed: (_: unknown, at: number) => moments.push(at), ended: () => {} }
  const strategy = findStrategy('foresight')!.priced!(hybrid())
  runPriced({ world: quiet, strategy, price: 1e6, seed: 1, maxIntervalMs: 4 * DAY_MS }, watch)
  expect(moments).toEqual(Array.from({ length: 10 }, (_, k) => START + k * 4 * DAY_MS))
})

describe('a source being refreshed', () => {
  const source = simSource(1, Float64Array.from([1, 2, 2, 2, 5, 9].map((hour) => hour * HOUR_MS)), 3)

  it('shows its window, reports overlap and loss', () => {
    const run = new SourceRun(source)
    expect(run.refresh(HOUR_MS)).toMatchObject({ overlap: 'first', newItems: 1, previousAt: null, windowSize: 1 })
    expect(run.refresh(1.5 * HOUR_MS)).toMatchObject({
      overlap: 'some',
      newItems: 0,
      windowSize: null,
      notModified: true,
    })
    expect(run.refresh(5 * HOUR_MS)).toMatchObject({ overlap: 'none', newItems: 3, windowSize: 3 })
    expect(run.sight).toEqual({ from: 1, to: 5, firstSeen: 2 })
    expect(run.refresh(20 * HOUR_MS)).toMatchObject({ overlap: 'some', newItems: 1, lostAtLeast: 0 })
  })

  it('reports the true loss when requested', () => {
    const run = new SourceRun(source, { lossKnown: true })
    run.refresh(0)
    expect(run.refresh(9 * HOUR_MS).lostAtLeast).toBe(3)
  })

  it('counts items up to a moment', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: -1, max: 51 }), (moments, at) => {
        const times = Float64Array.from(moments).sort()
        const count = moments.filter((time) => time <= at).length
        expect(countPublishedBy(times, at)).toBe(count)
        expect(countPublishedBy(times, at, Math.floor(count / 2))).toBe(count)
      }),
    )
  })
})

describe('tally', () => {
  it('counts every item to the refresh that follows or to the end, and loss apart', () => {
    const source = simSource(1, Float64Array.from([1, 2, 3, 4, 20].map((hour) => hour * HOUR_MS)), 2)
    const tally = new Tally(2 * HOUR_MS, 24 * HOUR_MS, 10)
    const run = new SourceRun(source)
    for (const hour of [1.5, 10]) {
      run.refresh(hour * HOUR_MS)
      tally.refreshed(source, hour * HOUR_MS, run.sight)
    }
    tally.ended(source, run.sight.to, 5)
    expect(tally.requests).toBe(1)
    expect(tally.items).toBe(4)
    expect(tally.lost).toBe(1)
    expect(tally.delaySumMs / HOUR_MS).toBeCloseTo(8 + 7 + 6 + 4)
    expect(tally.maxDelayMs / HOUR_MS).toBe(8)
    expect(tally.quantilesMs([0.5, 0.95]).map((ms) => ms / HOUR_MS)).toEqual([6, 8])
  })
})

describe('continuous time', () => {
  it('gives the same figures source by source as through one event queue, for every strategy', () => {
    const world = poissonWorld(3, 5, 5)
    for (const { id, priced } of STRATEGIES) {
      if (priced === undefined) continue
      const strategy = priced(hybrid())
      const price = strategy.firstPrice(3, { requests: 3 * 4, perMs: DAY_MS })
      const alone = new Tally(START, world.endMs)
      const together = new Tally(START, world.endMs)
      runPriced({ world, strategy, price, seed: 3 }, alone)
      runEvents({ world, strategy, price, seed: 3 }, together)
      expect([id, alone.requests, alone.lost, Math.round(alone.delaySumMs)]).toEqual([
        id,
        together.requests,
        together.lost,
        Math.round(together.delaySumMs),
      ])
    }
  })

  it('goes on where it was left: the same figures as in one go, also for a part of the sources first', () => {
    const world = poissonWorld(3, 5, 5)
    const middle = START + 2 * DAY_MS
    for (const { id, priced } of STRATEGIES) {
      if (priced === undefined) continue
      const strategy = priced(hybrid())
      const options = { world, strategy, price: strategy.firstPrice(3, { requests: 3 * 4, perMs: DAY_MS }), seed: 3 }
      const atOnce = new Tally(middle, world.endMs, 1_000)
      runPriced(options, atOnce)
      const run = new PricedSourceRun(options)
      run.goOn(world.sources, middle, Number.POSITIVE_INFINITY, new Tally(START, middle))
      const later = new Tally(middle, world.endMs, 1_000)
      for (const of of [[0], [1, 2]]) {
        const sources = of.map((k) => world.sources[k]!)
        run.goOn(sources, world.endMs, Number.POSITIVE_INFINITY, later)
      }
      expect(later, id).toEqual(atOnce)
    }
  })

  it('spends a budget by moving the price, whatever the strategy', () => {
    const world = poissonWorld(30, 12, 8)
    for (const id of ['uniform', 'two-steps', 'scc07-allocation', 'miniflux', 'stormcrawler']) {
      const strategy = findStrategy(id)!.priced!(hybrid())
      const tally = new Tally(START + 5 * DAY_MS, world.endMs)
      const budget = { requests: 30 * 6, perMs: DAY_MS }
      runScheduled(
        { world, scheduler: { strategy, budget, burst: 1, minIntervalMs: MINUTE_MS, random: seededRandom(1) } },
        tally,
      )
      expect(tally.requests / (7 * 30 * 6), id).toBeGreaterThan(0.93)
      expect(tally.requests / (7 * 30 * 6), id).toBeLessThan(1.07)
    }
  })

  it('uniform waits half an interval on average', () => {
    const world = poissonWorld(40, 20, 2)
    const tally = new Tally(START, world.endMs)
    runPriced({ world, strategy: uniform, price: 4 * HOUR_MS, seed: 1 }, tally)
    expect(tally.meanDelayMs / HOUR_MS).toBeGreaterThan(1.9)
    expect(tally.meanDelayMs / HOUR_MS).toBeLessThan(2.1)
  })
})

describe('clairvoyant limit', () => {
  const delayOf = (times: readonly number[], polls: readonly number[], end: number) =>
    times.reduce((sum, time) => sum + (polls.find((poll) => poll >= time) ?? end) - time, 0)

  /** Every set of `count` polls on item times. */
  function leastDelay(times: readonly number[], count: number, end: number): number {
    const moments = [...new Set(times)]
    let least = Number.POSITIVE_INFINITY
    const choose = (from: number, chosen: number[]) => {
      if (chosen.length === count || from === moments.length) {
        least = Math.min(least, delayOf(times, chosen, end))
        return
      }
      choose(from + 1, [...chosen, moments[from]!])
      choose(from + 1, chosen)
    }
    choose(0, [])
    return least
  }

  const world = (times: readonly number[], windowSize = 20): SimWorld => ({
    startMs: 0,
    endMs: 100,
    sources: [simSource(0, Float64Array.from(times), windowSize)],
  })
  const ascending = fc
    .array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 9 })
    .map((times) => times.sort((a, b) => a - b))

  it('no choice of as many polls waits less', () => {
    fc.assert(
      fc.property(ascending, fc.integer({ min: 0, max: 9 }), (times, requests) => {
        const outcome = clairvoyant(world(times), { fromMs: 0, toMs: 100, requests, keepWindow: false })
        const polls = Array.from(outcome.polls[0]!)
        expect(polls.length).toBeLessThanOrEqual(requests)
        expect(delayOf(times, polls, 100)).toBe(leastDelay(times, polls.length, 100))
      }),
    )
  })

  it('with a window of W it polls before items fall out, where polls suffice', () => {
    fc.assert(
      fc.property(ascending, fc.integer({ min: 1, max: 3 }), (times, windowSize) => {
        const groups = new Map<number, number>()
        for (const time of times) groups.set(time, (groups.get(time) ?? 0) + 1)
        fc.pre(Math.max(...groups.values()) <= windowSize)
        const options = { fromMs: 0, toMs: 100, requests: 9, keepWindow: true }
        const outcome = clairvoyant(world(times, windowSize), options)
        let from = 0
        for (const poll of [...outcome.polls[0]!, 100]) {
          const to = countPublishedBy(Float64Array.from(times), poll)
          expect(to - from).toBeLessThanOrEqual(windowSize)
          from = to
        }
      }),
    )
  })
})
