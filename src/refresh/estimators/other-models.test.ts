import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { changedOrNot, changedPosterior, choGarciaMolinaRate } from './changed-or-not.ts'
import { conservativeBounds, rateBounds } from './conservative-bounds.ts'
import { fittedRate } from './curve-fitting.ts'
import { doubleSmoothing, singleSmoothing } from './exponential-smoothing.ts'
import { conjugateGamma } from './gamma.ts'
import { history, hourlyPattern } from './history.ts'
import { kMeans } from './kmeans.ts'
import { movingAverage } from './moving-average.ts'
import { expectedInWindow, logUpperTail, meanGivenAtLeast, upperTail } from './poisson.ts'
import { learnPostingClusters, NO_CLUSTERS, type PostingClustersState, postingClusters } from './posting-clusters.ts'
import { poisson, refresh } from './refresh.fixture.ts'
import { rollingPerHour } from './rolling-rate.ts'

const MIDNIGHT = Date.UTC(2024, 0, 1)
const hour = (hours: number) => MIDNIGHT + hours * HOUR_MS
const PRIOR = { ratePerHour: 1, at: MIDNIGHT }

describe('Poisson tails', () => {
  it.each([
    [1, 0.5, 1 - Math.exp(-0.5)],
    [2, 3, 1 - 4 * Math.exp(-3)],
    [3, 2, 1 - 5 * Math.exp(-2)],
  ])('P(N ≥ %d | %d)', (atLeast, mean, probability) => {
    expect(upperTail(atLeast, mean)).toBeCloseTo(probability, 12)
  })

  it('stays exact where the direct sum has long cancelled to nothing', () => {
    expect(logUpperTail(20, 0.01)).toBeCloseTo(20 * Math.log(0.01) - 42.3356, 1)
    expect(upperTail(20, 1000)).toBe(1)
    expect(expectedInWindow(20, 1000)).toBeCloseTo(20, 9)
    expect(expectedInWindow(20, 2)).toBeCloseTo(2, 9)
    expect(meanGivenAtLeast(20, 1e-9)).toBeCloseTo(20, 6)
  })
})

describe('moving average (5.3.1)', () => {
  const estimator = movingAverage()

  it('predicts the mean gap between the items of the last refresh', () => {
    const first = estimator.observe(estimator.start(PRIOR), refresh(hour(0), hour(4), 1, { itemTimes: [hour(2)] }))
    const times = [hour(5), hour(7), hour(8)]
    const next = estimator.observe(first, refresh(hour(4), hour(9), 3, { itemTimes: times }))
    expect(next.gapHours).toBeCloseTo(2, 12)
  })

  it('stretches the gap with the silence, and spreads undated items evenly', () => {
    const busy = estimator.observe(estimator.start(PRIOR), refresh(hour(0), hour(4), 8))
    expect(busy.gapHours).toBe(0.5)
    expect(estimator.observe(busy, refresh(hour(4), hour(10), 0)).gapHours).toBe(6)
  })
})

describe('exponential smoothing (5.3.2)', () => {
  it('learns quickly at first and slowly later', () => {
    const estimator = singleSmoothing()
    let state = estimator.start(PRIOR)
    state = estimator.observe(state, refresh(hour(0), hour(1), 3))
    expect(state.ratePerHour).toBeCloseTo(2, 12)
    for (let index = 1; index < 300; index++) state = estimator.observe(state, refresh(hour(index), hour(index + 1), 3))
    expect(estimator.observe(state, refresh(hour(300), hour(301), 0)).ratePerHour).toBeCloseTo(3 * 0.95, 3)
  })

  it('double smoothing follows a trend that single smoothing lags behind', () => {
    const double = doubleSmoothing({ alpha: 0.3, beta: 0.3 })
    const single = singleSmoothing({ from: 0.3, to: 0.3 })
    let [a, b] = [double.start(PRIOR), single.start(PRIOR)]
    for (let index = 0; index < 100; index++) {
      const observation = refresh(hour(index), hour(index + 1), index)
      a = double.observe(a, observation)
      b = single.observe(b, observation)
    }
    expect(double.ratePerHour(a, hour(100))).toBeCloseTo(100, 0)
    expect(single.ratePerHour(b, hour(100))).toBeLessThan(98)
  })
})

