import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateWatch } from './byte-rate.ts'

const LEAST = { bytesPerSecond: 128, windowMs: 20_000 }
const LOOK_MS = 5_000

/** When a body is first found too slow, by how much of it there is at each moment; null: never within a minute. */
function cutAtMs(bytesAt: (ms: number) => number | null, endMs = 60_000): number | null {
  const watch = new RateWatch(LEAST)
  for (let ms = LOOK_MS; ms < endMs; ms += LOOK_MS) {
    const bytes = bytesAt(ms)
    if (bytes === null) watch.reset()
    else if (watch.isTooSlow(ms, bytes)) return ms
  }
  return null
}

const steadily = (perSecond: number) => (ms: number) => (ms * perSecond) / 1000

describe('a body that comes slowly', () => {
  it.each<[string, (ms: number) => number | null, number | null]>([
    ['a feed of 2 KB over 57 s is cut off', steadily(2_000 / 57), 25_000],
    ['so is a byte a second', steadily(1), 25_000],
    ['a line of 1200 bits a second is read', steadily(150), null],
    ['a large feed over a thin line is read', steadily(2_000), null],
    ['a server that thinks for 14 s after its head is read', (ms) => (ms < 15_000 ? 300 : ms - 12_000), null],
    ['time in which we held it up does not count', (ms) => (ms % 15_000 === 0 ? null : 10), null],
    ['time before the body does not count', (ms) => (ms < 30_000 ? null : (ms - 25_000) * 0.2), null],
  ])('%s', (_name, bytesAt, expected) => {
    expect(cutAtMs(bytesAt)).toBe(expected)
  })

  it('is cut off in the window after the last that brought enough', () => {
    expect(cutAtMs((ms) => 100_000 + Math.min(ms, 10_000))).toBe(30_000)
  })

  it('is never cut off while it brings the least rate between any two looks', () => {
    const growth = fc.array(fc.integer({ min: 640, max: 100_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(growth, (steps) => {
        const bytes = [0]
        for (const step of steps) bytes.push(bytes.at(-1)! + step)
        expect(cutAtMs((ms) => bytes[Math.min(ms / LOOK_MS, steps.length)]!, steps.length * LOOK_MS)).toBeNull()
      }),
    )
  })

  it('is always cut off within a window and a look when it brings less', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 127, noNaN: true }), (perSecond) => {
        expect(cutAtMs(steadily(perSecond))).toBe(LEAST.windowMs + LOOK_MS)
      }),
    )
  })
})
