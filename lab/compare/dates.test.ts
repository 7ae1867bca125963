import { describe, expect, it } from 'vitest'
import { SourceRun } from '../simulator/source-run.ts'
import { datedTimes, hasExactClock, variantsFor, wholeMinuteShare } from './dates.ts'
import { traceWorld } from './trace-world.ts'

const at = (hour: number, minute: number, second: number) => Date.UTC(2026, 0, 5, hour, minute, second)
const source = (...times: number[]) => ({ id: 'a', times: Float64Array.from(times) })

describe('dates of a trace', () => {
  const exact = source(at(8, 3, 17), at(8, 6, 40), at(8, 59, 59))

  it('are cut to the minute, and delay is counted from there or from the exact time', () => {
    const cut = [at(8, 3, 0), at(8, 6, 0), at(8, 59, 0)]
    expect([...datedTimes(exact, 0, 'minute-truth', 1).times]).toEqual(cut)
    const { times, stated } = datedTimes(exact, 0, 'minute-stated', 1)
    expect(times).toEqual(exact.times)
    expect([...stated!]).toEqual(cut)
  })

  it('of the first six minutes of an hour are cut to the hour', () => {
    expect([...datedTimes(exact, 0, 'hour-stated', 1).stated!]).toEqual([at(8, 0, 0), at(8, 6, 40), at(8, 59, 59)])
  })

  it('of whole minutes are spread over their minute, those of whole hours around it; the others stay', () => {
    const rounded = source(at(8, 0, 0), at(8, 10, 0), at(8, 20, 7))
    const [hour, minute, other] = datedTimes(rounded, 0, 'spread', 1).times
    expect(Math.abs(hour! - at(8, 0, 0))).toBeLessThanOrEqual(180_000)
    expect(minute! - at(8, 10, 0)).toBeGreaterThanOrEqual(0)
    expect(minute! - at(8, 10, 0)).toBeLessThan(60_000)
    expect(other).toBe(at(8, 20, 7))
    expect(datedTimes(rounded, 0, 'spread', 1).times).toEqual(datedTimes(rounded, 0, 'spread', 1).times)
    expect([...datedTimes(source(at(8, 10, 0), at(8, 10, 0), at(8, 10, 1)), 0, 'spread', 1).times]).toEqual(
      [...datedTimes(source(at(8, 10, 0), at(8, 10, 0), at(8, 10, 1)), 0, 'spread', 1).times].sort((a, b) => a - b),
    )
  })

  it('say whether a clock is exact, and what can be measured with it', () => {
    expect(wholeMinuteShare([exact, source(at(8, 0, 0))])).toBe(0.25)
    expect([hasExactClock(1 / 60), hasExactClock(0.19)]).toEqual([true, false])
    expect(variantsFor(0.19)).toEqual(['recorded', 'spread'])
  })

  it('that are stated are what a refresh sees; when items come is not changed by them', () => {
    const world = traceWorld({ sources: [exact] }, 20, { dates: 'minute-stated', seed: 1 })
    const run = new SourceRun(world.sources[0]!)
    expect(run.refresh(at(8, 3, 10)).itemTimes).toEqual([])
    expect(run.refresh(at(8, 3, 20)).itemTimes).toEqual([at(8, 3, 0)])
  })
})
