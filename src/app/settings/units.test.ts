import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '../../model/index.ts'
import { parseBudget, parseBytes, parseDuration } from './units.ts'

describe('what people write', () => {
  it.each([
    ['500ms', 500],
    ['0.5s', 500],
    ['90 s', 90_000],
    ['1 second', 1_000],
    ['10min', 10 * MINUTE_MS],
    ['10 mins', 10 * MINUTE_MS],
    ['15 Minutes', 15 * MINUTE_MS],
    ['2h', 2 * HOUR_MS],
    ['1 day', DAY_MS],
    ['2weeks', 2 * WEEK_MS],
  ])('%s is a duration', (text, ms) => expect(parseDuration(text)).toBe(ms))

  it.each(['', '5', 'min', '-5min', '5 fortnights', '1e3s'])('"%s" is none', (text) => {
    expect(() => parseDuration(text)).toThrow(/10min/)
  })

  it.each([
    ['60/min', 60, MINUTE_MS],
    ['5000/day', 5000, DAY_MS],
    ['2 / s', 2, 1_000],
    ['1000/10min', 1000, 10 * MINUTE_MS],
    ['0.5/h', 0.5, HOUR_MS],
  ])('%s is a budget', (text, requests, perMs) => expect(parseBudget(text)).toEqual({ requests, perMs }))

  it.each(['', '60', '0/min', '-1/min', 'min/60', '60/'])('"%s" is none', (text) => {
    expect(() => parseBudget(text)).toThrow()
  })

  it.each([
    ['1048576', 1048576],
    ['15MiB', 15 * 1024 ** 2],
    ['500 kB', 500_000],
  ])('%s is a size', (text, bytes) => expect(parseBytes(text)).toBe(bytes))
})
