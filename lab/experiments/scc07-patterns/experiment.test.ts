import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/model/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { tracesPresent } from '../../traces/trace-set.ts'
import { experiment } from './experiment.ts'
import { burst, clustersBySize, hoursApart, peakHour, sourcePatterns, tightest } from './measure.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as unknown

describe.skipIf(!tracesPresent())(`posting patterns (SCC07 Figures 10 and 12; ${TRACES_ABSENT})`, () => {
  it('follow the day, differ between clusters, and 12 of these are enough, as it was before', async () => {
    const result = await experiment.run({ seeds: experiment.defaultSeeds })
    expect(result.claims.filter(({ holds }) => !holds)).toEqual([])
    expect(result.claims).toHaveLength(6)
    expect(result).toEqual(expected)
    const hours = result.series.filter(({ name }) => name === 'rss-2024')[0]!.x
    expect(hours, 'thinned hours are not judged').toEqual(Array.from({ length: 22 }, (_, hour) => hour))
  })
})

describe('clusters of patterns', () => {
  /** Three sources at 8, two at 20, one at 2 o'clock, fifteen items each; one with too few. */
  const at = (hour: number, items: number) =>
    Float64Array.from({ length: items }, (_, k) => (k % 14) * DAY_MS + hour * HOUR_MS).sort()
  const hours = [8, 8, 8, 20, 20, 2]
  const sources = [...hours.map((hour, k) => ({ id: `s${k}`, times: at(hour, 15) })), { id: 'quiet', times: at(4, 3) }]
  const span = { from: 0, to: 14 * DAY_MS }

  it('groups sources that post at the same hours', () => {
    const { patterns, hours: judged } = sourcePatterns({ sources }, span, [22, 23], 10)
    expect(patterns).toHaveLength(6)
    const clusters = clustersBySize(tightest(patterns, 3, 5, seededRandom(1)))
    expect(clusters.map((cluster) => [cluster.sources, peakHour(judged, cluster.pattern)])).toEqual([
      [3, 8],
      [2, 20],
      [1, 2],
    ])
    expect(burst(clusters[0]!.pattern, 3)).toBeCloseTo(1, 12)
  })

  it('measures hours the short way round, and bursts over midnight', () => {
    expect(hoursApart(23, 2)).toBe(3)
    expect(hoursApart(4, 16)).toBe(12)
    expect(burst([0.3, 0.1, 0.1, 0.1, 0.4], 2)).toBeCloseTo(0.7, 12)
  })
})
