import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type Observation, WEEK_MS } from '../../src/model/index.ts'
import type { AnyEstimator } from '../../src/refresh/estimator.ts'
import { poisson, refresh, WINDOW } from '../../src/refresh/estimators/refresh.fixture.ts'
import { utilityItemHours } from '../../src/refresh/intensity.ts'
import { seededRandom } from '../../src/runtime/random.ts'

const START = Date.UTC(2024, 0, 1)
const PRIOR = { ratePerHour: 0.5, at: START }

/** Anything a crawler may report, however odd. */
const anyObservation = fc
  .record({
    stepMs: fc.oneof(
      fc.integer({ min: -3 * DAY_MS, max: 30 * DAY_MS }),
      fc.constantFrom(0, 1, -1, MINUTE_MS, HOUR_MS, DAY_MS, 400 * DAY_MS),
    ),
    newItems: fc.oneof(fc.constantFrom(0, 0, 1, WINDOW), fc.integer({ min: 0, max: 300 })),
    kind: fc.constantFrom('usual', 'saturated', 'dated', 'not-modified', 'oddly dated', 'first'),
    lost: fc.integer({ min: 0, max: 1000 }),
  })
  .map((one) => ({ ...one }))

type Step = { stepMs: number; newItems: number; kind: string; lost: number }

function observationsOf(steps: readonly Step[]): Observation[] {
  let previousAt: InstantMs | null = null
  let at = START
  return steps.map((step) => {
    const before = previousAt
    at = (before ?? START) + step.stepMs
    previousAt = at
    return oneOf(step, before, at)
  })
}

function oneOf(step: Step, before: InstantMs | null, at: InstantMs): Observation {
  const from = before ?? at - DAY_MS
  const times = (count: number) => Array.from({ length: count }, (_, i) => from + ((i + 0.5) * (at - from)) / count)
  switch (step.kind) {
    case 'saturated':
      return refresh(before, at, WINDOW, { overlap: before === null ? 'first' : 'none', lostAtLeast: step.lost })
    case 'dated':
      return refresh(before, at, step.newItems, { itemTimes: times(step.newItems) })
    case 'oddly dated':
      return refresh(before, at, step.newItems, { itemTimes: [at - 900 * DAY_MS, at, at + DAY_MS] })
    case 'not-modified':
      return refresh(before, at, 0, { notModified: true, windowSize: null })
    case 'first':
      return refresh(null, at, step.newItems, { overlap: 'first' })
    default:
      return refresh(before, at, step.newItems)
  }
}

export interface EstimatorExpectations {
  /** Largest state as JSON after a year of hourly refreshes. */
  readonly maxBytes: number
  /** Relative error allowed on a steady source after four weeks of refreshes every three hours; null: not promised. */
  readonly steadyWithin: number | null
}