describe('history (SCC07 4.2, 4.3)', () => {
  it('knows rate and hourly pattern of the last 14 days, and nothing older', () => {
    const estimator = history()
    let state = estimator.start({ ratePerHour: 0.1, at: MIDNIGHT })
    for (let day = 0; day < 60; day++) {
      // Ten items at 09:30 in the first weeks, two at 15:30 in the last fortnight.
      const items = day < 46 ? 10 : 2
      const time = hour(24 * day + (day < 46 ? 9.5 : 15.5))
      const itemTimes = new Array<number>(items).fill(time)
      state = estimator.observe(state, refresh(hour(24 * day), hour(24 * day + 24), items, { itemTimes }))
    }
    const pattern = hourlyPattern(state)
    expect(pattern[15]).toBeGreaterThan(0.9)
    expect(pattern[9]).toBeLessThan(0.01)
    expect(estimator.expected(state, hour(1440), hour(1464))).toBeCloseTo(2, 0)
  })

  it('spreads undated items over the hours they may have come in', () => {
    const estimator = history()
    const state = estimator.observe(estimator.start(PRIOR), refresh(hour(2.5), hour(6.5), 4))
    expect(state.counts).toEqual([0.5, 1, 1, 1, 0.5])
  })
})

describe('posting-pattern clusters (SCC07 4.3.1)', () => {
  const random = seededRandom(4)
  const around = (peak: number) =>
    Array.from({ length: 24 }, (_, index) => (index === peak ? 0.7 : 0.3 / 23) + random() * 0.01)

  it('finds the groups that are there, the same ones from the same seed', () => {
    const peaks = [2, 9, 15, 21]
    const vectors = peaks.flatMap((peak) => Array.from({ length: 25 }, () => around(peak)))
    const clusters = kMeans(vectors, { k: 4, random: seededRandom(1) })
    for (let group = 0; group < 4; group++) {
      expect(new Set(clusters.assignment.slice(25 * group, 25 * group + 25)).size).toBe(1)
    }
    expect(new Set(clusters.assignment).size).toBe(4)
    expect(kMeans(vectors, { k: 4, random: seededRandom(1) })).toEqual(clusters)
  })

  it('copes with fewer vectors than clusters and with equal ones', () => {
    expect(kMeans([], { k: 12, random }).centroids).toEqual([])
    const same = Array.from({ length: 5 }, () => [1, 2])
    expect(kMeans(same, { k: 3, random }).inertia).toBe(0)
  })

  const groups = (peaks: readonly number[], each: number) =>
    peaks.flatMap((peak) => Array.from({ length: each }, () => around(peak).map((share) => 100 * share)))

  it('gives a source of few items the day of its cluster, from the next day on', () => {
    const shared = { clusters: learnPostingClusters(groups([3, 14], 10), random) }
    const estimator = postingClusters(shared)
    const itemTimes = [hour(14.2), hour(14.4), hour(16)]
    const first = estimator.observe(estimator.start(PRIOR), refresh(hour(0), hour(23), 3, { itemTimes }))
    expect(estimator.describe!(first)).toEqual({ cluster: 'none: an even day' })
    const state = estimator.observe(first, refresh(hour(23), hour(25), 0))
    expect(estimator.ratePerHour(state, hour(38.5))).toBeGreaterThan(10 * estimator.ratePerHour(state, hour(27.5)))
    expect(estimator.describe!(state)).toEqual({ cluster: expect.stringMatching(/^\d+ of 12$/) })
  })

  it('follows the clusters in force: what is learnt tonight is chosen from tomorrow', () => {
    const shared = { clusters: NO_CLUSTERS }
    const estimator = postingClusters(shared)
    const itemTimes = [hour(14.2), hour(14.4), hour(14.5)]
    let state = estimator.observe(estimator.start(PRIOR), refresh(hour(0), hour(25), 3, { itemTimes }))
    const rates = () => [14.5, 3.5].map((at) => estimator.ratePerHour(state, hour(24 + at)))
    expect(rates()[0]).toBe(rates()[1])
    shared.clusters = learnPostingClusters(groups([3, 14], 10), random)
    expect(rates()[0]).toBe(rates()[1])
    state = estimator.observe(state, refresh(hour(25), hour(49), 0))
    expect(rates()[0]).toBeGreaterThan(10 * rates()[1]!)
  })

  it('knows none but the even day before twelve sources have shown as many items as a day has hours', () => {
    expect(learnPostingClusters(groups([3], 11), random)).toEqual(NO_CLUSTERS)
    const few = groups([3], 12).map((hours) => hours.map((count) => count / 5))
    expect(learnPostingClusters(few, random)).toEqual(NO_CLUSTERS)
    const { patterns } = learnPostingClusters(groups([3, 14, 20], 4), random)
    expect(patterns).toHaveLength(13)
    for (const pattern of patterns) expect(pattern.reduce((sum, share) => sum + share)).toBeCloseTo(1, 9)
  })

  it('takes the rate of the last 14 days: late and undated items count, older days do not', () => {
    const estimator = postingClusters()
    const rate = (state: PostingClustersState) => rollingPerHour(state.recent)
    let state = estimator.start({ ...PRIOR, ratePerHour: 0 })
    for (let day = 0; day < 20; day++) {
      const items = day < 6 ? 100 : 12
      // Of every third day no date is known, of every other third they are older than the look before.
      const dates = Array.from({ length: items }, () => hour(24 * day + (day % 3 === 1 ? -30 : 12)))
      const itemTimes = day % 3 === 2 ? [] : dates
      state = estimator.observe(state, refresh(hour(24 * day), hour(24 * day + 24), items, { itemTimes }))
    }
    // A day's items lie in it or at its ends, so that fourteen counts hold thirteen to fourteen days of twelve.
    expect(rate(state)).toBeGreaterThan(0.45)
    expect(rate(state)).toBeLessThan(0.52)
  })
})

