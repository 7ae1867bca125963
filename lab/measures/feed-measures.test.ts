import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregatedStream, feedCompleteness, idealStream } from './completeness.ts'
import {
  divergenceBySelectivities,
  divergenceBySelectivity,
  divergenceForQueries,
  streamDivergence,
  windowDivergence,
} from './divergence.ts'
import { queryFeedOf, selectivity, streamAt, windowAt } from './feed.ts'
import { fetchedBy, type RefreshedSource } from './fetched.ts'
import { isSaturated, itemLoss, saturatedSince, saturationCoefficient } from './saturation.ts'
import {
  aggregatorWindow,
  freshnessFromDivergence,
  meanFreshness,
  overTime,
  weightedFreshness,
  windowFreshness,
  windowFreshness2010,
} from './window-freshness.ts'

interface Story {
  readonly at: number
  readonly words: readonly string[]
}

const story = (at: number, ...words: string[]): Story => ({ at, words })
const about = (word: string) => (item: Story) => item.words.includes(word)

/** One item a minute; every third is about the volcano, every second about Iceland. */
const guardian = Array.from({ length: 12 }, (_, index) =>
  story(index + 1, ...(index % 3 === 0 ? ['volcano'] : []), ...(index % 2 === 0 ? ['iceland'] : [])),
)

const stories = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 5 }), wanted: fc.boolean() }), { maxLength: 60 })
  .map((gaps) => {
    let at = 0
    return gaps.map(({ gap, wanted: matches }) => story((at += gap), ...(matches ? ['volcano'] : [])))
  })
const refreshedStories = fc.record({
  items: stories,
  windowSize: fc.integer({ min: 1, max: 12 }),
  refreshes: fc
    .array(fc.integer({ min: 0, max: 200 }), { maxLength: 12 })
    .map((times) => times.sort((left, right) => left - right)),
})

describe('streams, windows and query feeds (thesis 1.4)', () => {
  it('has all items until now in the stream, the newest W in the window', () => {
    expect(streamAt(guardian, 5).map(({ at }) => at)).toEqual([1, 2, 3, 4, 5])
    expect(windowAt(guardian, 5, 3).map(({ at }) => at)).toEqual([3, 4, 5])
  })

  it('is the union of its windows at all times (1.4.1)', () => {
    fc.assert(
      fc.property(stories, fc.integer({ min: 1, max: 5 }), (items, windowSize) => {
        const distinct = items.filter((item, index) => index === 0 || item.at > items[index - 1]!.at)
        const seen = new Set(distinct.flatMap(({ at }) => windowAt(distinct, at, windowSize)))
        expect(seen.size).toBe(distinct.length)
      }),
    )
  })

  it('unites filters over sources by date, each item once', () => {
    const picture = [story(2.5, 'volcano'), story(9, 'flower')]
    const feed = queryFeedOf([
      { sources: [guardian], accepts: (item) => item.words.length > 0 },
      { sources: [guardian, picture], accepts: about('volcano') },
    ])
    expect(feed.map(({ at }) => at)).toEqual([1, 2.5, 3, 4, 5, 7, 9, 10, 11])
    expect(selectivity(picture, about('volcano'))).toBe(0.5)
    expect(selectivity([], about('volcano'))).toBe(1)
  })
})

describe('divergence (2.1)', () => {
  const since = { refreshedAt: 4, now: 10 }

  it('counts what was published in (T_r, t]', () => {
    expect(streamDivergence(guardian, since)).toBe(6)
    expect(streamDivergence(guardian, since, about('volcano'))).toBe(2)
    expect(divergenceBySelectivity(6, 1 / 3)).toBe(2)
    expect(streamDivergence(guardian, { refreshedAt: 4, now: 4 })).toBe(0)
  })

  it('is limited by the window, where a wanted item may be pushed out again', () => {
    expect(windowDivergence(guardian, since, 4)).toBe(4)
    expect(windowDivergence(guardian, { refreshedAt: 4, now: 9 }, 3, about('volcano'))).toBe(1)
    expect(windowDivergence(guardian, { refreshedAt: 4, now: 12 }, 2, about('volcano'))).toBe(0)
  })

  it('of a set of queries: the printed sum counts an item once per query, "wanted by any" once', () => {
    const queries = [about('volcano'), about('iceland')]
    // Items 5 to 10: volcano 7 and 10, Iceland 5, 7 and 9.
    expect(divergenceForQueries(guardian, since, queries)).toEqual({ sum: 5, wantedByAny: 4 })
    expect(divergenceForQueries(guardian, since, queries, 2)).toEqual({ sum: 2, wantedByAny: 2 })
    expect(divergenceBySelectivities(12, [0.5, 1 / 3]).sum).toBeCloseTo(10, 12)
    expect(divergenceBySelectivities(12, [0.5, 1 / 3]).wantedByAny).toBeCloseTo(8, 12)
  })

  it('of stream and window are equal until saturation, and the window never shows more', () => {
    fc.assert(
      fc.property(stories, fc.integer({ min: 1, max: 10 }), fc.nat(100), fc.nat(100), (items, windowSize, a, b) => {
        const interval = { refreshedAt: Math.min(a, b), now: Math.max(a, b) }
        const stream = streamDivergence(items, interval)
        const window = windowDivergence(items, interval, windowSize)
        expect(window).toBe(Math.min(stream, windowSize))
        const matching = windowDivergence(items, interval, windowSize, about('volcano'))
        expect(matching).toBeLessThanOrEqual(streamDivergence(items, interval, about('volcano')))
        if (stream <= windowSize) expect(matching).toBe(streamDivergence(items, interval, about('volcano')))
      }),
    )
  })
})