/** What every estimator owes to strategies and stores, whatever its model. */
export function estimatorContract(make: () => AnyEstimator, expectations: EstimatorExpectations): void {
  const estimator = make()
  const learn = (observations: readonly Observation[]) =>
    observations.reduce<unknown>((state, one) => estimator.observe(state, one), estimator.start(PRIOR))
  const learnt = fc.array(anyObservation, { maxLength: 40 }).map((steps) => learn(observationsOf(steps)))
  const instants = fc.integer({ min: -WEEK_MS, max: 60 * DAY_MS }).map((offset) => START + offset)

  describe(`${estimator.id} as any estimator`, () => {
    it('expects a finite number of items, none below zero, whatever it observed', () => {
      fc.assert(
        fc.property(learnt, instants, instants, (state, a, b) => {
          const items = estimator.expected(state, Math.min(a, b), Math.max(a, b))
          expect(Number.isFinite(items) && items >= 0).toBe(true)
          const rate = estimator.ratePerHour(state, a)
          expect(Number.isFinite(rate) && rate >= 0).toBe(true)
        }),
        { numRuns: 60 },
      )
    })

    it('adds up over adjoining intervals and never shrinks with a longer one', () => {
      fc.assert(
        fc.property(learnt, instants, instants, instants, (state, x, y, z) => {
          const [a, b, c] = [x, y, z].sort((left, right) => left - right) as [number, number, number]
          const whole = estimator.expected(state, a, c)
          const parts = estimator.expected(state, a, b) + estimator.expected(state, b, c)
          expect(Math.abs(whole - parts)).toBeLessThanOrEqual(1e-6 * Math.max(1, whole))
          expect(estimator.expected(state, a, b)).toBeLessThanOrEqual(whole + 1e-6 * Math.max(1, whole))
        }),
        { numRuns: 60 },
      )
    })

    it('reaches a number of items just when it expects them', () => {
      const masses = fc.double({ min: 1e-3, max: 200, noNaN: true })
      fc.assert(
        fc.property(learnt, instants, masses, (state, from, items) => {
          const at = estimator.reaches(state, from, items)
          expect(at).toBeGreaterThanOrEqual(from)
          // Instants beyond the range of dates only mean "not in our lives".
          if (at > 8.64e15) return
          const spacing = Math.abs(at) * Number.EPSILON * 4
          const slack = estimator.ratePerHour(state, at) * (spacing / HOUR_MS) + 1e-6 * items
          expect(Math.abs(estimator.expected(state, from, at) - items)).toBeLessThanOrEqual(slack + 1e-6)
        }),
        { numRuns: 60 },
      )
      expect(estimator.reaches(estimator.start(PRIOR), START, 0)).toBe(START)
    })

    it('has an intensity that agrees with its rate', () => {
      fc.assert(
        fc.property(learnt, instants, (state, from) => {
          const { periodMs, ratesPerHour } = estimator.intensity(state)
          expect(periodMs).toBeGreaterThan(0)
          expect(Array.from(ratesPerHour).every((rate) => Number.isFinite(rate) && rate >= 0)).toBe(true)
          expect(Number.isFinite(utilityItemHours({ periodMs, ratesPerHour }, from, from + DAY_MS))).toBe(true)
        }),
        { numRuns: 30 },
      )
    })

    it('keeps a versioned state that survives storing', () => {
      fc.assert(
        fc.property(learnt, anyObservation, (state, step) => {
          const stored = JSON.parse(JSON.stringify(state)) as unknown
          expect(stored).toEqual(state)
          expect(stored).toHaveProperty('v')
          const next = oneOf(step, START, START + Math.abs(step.stepMs))
          expect(estimator.observe(stored, next)).toEqual(estimator.observe(state, next))
        }),
        { numRuns: 40 },
      )
    })

    it('does not touch the state it is given', () => {
      const state = learn([refresh(null, START, 5), refresh(START, START + HOUR_MS, 3)])
      const before = JSON.stringify(state)
      estimator.observe(state, refresh(START + HOUR_MS, START + 2 * HOUR_MS, 9))
      expect(JSON.stringify(state)).toBe(before)
    })

    it(`stays within ${expectations.maxBytes} bytes of JSON over a year of hourly refreshes`, () => {
      const random = seededRandom(7)
      let state = estimator.start(PRIOR)
      for (let hour = 1; hour <= 365 * 24; hour++) {
        const at = START + hour * HOUR_MS
        const items = Math.floor(random() * 4)
        const itemTimes = Array.from({ length: items }, (_, i) => at - HOUR_MS + ((i + 1) * HOUR_MS) / (items + 1))
        state = estimator.observe(state, refresh(at - HOUR_MS, at, items, { itemTimes }))
      }
      expect(JSON.stringify(state).length).toBeLessThanOrEqual(expectations.maxBytes)
    })

    it('learns nothing from a clock that ran backwards, and goes on afterwards', () => {
      const state = learn([refresh(START, START + HOUR_MS, 1), refresh(START + HOUR_MS, START + 2 * HOUR_MS, 1)])
      const jumped = estimator.observe(state, refresh(START + 2 * HOUR_MS, START - DAY_MS, 50))
      expect(rateOver(estimator, jumped)).toBeCloseTo(rateOver(estimator, state), 9)
    })

    it('comes back after a year of silence', () => {
      let state = estimator.start(PRIOR)
      state = feed(estimator, state, START, 365, DAY_MS, () => 0)
      const quiet = rateOver(estimator, state)
      expect(quiet).toBeLessThan(PRIOR.ratePerHour)
      const wokeAt = START + 365 * DAY_MS
      state = feed(estimator, state, wokeAt, 24 * 56, HOUR_MS, () => 2)
      expect(rateOver(estimator, state)).toBeGreaterThan(0.5)
      expect(rateOver(estimator, state)).toBeGreaterThan(quiet)
    })

    it('recovers from nothing but overflowed windows', () => {
      let state = estimator.start(PRIOR)
      let at = START
      for (let day = 0; day < 60; day++, at += DAY_MS) {
        state = estimator.observe(state, refresh(at, at + DAY_MS, WINDOW, { overlap: 'none' }))
      }
      expect(rateOver(estimator, state)).toBeGreaterThan(0.02)
      state = feed(estimator, state, at, 24 * 60, HOUR_MS, (index) => (index % 10 === 0 ? 1 : 0))
      expect(rateOver(estimator, state)).toBeLessThan(1.5)
    })

    it('starts from a prior of zero, as from one that is no number', () => {
      for (const ratePerHour of [0, Number.NaN, -3]) {
        const state = feed(estimator, estimator.start({ ratePerHour, at: START }), START, 24 * 60, HOUR_MS, () => 1)
        expect(rateOver(estimator, state)).toBeGreaterThan(0.5)
        // "Changed at every check" fits any higher rate; only counts can say more.
        expect(rateOver(estimator, state)).toBeLessThan(5)
      }
    })

    it('turns down a wild prior', () => {
      for (const ratePerHour of [1e12, Number.POSITIVE_INFINITY]) {
        const start = estimator.start({ ratePerHour, at: START })
        const state = feed(estimator, start, START, 24 * 60, HOUR_MS, (index) => index % 2)
        expect(Number.isFinite(rateOver(estimator, start))).toBe(true)
        expect(rateOver(estimator, state)).toBeLessThan(Math.max(2, rateOver(estimator, start) / 5))
      }
    })

    it.skipIf(expectations.steadyWithin === null)('finds the rate of a steady Poisson source', () => {
      const random = seededRandom(11)
      let sum = 0
      const runs = 12
      for (let run = 0; run < runs; run++) {
        const state = feed(estimator, estimator.start(PRIOR), START, 8 * 28, 3 * HOUR_MS, () => poisson(6, random))
        sum += rateOver(estimator, state)
      }
      expect(Math.abs(sum / runs - 2) / 2).toBeLessThan(expectations.steadyWithin!)
    })
  })
}

function rateOver(estimator: AnyEstimator, state: unknown): number {
  return estimator.expected(state, START, START + WEEK_MS) / 168
}

/** Refreshes at even intervals, with the items dated evenly within each. */
function feed(
  estimator: AnyEstimator,
  start: unknown,
  from: InstantMs,
  count: number,
  everyMs: number,
  items: (index: number) => number,
): unknown {
  let state = start
  for (let index = 0; index < count; index++) {
    const at = from + (index + 1) * everyMs
    const n = items(index)
    const itemTimes = Array.from({ length: n }, (_, i) => at - everyMs + ((i + 1) * everyMs) / (n + 1))
    state = estimator.observe(state, refresh(at - everyMs, at, n, { itemTimes }))
  }
  return state
}
