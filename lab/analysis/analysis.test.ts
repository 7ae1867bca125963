import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { activityClass, activityDistribution, itemsOfBusiest } from './activity.ts'
import { analyze } from './analyze.ts'
import { categoriesOf } from './categories.ts'
import { spanOf } from './collection.ts'
import { coefficientOfVariation, hoursOfDay, postingPattern, printedCoefficientOfVariation } from './hours.ts'
import { publicationPattern } from './publication-patterns.ts'
import { fitPowerLaw, rateBins, tailExponent } from './rate-distribution.ts'
import { discoverShape } from './shapes.ts'
import { rateStability } from './stability.ts'
import { changingWindows, neededWindow, windowSizes } from './window-sizes.ts'

const START = Date.UTC(2024, 0, 1)
const DAYS_28 = { from: START, to: START + 28 * DAY_MS }

/** Items at these hours of each of n days. */
function daily(days: number, hours: readonly number[], from = START): number[] {
  return Array.from({ length: days }, (_, day) => hours.map((hour) => from + day * DAY_MS + hour * HOUR_MS)).flat()
}

describe('activity classes (6.2)', () => {
  it.each([
    [0.2, 'very slow'],
    [1, 'moderate'],
    [9.9, 'moderate'],
    [10, 'productive'],
    [30, 'high'],
    [100, 'very high'],
  ])('%d items a day are %s', (rate, activity) => {
    expect(activityClass(rate)).toBe(activity)
  })

  it('counts sources and items of each class', () => {
    const rows = activityDistribution([0.5, 0.5, 5, 94])
    expect(rows.map(({ sources }) => sources)).toEqual([2, 1, 0, 0, 1])
    expect(rows[4]!.shareOfItems).toBeCloseTo(0.94, 12)
    expect(itemsOfBusiest([0.5, 0.5, 5, 94], 0.25)).toBeCloseTo(0.94, 12)
  })
})

describe('periodicity (6.3)', () => {
  it('is perfect where every day is like the other', () => {
    const hours = hoursOfDay(daily(28, [9.2, 9.4, 17.5]), DAYS_28)
    expect(hours[9]).toEqual({ hour: 9, mean: 2, deviation: 0 })
    expect(coefficientOfVariation(hours)).toBe(0)
  })

  it('is the mean of σ/μ over active hours; the printed form divides by 24', () => {
    // Two items every other day: μ = 1, σ = 1.
    const times = daily(28, [5.1, 5.2]).filter((_, index) => Math.floor(index / 2) % 2 === 0)
    const hours = hoursOfDay(times, DAYS_28)
    expect(coefficientOfVariation(hours)).toBeCloseTo(1, 12)
    expect(printedCoefficientOfVariation(hours)).toBeCloseTo(1 / 24, 12)
    expect(coefficientOfVariation(hoursOfDay([], DAYS_28))).toBeNull()
  })

  it('leaves out masked hours', () => {
    const hours = hoursOfDay(daily(28, [5, 22]), DAYS_28, [22, 23])
    expect(hours).toHaveLength(22)
    expect(postingPattern(hours)![5]).toBe(1)
  })
})

describe('shapes (Algorithm 6.1)', () => {
  const peaks = Array.from({ length: 24 }, (_, hour) => (hour % 4 === 0 ? 6 : 0))
  const waves = Array.from({ length: 24 }, (_, hour) => 1 + Math.cos((2 * Math.PI * (hour - 14)) / 24))
  const even = new Array<number>(24).fill(2)

  it.each([
    ['peaks', peaks],
    ['uniform', even],
    ['waves', waves],
  ])('finds %s, strictly and by the majority rule', (shape, rates) => {
    expect(discoverShape(rates)).toBe(shape)
    expect(discoverShape(rates, 0.8)).toBe(shape)
  })

  it('forgives a few odd hours by the 80 % rule only', () => {
    const oneQuietHour = even.map((rate, hour) => (hour === 3 ? 0 : rate))
    expect(discoverShape(oneQuietHour)).toBe('waves')
    expect(discoverShape(oneQuietHour, 0.8)).toBe('uniform')
    const oneAverageHour = peaks.map((rate, hour) => (hour === 2 ? 1.5 : rate))
    expect(discoverShape(oneAverageHour)).toBe('waves')
    expect(discoverShape(oneAverageHour, 0.8)).toBe('peaks')
  })

  it('does not depend on the scale, and says nothing of silence', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { minLength: 24, maxLength: 24 }),
        fc.integer({ min: 1, max: 9 }),
        (rates, by) => {
          expect(discoverShape(rates.map((rate) => rate * by))).toBe(discoverShape(rates))
        },
      ),
    )
    expect(discoverShape(new Array(24).fill(0))).toBeNull()
  })
})

