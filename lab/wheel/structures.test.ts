import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TimingWheel } from './timing-wheel.ts'
import { UtilityFloors } from './utility-floors.ts'

const drained = (drain: (into: number[]) => void) => {
  const members: number[] = []
  drain(members)
  return members.sort((a, b) => a - b)
}

describe('timing wheel', () => {
  it('wakes everybody in time, whatever the steps, and nobody twice', () => {
    const steps = fc.array(fc.constantFrom(-50, 0, 3, 10, 1_000, 1_000_000), { minLength: 1, maxLength: 30 })
    const naps = fc.array(fc.constantFrom(-5, 0, 4, 25, 900, 1e6, 4e6, Number.POSITIVE_INFINITY), { minLength: 8 })
    fc.assert(
      fc.property(steps, naps, (stepsMs, napsMs) => {
        const wheel = new TimingWheel(10, napsMs.length)
        const expected = new Map<number, number>()
        let now = 1e12
        const sleep = (sleeper: number) => {
          expected.set(sleeper, now + napsMs[sleeper]!)
          wheel.put(sleeper, now + napsMs[sleeper]!)
        }
        for (const sleeper of napsMs.keys()) sleep(sleeper)
        for (const stepMs of stepsMs) {
          now += stepMs
          const awake = drained((into) => wheel.drain(now, into))
          expect(new Set(awake).size).toBe(awake.length)
          const late = [...expected].filter(([sleeper, at]) => at <= now && !awake.includes(sleeper))
          expect(late).toEqual([])
          for (const sleeper of awake) sleep(sleeper)
        }
      }),
    )
  })

  it('lets sleep: early at most by the tick, unless the nap is longer than a turn of 32,768 ticks', () => {
    const wheel = new TimingWheel(10, 3)
    wheel.drain(0, [])
    wheel.put(0, 95)
    wheel.put(1, 327_675)
    wheel.put(2, 2_000_000)
    expect(drained((into) => wheel.drain(89, into))).toEqual([])
    expect(drained((into) => wheel.drain(90, into))).toEqual([0])
    expect(drained((into) => wheel.drain(327_669, into))).toEqual([])
    expect(drained((into) => wheel.drain(327_670, into))).toEqual([1])
    expect(drained((into) => wheel.drain(327_689, into))).toEqual([2])
  })

  it('forgets who is taken out', () => {
    const wheel = new TimingWheel(10, 4)
    wheel.drain(0, [])
    for (const sleeper of [0, 1, 2, 3]) wheel.put(sleeper, 50)
    for (const sleeper of [0, 2, 2]) wheel.remove(sleeper)
    expect([0, 1, 2, 3].map((sleeper) => wheel.has(sleeper))).toEqual([false, true, false, true])
    expect(drained((into) => wheel.drain(60, into))).toEqual([1, 3])
  })
})

describe('utility floors', () => {
  it('find the highest floor not above a worth, within 1 %', () => {
    const floors = new UtilityFloors(1)
    fc.assert(
      fc.property(fc.double({ min: 1e-14, max: 1e20, noNaN: true }), (worth) => {
        const floor = floors.worthOf(floors.atMost(worth))
        expect(floor).toBeLessThanOrEqual(worth)
        expect(floor * 1.0101).toBeGreaterThan(worth)
      }),
    )
    expect([0, -1, 1e-20, Number.NaN].map((worth) => floors.atMost(worth))).toEqual([-1, -1, -1, -1])
    expect(floors.worthOf(floors.atMost(1e300))).toBeLessThan(1e300)
  })

  it('give back exactly those above the price', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.array(fc.double({ min: 1e-7, max: 1e7, noNaN: true }), { maxLength: 5 }),
        (worths, prices) => {
          const floors = new UtilityFloors(worths.length)
          const remaining = new Map(worths.map((worth, sleeper) => [sleeper, floors.atMost(worth)]))
          for (const [sleeper, floor] of remaining) floors.put(sleeper, floor)
          for (const price of prices) {
            const above = [...remaining]
              .filter(([, floor]) => floors.worthOf(floor) > price)
              .map(([sleeper]) => sleeper)
            expect(drained((into) => floors.drainAbove(price, into))).toEqual(above)
            for (const sleeper of above) remaining.delete(sleeper)
          }
        },
      ),
    )
  })
})
