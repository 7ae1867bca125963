import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addCounts, HOUR_MS, MINUTE_MS, type Observation, type QualityTally } from '../../src/model/index.ts'
import { measureQuality, tallyOf, tallyOfFailure } from '../../src/quality/live.ts'
import { delayStatistics } from './delay.ts'
import { fetchedBy } from './fetched.ts'
import { overTime, windowFreshness } from './window-freshness.ts'

const NOW = Date.UTC(2024, 4, 17, 12)

function observation(more: Partial<Observation>): Observation {
  return {
    sourceId: 1,
    previousAt: NOW - HOUR_MS,
    at: NOW,
    newItems: 0,
    windowSize: 20,
    overlap: 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: false,
    bytes: 500,
    latencyMs: 5,
    ...more,
  }
}

const cost = { requests: 1, bytes: 500, repaired: 0, windowSize: 20 }

describe('against the measures of the thesis', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 60 })
  const moments = (gaps: readonly number[]) => {
    let at = 0
    return gaps.map((gap) => (at += gap * MINUTE_MS))
  }

  it('gives the freshness of Definition 2.3.3 and the delay of SCC07 for any publisher and any refreshes', () => {
    fc.assert(
      fc.property(
        steps,
        fc.array(fc.integer({ min: 10, max: 400 }), { minLength: 2, maxLength: 12 }),
        (items, gaps) => {
          const source = {
            items: moments(items).map((at) => ({ at })),
            windowSize: 1_000,
            refreshes: moments(gaps),
          }
          const [first] = source.refreshes
          const end = source.refreshes.at(-1)!
          let sum: QualityTally = tallyOfFailure(0)
          source.refreshes.slice(1).forEach((at, index) => {
            const previousAt = source.refreshes[index]!
            const itemTimes = source.items
              .filter((item) => item.at > previousAt && item.at <= at)
              .map((item) => item.at)
            const tally = tallyOf(observation({ previousAt, at, itemTimes, newItems: itemTimes.length }), {
              ...cost,
              windowSize: source.windowSize,
            })
            sum = { ...addCounts(sum, tally), delays: [] }
          })
          const late = fetchedBy(source, end).filter(({ item }) => item.at > first!)
          const expected = delayStatistics(late.map(({ item, fetchedAt }) => fetchedAt - item.at))
          expect(sum.delayMs).toBeCloseTo(expected.total, 3)
          // F_W changes at publications and refreshes; the window of the definition holds what was published so far.
          const readings = [...source.items.map(({ at }) => at), ...source.refreshes]
            .filter((at) => at >= first! && at <= end)
            .sort((a, b) => a - b)
            .map((at) => {
              const published = source.items.filter((item) => item.at <= at).length
              return { at, value: 1 - ((1 - windowFreshness(source, at)) * published) / source.windowSize }
            })
          expect(measureQuality(sum).freshness!.value).toBeCloseTo(overTime(readings, first!, end), 6)
        },
      ),
      { numRuns: 50 },
    )
  })
})