describe('posting rates (SCC07 4.1)', () => {
  const random = seededRandom(3)
  // P(X ≥ x) = x^−0.9: density exponent −1.9.
  const counts = Array.from({ length: 6000 }, () => Math.floor((1 - random()) ** (-1 / 0.9)))

  it('finds the exponent of a power law, by line and by likelihood', () => {
    const fit = fitPowerLaw(rateBins(counts).filter(({ sources }) => sources >= 5))!
    expect(fit.b).toBeGreaterThan(-2.05)
    expect(fit.b).toBeLessThan(-1.75)
    expect(fit.r2).toBeGreaterThan(0.97)
    expect(tailExponent(counts, 10)).toBeGreaterThan(1.8)
    expect(tailExponent(counts, 10)).toBeLessThan(2)
  })

  it('counts every source once, and needs enough of them', () => {
    expect(rateBins([0, 1, 1, 9, 1000]).reduce((sum, { sources }) => sum + sources, 0)).toBe(4)
    expect(fitPowerLaw(rateBins([5]))).toBeNull()
    expect(tailExponent([20, 30], 10)).toBeNull()
  })
})

describe('stability of rates (SCC07 4.2, Figure 9)', () => {
  it('groups sources by their distance from the diagonal', () => {
    const sources = Array.from({ length: 20 }, (_, index) => ({
      id: `s${index}`,
      // Ten items a day, then ten more for each further source.
      times: [
        ...daily(14, [9]),
        ...Array.from({ length: 14 + index }, (_u, item) => START + 14 * DAY_MS + item * HOUR_MS),
      ],
    }))
    const stability = rateStability(
      sources,
      { from: START, to: START + 14 * DAY_MS },
      { from: START + 14 * DAY_MS, to: START + 28 * DAY_MS },
    )
    const groups = stability.pairs.map(({ group }) => group).join('')
    expect(groups).toBe('A'.repeat(10) + 'B'.repeat(8) + 'C'.repeat(2))
    expect(stability.pairs[0]).toMatchObject({ id: 's0', first: 1, second: 1, distance: 0 })
    expect(stability.distanceA).toBeCloseTo(9 / 14 / Math.SQRT2, 12)
    expect(stability.withinHalfAgain).toBeCloseTo(8 / 20, 12)
  })
})

describe('publication patterns (5.1)', () => {
  const span = { from: START, to: START + 100 * DAY_MS }
  const hourly = Array.from({ length: 24 }, (_, hour) => hour)

  it.each<[string, number[]]>([
    ['constant', daily(100, hourly)],
    ['zombie', daily(20, [9, 12])],
    ['spontaneous', daily(100, [9]).filter((_, index) => [3, 10, 11, 30, 58, 80, 99].includes(index))],
    ['sliced', daily(100, [8, 8.5, 9, 9.5, 16, 16.2])],
    ['chunked', daily(100, [6, 6, 6, 6, 6])],
    ['empty', []],
  ])('knows a %s feed', (pattern, times) => {
    expect(publicationPattern({ times }, span)).toBe(pattern)
  })

  it('knows a feed that dates every item with the time of the request', () => {
    const times = daily(100, [9, 9.001, 9.002])
    const fetchedAt = times.map((time) => Math.floor(time / (30 * MINUTE_MS)) * 30 * MINUTE_MS)
    expect(publicationPattern({ times, fetchedAt }, span)).toBe('on-the-fly')
  })

  it('does not bury a source that posts rarely', () => {
    expect(publicationPattern({ times: [START, START + 30 * DAY_MS, START + 60 * DAY_MS] }, span)).toBe('spontaneous')
  })
})

