import { describe, expect, it } from 'vitest'
import { inLocalTime, strongestHour } from './week.ts'

const only = (day: number, hour: number) =>
  Array.from({ length: 7 }, (_, d) => Array.from({ length: 24 }, (_, h) => (d === day && h === hour ? 3 : 0)))

describe('the week of a reader', () => {
  it.each([
    ['in UTC', 0, [0, 23]],
    ['east of it, where it is Tuesday already', -120, [1, 1]],
    ['west of it', 300, [0, 18]],
    ['an hour and a half ahead, rounded', -90, [1, 1]],
  ] as const)('%s', (_name, behindMinutes, [day, hour]) => {
    const top = strongestHour(inLocalTime(only(0, 23), behindMinutes))
    expect(top).toEqual({ day, hour, value: 3 })
  })

  it('wraps from Sunday to Monday, and knows silence', () => {
    expect(strongestHour(inLocalTime(only(6, 23), -60))).toMatchObject({ day: 0, hour: 0 })
    expect(strongestHour(inLocalTime(only(9, 9), 0))).toBeNull()
  })
})
