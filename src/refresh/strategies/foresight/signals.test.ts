import { describe, expect, it } from 'vitest'
import { expectedOfSignal, NO_SIGNALS, observeSignal, precision, type SignalRecord } from './signals.ts'

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
})
