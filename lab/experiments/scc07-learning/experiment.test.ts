import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/model/index.ts'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { RSS_2023, tracesPresent } from '../../traces/trace-set.ts'
import type { ExperimentResult } from '../experiment.ts'
import { CONFIG } from './config.ts'
import { learnPatterns, resultOf } from './experiment.ts'
import { measurePatternWindow } from './pattern-window.ts'
import { measureRateWindow } from './rate-window.ts'
import { learningWorld, requestsOf } from './world.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as ExperimentResult

describe.skipIf(!tracesPresent([RSS_2023]))(`learning windows (SCC07 Figures 8 and 11; ${TRACES_ABSENT})`, () => {
  // All of it takes half a minute: the windows up to a week on one trace say whether it still holds.
  it('gain from longer memory up to a week, hardly from more days of a pattern, as they did before', async () => {
    const part = { ...CONFIG, sets: [RSS_2023], rateDays: [1, 2, 4, 7], patternWeeks: [1] }
    const { claims, tables } = resultOf(await learnPatterns(part, {}))
    const falls = claims.find(({ text }) => text.includes('the mean delay falls'))!
    expect(falls.holds, JSON.stringify(falls.figures)).toBe(true)
    expect(tables[0]!.rows).toEqual(expected.tables[0]!.rows.slice(0, 4))
    expect(tables[1]!.rows).toEqual(expected.tables[2]!.rows.slice(0, 2))
  })
})

describe('what was found on both traces', () => {
  it('is what the paper says', () => {
    expect(expected.claims).toHaveLength(6)
    expect(expected.claims.filter(({ holds }) => !holds)).toEqual([])
  })
})

describe('windows on sources that are known', () => {
  /** `day` posts hourly from 8 to 12, `grows` eight times as much once the measure begins. */
  const hours = (day: number, items: number) =>
    [8, 9, 10, 11, 12].flatMap((hour) => Array<number>(items).fill(day * DAY_MS + hour * HOUR_MS))
  const config = { ...CONFIG, days: 56, warmupDays: 28 }
  const trace = {
    sources: [
      { id: 'day', times: Float64Array.from([0, ...days(57).flatMap((day) => hours(day, 1))]) },
      { id: 'grows', times: Float64Array.from(days(57).flatMap((day) => hours(day, day < 28 ? 1 : 8))) },
    ],
  }
  const learning = learningWorld(trace, config)

  it('spends what it may', () => {
    expect(requestsOf(learning, 4)).toBe(4 * 2 * 28)
    const { requests } = measureRateWindow(learning, 4, 7, null)
    expect(Math.abs(requests / requestsOf(learning, 4) - 1)).toBeLessThan(0.02)
  })

  it('waits for postings at the end of their hours once it knows them', () => {
    const evenly = measurePatternWindow(learning, 4, 0)
    const weeks = measurePatternWindow(learning, 4, 2)
    expect(weeks.requests).toBe(evenly.requests)
    expect(weeks.meanDelayMinutes).toBeLessThan(0.5 * evenly.meanDelayMinutes)
  })

  it('follows a rate that changes sooner with a short window', () => {
    const short = measureRateWindow(learning, 4, 3, null)
    const long = measureRateWindow(learning, 4, 28, null)
    expect(short.meanDelayMinutes).toBeLessThan(long.meanDelayMinutes)
  })

  function days(count: number): number[] {
    return Array.from({ length: count }, (_, day) => day)
  }
})
