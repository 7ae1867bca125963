import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/model/index.ts'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { tracesPresent } from '../../traces/trace-set.ts'
import { experiment } from './experiment.ts'
import { autocorrelation, bandOfAxis, measureRates, variation } from './measure.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as unknown

describe.skipIf(!tracesPresent())(`posting rates (SCC07 Figures 3, 7 and 9; ${TRACES_ABSENT})`, () => {
  it('are steady by week, follow a power law and stay near the diagonal, as they did before', async () => {
    const result = await experiment.run({ seeds: 1 })
    expect(result.claims.filter(({ holds }) => !holds)).toEqual([])
    expect(result.claims).toHaveLength(6)
    expect(result).toEqual(expected)
  })
})

describe('rates of a collection', () => {
  /** Two items a day at noon; one that falls from four to one after 14 days; one that begins after 30 days. */
  const noon = (days: number, from: number, items: number) =>
    Array.from({ length: days }, (_, day) => Array(items).fill((from + day) * DAY_MS + 12 * HOUR_MS)).flat()
  const trace = {
    sources: [
      { id: 'steady', times: Float64Array.from([0, ...noon(90, 0, 2), 90 * DAY_MS]) },
      { id: 'fades', times: Float64Array.from([...noon(14, 0, 4), ...noon(76, 14, 1)]) },
      { id: 'begins', times: Float64Array.from(noon(60, 30, 2)) },
    ],
  }
  const rates = measureRates(trace, 90, 14)

  it('counts by whole weeks and by two hours', () => {
    expect(rates.weekly).toHaveLength(12)
    expect(rates.weekly.slice(0, 3)).toEqual([43, 42, 21])
    expect(rates.twoHourly).toHaveLength(90 * 12)
    expect(rates.twoHourly.slice(0, 8)).toEqual([1, 0, 0, 0, 0, 0, 6, 0])
    expect(autocorrelation(rates.twoHourly, 12)).toBeGreaterThan(0.5)
    expect(variation([2, 2, 2])).toBe(0)
  })

  it('compares the first fortnight with the next and the last', () => {
    const pairs = new Map(rates.last.pairs.map((pair) => [pair.id, pair]))
    expect(pairs.get('fades')).toMatchObject({ first: 4, second: 1 })
    expect(pairs.get('begins')).toMatchObject({ first: 0, second: 2 })
    expect(rates.next.pairs.find(({ id }) => id === 'begins')).toMatchObject({ first: 0, second: 0 })
    expect(bandOfAxis(rates.last)).toBeCloseTo(3 / Math.SQRT2 / 4, 12)
    expect(rates.onceADay).toBe(1)
  })
})
