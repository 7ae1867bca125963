import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../model/index.ts'
import { findSiblings } from './siblings.ts'
import { afterSignal, expectedOfSignal, NO_SIGNALS, observeSignal, precision, type SignalRecord } from './signals.ts'

const START = Date.UTC(2026, 0, 5)

/** Refreshes, one in `every` after a signal; true signals bring an item, and so does one in ten of the others. */
function record(refreshes: number, every: number, isTrue: (signal: number) => boolean): SignalRecord {
  let known = NO_SIGNALS
  for (let k = 0; k < refreshes; k++) {
    const signalled = k % every === 0
    known = observeSignal(known, signalled, (signalled ? isTrue(k / every) : k % 10 === 1) ? 1 : 0)
  }
  return known
}

describe('signals', () => {
  it('are worth nothing until they proved true, and then what they brought', () => {
    expect(expectedOfSignal(NO_SIGNALS)).toBe(0)
    expect(expectedOfSignal(record(200, 2, () => false))).toBe(0)
    const good = record(400, 2, () => true)
    expect(precision(good)).toBeGreaterThan(0.9)
    expect(expectedOfSignal(good)).toBeGreaterThan(0.9)
    expect(good.announced / good.items).toBeGreaterThan(0.8)
    expect(precision(record(400, 2, (k) => k % 4 === 0))).toBeCloseTo(0.25, 1)
  })

  it('that stop being true lose their worth', () => {
    let known = record(400, 2, () => true)
    for (let k = 0; k < 600; k++) known = observeSignal(known, true, 0)
    expect(precision(known)).toBeLessThan(0.1)
  })

  it('bring a refresh forward when they announce more than half of what was due anyway', () => {
    const dueAt = START + 10 * HOUR_MS
    expect(afterSignal(dueAt, START, 0.1, 0.6)).toBe(START)
    expect(afterSignal(dueAt, START, 0.1, 0.4)).toBe(dueAt)
    expect(afterSignal(dueAt, dueAt + 1, 0.1, 5)).toBe(dueAt)
  })
})

describe('siblings', () => {
  const at = (day: number, hour: number, minute: number) => START + day * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS
  const days = Array.from({ length: 28 }, (_, day) => day)
  // Two sections of one site at odd moments, and a third feed of the same hours that has nothing to do with them.
  const news = days.flatMap((day) => [at(day, 8 + (day % 9), (day * 17) % 50), at(day, 12, (day * 29) % 50)])
  const sports = news.map((time) => time + 2 * MINUTE_MS)
  const other = days.flatMap((day) => [
    at(day, 8 + ((day * 5 + 3) % 9), (day * 37 + 25) % 60),
    at(day, 12, (day * 41 + 7) % 60),
  ])

  it('are those with common bursts, not those that merely keep the same hours', () => {
    const found = findSiblings([news, sports, other])
    expect(found.map(({ source, by }) => [source, by])).toEqual([
      [0, 1],
      [1, 0],
    ])
    expect(found.every(({ excess }) => excess > 0.5)).toBe(true)
    expect(findSiblings([news, other])).toEqual([])
    expect(findSiblings([])).toEqual([])
  })
})
