import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/model/index.ts'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { tracesPresent } from '../../traces/trace-set.ts'
import { experiment } from './experiment.ts'
import { activityShares, BY_MAJORITY, measureSources, periodicAbove, STRICT, shapeOf } from './measure.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as unknown

describe.skipIf(!tracesPresent())(`collections (thesis chapter 6; ${TRACES_ABSENT})`, () => {
  it('publish as the thesis found: few do most, the busy are periodic, the quiet peak, as they did before', async () => {
    const result = await experiment.run({ seeds: 1 })
    expect(result.claims.filter(({ holds }) => !holds)).toEqual([])
    expect(result.claims).toHaveLength(6)
    expect(result).toEqual(expected)
  })
})

describe('what is measured of a source', () => {
  const span = { from: 0, to: 10 * DAY_MS }
  const days = Array.from({ length: 10 }, (_, day) => day * DAY_MS)
  const every = (hours: readonly number[], items: number) =>
    Float64Array.from(days.flatMap((day) => hours.flatMap((hour) => Array(items).fill(day + hour * HOUR_MS)))).sort()
  const allDay = Array.from({ length: 24 }, (_, hour) => hour)
  const sources = [
    { id: 'robot', times: every([3, 15], 6) },
    { id: 'wire', times: every(allDay, 3) },
    { id: 'once', times: Float64Array.from([2.5 * DAY_MS]) },
    { id: 'later', times: Float64Array.from([20 * DAY_MS]) },
  ]
  const measured = measureSources({ sources }, span, [22, 23])

  it('leaves out those that publish nothing in the time, and the hours that the collector missed', () => {
    expect(measured.map(({ id }) => id)).toEqual(['robot', 'wire', 'once'])
    expect(measured[1]!.hours.map(({ hour }) => hour)).toEqual(allDay.slice(0, 22))
  })

  it('knows the same hours every day as periodic, and peaks from uniform', () => {
    expect(measured.map(({ cv }) => Number(cv!.toFixed(9)))).toEqual([0, 0, 3])
    expect(measured.map(({ activity }) => activity)).toEqual(['productive', 'very high', 'very slow'])
    expect(measured.map((source) => shapeOf(source, STRICT))).toEqual(['peaks', 'uniform', 'peaks'])
    expect(shapeOf(measured[0]!, BY_MAJORITY)).toBe('peaks')
    expect(periodicAbove(measured, 10)).toEqual({ sources: 2, periodic: 1, printed: 1 })
    expect(periodicAbove(measured, 0).periodic).toBeCloseTo(2 / 3, 12)
  })

  it('shares out sources and items by activity', () => {
    const { shares, itemsAbove } = activityShares(measured)
    expect(shares).toEqual([1 / 3, 0, 2 / 3])
    expect(itemsAbove).toBeCloseTo(840 / 841, 12)
  })
})
