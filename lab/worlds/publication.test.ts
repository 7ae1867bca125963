import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { type PublicationSpec, publications, publicationTimes } from './publication.ts'
import { ORIGIN_MS } from './weekly-intensity.ts'

const START = Date.UTC(2026, 0, 5)
const days = (count: number) => START + count * DAY_MS

function timesOf(spec: PublicationSpec, from: InstantMs, to: InstantMs, seed = 1, feed = 0): InstantMs[] {
  return [...publicationTimes(spec, from, to, seed, feed)]
}

/** Items per hour of the day (UTC). */
function hourly(times: readonly InstantMs[]): number[] {
  const counts = new Array<number>(24).fill(0)
  for (const at of times) counts[new Date(at).getUTCHours()]!++
  return counts
}

function countsPer(times: readonly InstantMs[], from: InstantMs, slotMs: number, slots: number): number[] {
  const counts = new Array<number>(slots).fill(0)
  for (const at of times) counts[Math.min(slots - 1, Math.floor((at - from) / slotMs))]!++
  return counts
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const variance = (values: readonly number[]) => {
  const m = mean(values)
  return mean(values.map((value) => (value - m) ** 2))
}

describe('poisson', () => {
  it('has the mean and the variance of a Poisson process, hour by hour', () => {
    const counts = countsPer(timesOf({ kind: 'poisson', ratePerDay: 48 }, days(0), days(400)), START, HOUR_MS, 9600)
    // Standard errors: mean √(2/9600) = 0.014, variance about 0.033; four of them on either side.
    expect(mean(counts)).toBeGreaterThan(2 - 0.06)
    expect(mean(counts)).toBeLessThan(2 + 0.06)
    expect(variance(counts)).toBeGreaterThan(2 - 0.14)
    expect(variance(counts)).toBeLessThan(2 + 0.14)
  })

  it('has exponential gaps: a share of 1/e is longer than the mean', () => {
    const times = timesOf({ kind: 'poisson', ratePerDay: 24 }, days(0), days(400))
    const gaps = times.slice(1).map((at, i) => at - times[i]!)
    expect(gaps.filter((gap) => gap > HOUR_MS).length / gaps.length).toBeCloseTo(Math.exp(-1), 1)
    expect(gaps.filter((gap) => gap > 3 * HOUR_MS).length / gaps.length).toBeCloseTo(Math.exp(-3), 1)
  })

  it('gives feeds and seeds streams of their own', () => {
    const spec: PublicationSpec = { kind: 'poisson', ratePerDay: 24 }
    const one = timesOf(spec, days(0), days(10), 1, 0)
    expect(timesOf(spec, days(0), days(10), 1, 0)).toEqual(one)
    expect(timesOf(spec, days(0), days(10), 1, 1)).not.toEqual(one)
    expect(timesOf(spec, days(0), days(10), 2, 0)).not.toEqual(one)
  })

  it('shows no dependence between neighbouring feeds', () => {
    const counts = (feed: number) =>
      countsPer(timesOf({ kind: 'poisson', ratePerDay: 24 }, days(0), days(200), 1, feed), START, DAY_MS, 200)
    const a = counts(4)
    const b = counts(5)
    const covariance = mean(a.map((value, i) => (value - mean(a)) * (b[i]! - mean(b))))
    expect(Math.abs(covariance / Math.sqrt(variance(a) * variance(b)))).toBeLessThan(0.25)
  })
})

describe('waves', () => {
  it('peaks at its hour, is quiet at the opposite one, and keeps its mean', () => {
    const times = timesOf({ kind: 'waves', ratePerDay: 48, peakHour: 14, depth: 0.9 }, days(0), days(100))
    const counts = hourly(times)
    expect(times.length / 100).toBeGreaterThan(46)
    expect(times.length / 100).toBeLessThan(50)
    // 1 ± 0.9·cos(half an hour) of 200 items per hour of the day.
    expect(counts[14]! / 200).toBeCloseTo(1.89, 0)
    expect(counts[2]! / 200).toBeLessThan(0.25)
    expect(counts[8]! / 200).toBeGreaterThan(0.7)
    expect(counts[8]! / 200).toBeLessThan(1.3)
  })

  it('slows down on Saturday and Sunday when told so', () => {
    const times = timesOf({ kind: 'waves', ratePerDay: 20, weekendShare: 0.25 }, days(0), days(210))
    const weekend = times.filter((at) => [0, 6].includes(new Date(at).getUTCDay())).length
    // Two of seven days at a quarter of the rate: 0.5 / 5.5.
    expect(weekend / times.length).toBeCloseTo(0.5 / 5.5, 1)
    expect(times.length / 210).toBeGreaterThan(19)
    expect(times.length / 210).toBeLessThan(21)
  })
})

describe('peaks', () => {
  it('puts nearly everything into its hours', () => {
    const counts = hourly(timesOf({ kind: 'peaks', ratePerDay: 20, hours: [6, 18] }, days(0), days(100)))
    const total = counts.reduce((sum, count) => sum + count, 0)
    expect((counts[6]! + counts[18]!) / total).toBeGreaterThan(0.96)
    expect(counts[6]! / total).toBeGreaterThan(0.42)
  })
})

describe('bursts', () => {
  const spec: PublicationSpec = { kind: 'bursts', burstsPerDay: 2, itemsPerBurst: 10, burstMs: HOUR_MS }

  it('keeps its mean but varies far more than a Poisson process', () => {
    const counts = countsPer(timesOf(spec, days(0), days(300)), START, HOUR_MS, 7200)
    expect(mean(counts) * 24).toBeGreaterThan(17)
    expect(mean(counts) * 24).toBeLessThan(23)
    expect(variance(counts) / mean(counts)).toBeGreaterThan(4)
  })

  it('mixes with a cyclic part', () => {
    const cyclic: PublicationSpec = { kind: 'waves', ratePerDay: 10 }
    const together = timesOf({ kind: 'mixture', parts: [cyclic, spec] }, days(0), days(200)).length / 200
    expect(together).toBeGreaterThan(26)
    expect(together).toBeLessThan(34)
  })
})

describe('constant', () => {
  it('ticks like a clock', () => {
    const times = timesOf({ kind: 'constant', intervalMs: 90 * MINUTE_MS, phaseMs: 0 }, days(0), days(30))
    expect(times).toHaveLength(480)
    expect(new Set(times.slice(1).map((at, i) => at - times[i]!))).toEqual(new Set([90 * MINUTE_MS]))
  })

  it('is late by its jitter at most', () => {
    const times = timesOf({ kind: 'constant', intervalMs: HOUR_MS, phaseMs: 0, jitter: 0.5 }, days(0), days(10))
    const late = times.map((at) => (at - ORIGIN_MS) % HOUR_MS)
    expect(Math.max(...late)).toBeLessThan(HOUR_MS / 2)
    expect(Math.max(...late)).toBeGreaterThan(HOUR_MS / 4)
  })
})

describe('sequence', () => {
  it('changes its behaviour at the given moment', () => {
    const spec: PublicationSpec = {
      kind: 'sequence',
      phases: [
        { spec: { kind: 'constant', intervalMs: HOUR_MS, phaseMs: 0 }, untilMs: days(10) },
        { spec: { kind: 'silent' }, untilMs: days(20) },
        { spec: { kind: 'constant', intervalMs: 2 * HOUR_MS, phaseMs: 0 }, untilMs: days(30) },
      ],
    }
    expect(timesOf(spec, days(0), days(10))).toHaveLength(240)
    expect(timesOf(spec, days(10), days(20))).toHaveLength(0)
    expect(timesOf(spec, days(20), days(40))).toHaveLength(240)
  })
})

const anySpec: fc.Arbitrary<PublicationSpec> = fc.letrec<{ spec: PublicationSpec; leaf: PublicationSpec }>((tie) => ({
  leaf: fc.oneof(
    fc.constant<PublicationSpec>({ kind: 'silent' }),
    fc.record({ kind: fc.constant('poisson' as const), ratePerDay: fc.double({ min: 0.01, max: 500, noNaN: true }) }),
    fc.record({
      kind: fc.constant('waves' as const),
      ratePerDay: fc.double({ min: 0.01, max: 200, noNaN: true }),
      peakHour: fc.integer({ min: 0, max: 23 }),
      depth: fc.constantFrom(0, 0.5, 1),
      weekendShare: fc.constantFrom(0, 0.3, 1),
    }),
    fc.record({
      kind: fc.constant('peaks' as const),
      ratePerDay: fc.double({ min: 0.1, max: 200, noNaN: true }),
      hours: fc.constantFrom([3], [7, 19]),
      leak: fc.constantFrom(0, 0.05),
    }),
    fc.record({
      kind: fc.constant('bursts' as const),
      burstsPerDay: fc.double({ min: 0.01, max: 30, noNaN: true }),
      itemsPerBurst: fc.double({ min: 1, max: 30, noNaN: true }),
      burstMs: fc.integer({ min: MINUTE_MS, max: 2 * DAY_MS }),
    }),
    fc.record({
      kind: fc.constant('constant' as const),
      intervalMs: fc.integer({ min: MINUTE_MS, max: 3 * DAY_MS }),
      jitter: fc.constantFrom(0, 0.3, 0.999),
    }),
    fc
      .array(fc.integer({ min: START - 5 * DAY_MS, max: START + 5 * DAY_MS }), { maxLength: 30 })
      .map((times) => ({ kind: 'times' as const, times: Float64Array.from(times).sort() })),
  ),
  spec: fc.oneof(
    { maxDepth: 2 },
    tie('leaf'),
    fc.record({
      kind: fc.constant('mixture' as const),
      parts: fc.array(tie('leaf'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('sequence' as const),
      phases: fc
        .array(tie('leaf'), { minLength: 1, maxLength: 3 })
        .map((specs) => specs.map((spec, i) => ({ spec, untilMs: START + (i - 1) * DAY_MS }))),
    }),
  ),
})).spec

describe('any process', () => {
  it('shows at any moment the window that a full simulation would show', () => {
    fc.assert(
      fc.property(
        anySpec,
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: -4 * DAY_MS, max: 6 * DAY_MS }),
        fc.integer({ min: 1, max: 40 }),
        (spec, seed, offset, windowItems) => {
          const at = START + offset
          const source = publications(spec, seed, 3)
          const window: string[] = []
          let oldest = Number.POSITIVE_INFINITY
          for (const publication of source.newestFirst(at)) {
            if (window.length >= windowItems || publication.at <= START - 60 * DAY_MS) break
            window.push(publication.key)
            oldest = publication.at
          }
          const simulated = [...source.between(Math.min(oldest, at) - 1, at)].map((publication) => publication.key)
          expect(window).toEqual(simulated.reverse().slice(0, window.length))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is the same in one piece as in many', () => {
    fc.assert(
      fc.property(
        anySpec,
        fc.integer({ min: 0, max: 1000 }),
        fc.array(fc.integer({ min: 0, max: 5 * DAY_MS }), { maxLength: 8 }),
        (spec, seed, cuts) => {
          const source = publications(spec, seed, 0)
          const borders = [0, ...cuts.sort((a, b) => a - b), 5 * DAY_MS].map((cut) => START + cut)
          const pieces = borders.slice(1).flatMap((to, i) => [...source.between(borders[i]!, to)])
          expect(pieces).toEqual([...source.between(START, START + 5 * DAY_MS)])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is in order, within bounds, and never gives two items one key', () => {
    fc.assert(
      fc.property(anySpec, fc.integer({ min: 0, max: 1000 }), (spec, seed) => {
        const items = [...publications(spec, seed, 0).between(days(0), days(5))]
        expect(new Set(items.map((item) => item.key)).size).toBe(items.length)
        const wrong = items.filter(
          ({ at }, i) => !Number.isInteger(at) || at <= days(0) || at > days(5) || (i > 0 && at < items[i - 1]!.at),
        )
        expect(wrong).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('finds a window however busy or quiet the feed is, without going through its whole past', () => {
    // A million a day since 2001 would be nine billion items; one in three years still gives its few.
    for (const [ratePerDay, atLeast] of [
      [0.001, 3],
      [1, 20],
      [1000, 20],
      [1_000_000, 20],
    ] as const) {
      let count = 0
      for (const _ of publications({ kind: 'waves', ratePerDay, depth: 1 }, 1, 0).newestFirst(START)) {
        if (++count === 20) break
      }
      expect(count).toBeGreaterThanOrEqual(atLeast)
    }
  })
})