describe('curve fitting and conservative bounds (5.3.3)', () => {
  it('lays a line through points that did not overflow: Σ t·x/Σ t²', () => {
    const points = [
      { hours: 1, items: 2, windowSize: 20 },
      { hours: 3, items: 5, windowSize: 20 },
    ]
    expect(fittedRate(points)).toBeCloseTo(17 / 10, 12)
  })

  it('bends with the window, so that overflow does not pull the rate down', () => {
    const random = seededRandom(8)
    const points = Array.from({ length: 150 }, (_, index) => {
      const hours = [2, 5, 8][index % 3]!
      return { hours, items: Math.min(20, poisson(4 * hours, random)), windowSize: 20 }
    })
    expect(fittedRate(points)).toBeGreaterThan(3.8)
    expect(fittedRate(points)).toBeLessThan(4.2)
  })

  it('bounds a rate as the Poisson tables do', () => {
    // Garwood, one-sided 95 %: 3.00 for none, 16.96 above and 5.43 below for ten.
    expect(rateBounds(0, 1, 1.6449).upper).toBeCloseTo(3, 1)
    expect(rateBounds(10, 1, 1.6449).upper).toBeCloseTo(16.96, 1)
    expect(rateBounds(10, 1, 1.6449).lower).toBeCloseTo(5.43, 1)
  })

  it('comes down to the rate as more is seen, never below it by much', () => {
    const upper = conservativeBounds({ confidence: 0.95 })
    const lower = conservativeBounds({ confidence: 0.95, side: 'lower' })
    let state = upper.start(PRIOR)
    const gaps: number[] = []
    for (let day = 0; day < 20; day++) {
      state = upper.observe(state, refresh(MIDNIGHT + day * DAY_MS, MIDNIGHT + (day + 1) * DAY_MS, 24))
      gaps.push(upper.ratePerHour(state, MIDNIGHT) - lower.ratePerHour(state, MIDNIGHT))
    }
    expect(gaps[0]).toBeGreaterThan(2 * gaps.at(-1)!)
    expect(upper.ratePerHour(state, MIDNIGHT)).toBeGreaterThan(1)
    expect(lower.ratePerHour(state, MIDNIGHT)).toBeLessThan(1)
  })
})

