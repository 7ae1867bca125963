import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/model/index.ts'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { tracesPresent } from '../../traces/trace-set.ts'
import { experiment } from './experiment.ts'
import { bytesSavedByNotModified, pollEvenly, savedByNewOnly } from './measure.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as unknown

describe.skipIf(!tracesPresent())(`protocol savings (SCC07 4.6; ${TRACES_ABSENT})`, () => {
  it('are more than half at one poll a day and grow with polls, as they did before', async () => {
    const result = await experiment.run({ seeds: 1 })
    expect(result.claims.filter(({ holds }) => !holds)).toEqual([])
    expect(result.claims).toHaveLength(6)
    expect(result).toEqual(expected)
  })
})

describe('polls of a collection', () => {
  const span = { from: 10 * DAY_MS, to: 20 * DAY_MS }
  const at = (times: readonly number[]) => ({ sources: [{ id: 's', times: Float64Array.from(times) }] })
  const startOfDay = () => 0

  it('finds two of four items new each day: half is saved by sending only these, nothing by 304', () => {
    const times = Array.from({ length: 20 }, (_, day) => [day * DAY_MS + HOUR_MS, day * DAY_MS + 2 * HOUR_MS]).flat()
    const totals = pollEvenly(at(times), span, 1, 4, startOfDay)
    expect(totals).toEqual({ polls: 9, shown: 36, fresh: 18, emptyPolls: 0, shownInVain: 0 })
    expect(savedByNewOnly(totals)).toBe(0.5)
    expect(bytesSavedByNotModified(totals)).toBe(0)
  })

  it('finds nothing new at every second poll of a source that publishes once a day', () => {
    const times = Array.from({ length: 20 }, (_, day) => day * DAY_MS + HOUR_MS)
    const totals = pollEvenly(at(times), span, 2, 5, startOfDay)
    expect(totals).toMatchObject({ polls: 19, fresh: 10, emptyPolls: 9, shown: 95, shownInVain: 45 })
  })

  it('counts no more as new than a window shows, and does not poll what has not begun', () => {
    const burst = Array<number>(30).fill(15.5 * DAY_MS)
    const totals = pollEvenly(at([14.5 * DAY_MS, ...burst]), span, 1, 12, startOfDay)
    expect(totals).toEqual({ polls: 4, shown: 48, fresh: 12, emptyPolls: 3, shownInVain: 36 })
  })
})