describe('windows (5.1)', () => {
  it('lists sizes, commonest first, and who changes them', () => {
    expect(windowSizes([10, 20, 10, 15])[0]).toEqual({ size: 10, sources: 2, share: 0.5 })
    expect(changingWindows([[10, 10], [10, 12], [20], []])).toBeCloseTo(1 / 3, 12)
  })

  it('needs as many places as the busiest stretch has items', () => {
    expect(neededWindow([0, 10, 20, 100, 105, 109, 110], 10)).toBe(3)
    expect(neededWindow([0, 0, 0, 50], 10)).toBe(3)
    expect(neededWindow([], 10)).toBe(0)
  })
})

describe('categories (6.1)', () => {
  const nothing = { title: null, url: null, feedCategories: [], itemCategories: [] }

  it.each([
    ['feed categories', { ...nothing, feedCategories: ['Business News'] }, ['economy']],
    ['item categories', { ...nothing, itemCategories: ['x', 'Elections'] }, ['politics']],
    ['the address', { ...nothing, url: 'https://news.example/tech/feed.xml' }, ['technology']],
    ['whole words only', { ...nothing, url: 'https://startups.example/warsaw/feed' }, []],
    ['several', { ...nothing, feedCategories: ['Markets', 'Science'] }, ['economy', 'science']],
  ])('from %s', (_name, description, categories) => {
    expect(categoriesOf(description)).toEqual(categories)
  })
})

describe('analysis of a collection', () => {
  it('puts it all together', () => {
    const busy = daily(
      60,
      Array.from({ length: 48 }, (_, half) => half / 2 + 0.1),
    )
    const collection = [
      { id: 'busy', times: Float64Array.from(busy) },
      { id: 'slow', times: Float64Array.from(daily(60, [9]).filter((_, index) => index % 3 === 0)) },
    ]
    const analysis = analyze(collection)!
    expect(analysis.items).toBe(60 * 48 + 20)
    expect(analysis.sources.map(({ activity }) => activity)).toEqual(['very high', 'very slow'])
    expect(analysis.sources.map(({ pattern }) => pattern)).toEqual(['constant', 'spontaneous'])
    expect(analysis.sources[0]).toMatchObject({ shape: 'uniform', shapeByMajority: 'uniform' })
    expect(analysis.hours.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
    expect(analysis.weekdays.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
    expect(analysis.weekly.reduce((sum, count) => sum + count, 0)).toBe(analysis.items)
    expect(analysis.stability!.next.correlation).toBeCloseTo(1, 6)
    expect(analysis.windowNeeded.find(({ everyHours }) => everyHours === 24)!.max).toBe(48)
    expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis)
  })

  it('knows windows and on-the-fly feeds where the crawler reports them', () => {
    const times = daily(30, [9])
    const analysis = analyze([
      { id: 'a', times, fetchedAt: times, windowSizes: [10, 10] },
      { id: 'b', times, windowSizes: [10, 20] },
    ])!
    expect(analysis.sources.map(({ pattern }) => pattern)).toEqual(['on-the-fly', 'spontaneous'])
    expect(analysis.windowSizes).toMatchObject({ changing: 0.5, rows: [{ size: 10 }, { size: 20 }] })
    expect(analyze([{ id: 'a', times }])!.windowSizes).toBeNull()
  })

  it('has nothing to say of nothing', () => {
    expect(analyze([])).toBeNull()
    expect(spanOf([{ id: 'a', times: [] }])).toBeNull()
  })

  it('holds for a collection of a single item', () => {
    expect(analyze([{ id: 'a', times: [START] }])!.stability).toBeNull()
  })
})