describe('conjugate Gamma', () => {
  const estimator = conjugateGamma({ halfLifeMs: 1e15, priorShape: 1 })

  it('adds items and exposure; a 304 is exposure', () => {
    let state = estimator.start(PRIOR)
    state = estimator.observe(state, refresh(hour(0), hour(3), 8))
    expect(estimator.ratePerHour(state, hour(3))).toBeCloseTo(9 / 4, 9)
    state = estimator.observe(state, refresh(hour(3), hour(8), 0, { notModified: true, windowSize: null }))
    expect(estimator.ratePerHour(state, hour(8))).toBeCloseTo(9 / 9, 7)
  })

  it('is not fooled by overflow: exposure only from the oldest item seen', () => {
    const lessOne = conjugateGamma({ halfLifeMs: 1e15, priorShape: 1, overflowHolds: 'window less one' })
    const random = seededRandom(2)
    let [state, stateLessOne] = [estimator.start(PRIOR), lessOne.start(PRIOR)]
    let at = MIDNIGHT
    let next = at
    for (let day = 0; day < 400; day++) {
      const published: number[] = []
      for (; next <= at + DAY_MS; next += (-Math.log(1 - random()) / 5) * HOUR_MS) if (next > at) published.push(next)
      const observation = refresh(at, at + DAY_MS, 20, { overlap: 'none', itemTimes: published.slice(-20) })
      state = estimator.observe(state, observation)
      stateLessOne = lessOne.observe(stateLessOne, observation)
      at += DAY_MS
    }
    // 5 an hour, of which a counter sees 20 of 120 a day.
    expect(estimator.ratePerHour(state, at)).toBeGreaterThan(4.9)
    expect(estimator.ratePerHour(state, at)).toBeLessThan(5.1)
    expect(lessOne.ratePerHour(stateLessOne, at) / estimator.ratePerHour(state, at)).toBeCloseTo(19 / 20, 3)
  })

  it('knows without dates at least that more came than fit', () => {
    const state = estimator.observe(estimator.start(PRIOR), refresh(hour(0), hour(10), 20, { overlap: 'none' }))
    expect(estimator.ratePerHour(state, hour(10))).toBeGreaterThan(21 / 11)
  })
})

describe('changed or not', () => {
  it('has the posterior mean and variance of the formulas, integrated numerically', () => {
    const [a, b, interval] = [1.7, 3, 2.2]
    let [mass, first, second] = [0, 0, 0]
    for (let x = 0.0005; x < 30; x += 0.001) {
      const density = x ** (a - 1) * Math.exp(-b * x) * (1 - Math.exp(-x * interval))
      mass += density
      first += density * x
      second += density * x * x
    }
    const mean = first / mass
    const variance = second / mass - mean * mean
    const { shape, hours } = changedPosterior(a, b, interval)
    expect(shape / hours).toBeCloseTo(mean, 4)
    expect(shape / hours ** 2).toBeCloseTo(variance, 4)
  })

  it('finds a rate where changes are sometimes missed', () => {
    const random = seededRandom(6)
    const estimator = changedOrNot()
    let state = estimator.start(PRIOR)
    for (let index = 0; index < 900; index++) {
      state = estimator.observe(state, refresh(hour(2 * index), hour(2 * index + 2), Math.min(1, poisson(0.8, random))))
    }
    expect(estimator.ratePerHour(state, MIDNIGHT)).toBeGreaterThan(0.34)
    expect(estimator.ratePerHour(state, MIDNIGHT)).toBeLessThan(0.46)
  })

  it("agrees with Cho and Garcia-Molina's estimator", () => {
    expect(choGarciaMolinaRate(100, 55, 2)).toBeCloseTo(-Math.log(45.5 / 100.5) / 2, 12)
    expect(choGarciaMolinaRate(10, 10, 1)).toBeCloseTo(Math.log(21), 12)
  })
})