describe('saturation and item loss (2.1.1, 2.1.2)', () => {
  it('saturates when the W-th item appears', () => {
    expect(isSaturated(9, 10)).toBe(false)
    expect(isSaturated(10, 10)).toBe(true)
    expect(saturatedSince(guardian, 4, 3)).toBe(7)
    expect(saturatedSince(guardian, 4, 30)).toBeNull()
  })

  it.each([
    [10, 10, 1, 0, 'the example of 2.1.2: once an hour is just enough'],
    [10, 10, 0.5, 0.5, 'half as often loses half'],
    [10, 40, 1, 0.75, 'Figure 2.3'],
    [10, 100, 5, 0.5, 'Figure 2.3'],
    [10, 5, 0, 1, 'never refreshed'],
    [10, 0, 0, 0, 'a silent source loses nothing'],
  ])('W = %d, λ = %d, r = %d: %d (%s)', (windowSize, rate, refreshes, coefficient) => {
    expect(saturationCoefficient(windowSize, rate, refreshes)).toBeCloseTo(coefficient, 12)
  })

  it('agrees with the items really lost by a steady source', () => {
    const steady = Array.from({ length: 4000 }, (_, index) => story(index + 1))
    const refreshes = Array.from({ length: 100 }, (_, index) => 40 * (index + 1))
    expect(itemLoss(steady, refreshes, 10)).toEqual({ published: 4000, lost: 3000, share: 0.75 })
  })
})

describe('completeness and window freshness (2.2, 2.3)', () => {
  const source: RefreshedSource<Story> = { items: guardian, windowSize: 3, refreshes: [2, 7, 11] }

  it('fetches what the windows showed: 1, 2, then 5 to 7, then 9 to 11', () => {
    expect(fetchedBy(source, 12).map(({ item }) => item.at)).toEqual([1, 2, 5, 6, 7, 9, 10, 11])
    expect(feedCompleteness([source], 12)).toBeCloseTo(8 / 12, 12)
    expect(feedCompleteness([source], 12, about('volcano'))).toBeCloseTo(3 / 4, 12)
    expect(feedCompleteness([source], 0)).toBe(1)
    expect(itemLoss(guardian, source.refreshes, 3).lost).toBe(3)
  })

  it('is fresh right after a refresh and sinks as items appear', () => {
    expect([7, 8, 9, 10, 11].map((t) => windowFreshness(source, t))).toEqual([1, 2 / 3, 1 / 3, 0, 1])
    expect(windowFreshness(source, 0)).toBe(1)
  })

  it('means the same as 1 − Div_A/|q(A)|', () => {
    fc.assert(
      fc.property(refreshedStories, fc.integer({ min: 0, max: 220 }), (one, t) => {
        const refreshedAt = one.refreshes.filter((at) => at <= t).at(-1) ?? Number.NEGATIVE_INFINITY
        const available = windowAt(one.items, t, one.windowSize).filter(about('volcano')).length
        const divergence = windowDivergence(one.items, { refreshedAt, now: t }, one.windowSize, about('volcano'))
        const expected = freshnessFromDivergence(divergence, available)
        expect(windowFreshness(one, t, about('volcano'))).toBeCloseTo(expected, 12)
      }),
    )
  })

  it('never loses more than the ideal stream has (F ⊆ I)', () => {
    fc.assert(
      fc.property(fc.array(refreshedStories, { maxLength: 4 }), fc.integer({ min: 0, max: 220 }), (sources, t) => {
        const ideal = new Set(
          idealStream(
            sources.map(({ items }) => items),
            t,
          ),
        )
        expect(aggregatedStream(sources, t).every((item) => ideal.has(item))).toBe(true)
        expect(feedCompleteness(sources, t)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it("compares with the aggregator's own window in the 2010 paper, which may be too small", () => {
    const other: RefreshedSource<Story> = { items: [story(3), story(10.5)], windowSize: 3, refreshes: [11] }
    const sources = [source, other]
    const large = aggregatorWindow(sources, 11, 100)
    const small = aggregatorWindow(sources, 11, 2)
    expect(windowFreshness2010(source, large, 11)).toBe(1)
    // The two newest of the feed are 10.5 and 11: one of the three items of the source.
    expect(windowFreshness2010(source, small, 11)).toBeCloseTo(1 / 3, 12)
    expect(windowFreshness(source, 11)).toBe(1)
  })

  it('averages over sources plainly or weighted, and over time', () => {
    expect(meanFreshness([1, 0.5, 0])).toBe(0.5)
    expect(weightedFreshness([1, 0.5, 0], [2, 2, 0])).toBe(0.75)
    expect(meanFreshness([])).toBe(1)
    const readings = [
      { at: 0, value: 1 },
      { at: 6, value: 0.5 },
      { at: 9, value: 0 },
    ]
    expect(overTime(readings, 0, 10)).toBeCloseTo((6 + 1.5) / 10, 12)
    expect(overTime(readings, 8, 10)).toBeCloseTo(0.25, 12)
  })
})
