import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeBundles, isBetterComposed } from './composition.ts'
import { COMPOSED, coveredShare, observeCover, observeCoverage, openShare, UNPROVED, withDoubt } from './coverage.ts'

const rates = fc.array(fc.double({ min: 1e-3, max: 50, noNaN: true }), { maxLength: 60 })
const limits = fc.record({ mostMembers: fc.integer({ min: 2, max: 12 }), windowSize: fc.integer({ min: 5, max: 100 }) })
const candidatesOf = (some: readonly number[]) => some.map((ratePerHour, id) => ({ id, ratePerHour }))

describe('who is asked for with whom', () => {
  it('is in one bundle at most, of no more than may be, and no window is expected to be filled', () => {
    fc.assert(
      fc.property(rates, limits, fc.double({ min: 1e-3, max: 20, noNaN: true }), (some, limits, price) => {
        const groups = composeBundles(candidatesOf(some), limits, price)
        const all = groups.flat()
        expect(new Set(all).size).toBe(all.length)
        for (const group of groups) {
          expect(group.length).toBeGreaterThan(1)
          expect(group.length).toBeLessThanOrEqual(limits.mostMembers)
          const sum = group.reduce((total, id) => total + (some[id] ?? 0), 0)
          expect(Math.sqrt(2 * price * sum)).toBeLessThanOrEqual(limits.windowSize / 2)
        }
      }),
    )
  })

  it('puts busy ones with busy ones', () => {
    const some = candidatesOf([1, 9, 1, 8, 1, 7])
    expect(composeBundles(some, { mostMembers: 3, windowSize: 25 }, 0.1)).toEqual([
      [1, 3, 5],
      [0, 2, 4],
    ])
  })

  it('stays while another would hardly be better, and changes when a window would be filled', () => {
    const limits = { mostMembers: 2, windowSize: 25 }
    const present = [
      [0, 1],
      [2, 3],
    ]
    const alike = candidatesOf([1, 1.1, 1, 1.1])
    expect(isBetterComposed(composeBundles(alike, limits, 1), present, alike, limits, 1)).toBe(false)
    const changed = candidatesOf([9, 0.1, 9, 0.1])
    expect(isBetterComposed(composeBundles(changed, limits, 1), present, changed, limits, 1)).toBe(true)
    const busy = candidatesOf([60, 60, 1, 1])
    expect(isBetterComposed(composeBundles(busy, limits, 1), present, busy, limits, 1)).toBe(true)
  })
})

describe('what a bundle proves to show', () => {
  it('leaves little open at first, less with every proof, and most of it once it has missed something twice', () => {
    expect(openShare(COMPOSED)).toBeLessThan(0.02)
    let record = COMPOSED
    for (let look = 0; look < 20; look++) record = observeCoverage(record, 10, 0)
    expect(openShare(record)).toBeLessThan(openShare(COMPOSED) / 2)
    const once = observeCoverage(COMPOSED, 0, 3)
    expect(openShare(once)).toBeGreaterThan(0.2)
    expect(openShare(observeCoverage(once, 0, 3))).toBeGreaterThan(0.6)
  })

  it('is what a cover has shown on average, doubted while that is known of few items', () => {
    for (const [seen, missed] of [
      [3, 7],
      [5, 5],
      [9, 1],
      [10, 0],
    ] as const) {
      let record = UNPROVED
      for (let look = 0; look < 4; look++) record = observeCover(record, seen, missed)
      expect(coveredShare(record)).toBeCloseTo(seen / 10, 1)
      expect(coveredShare(withDoubt(record))).toBeLessThan(coveredShare(record))
      expect(coveredShare(withDoubt(record))).toBeGreaterThan(coveredShare(record) - 0.02)
    }
    expect(coveredShare(withDoubt(UNPROVED))).toBe(0)
    expect(coveredShare(withDoubt({ seen: 1, missed: 0 }))).toBeLessThan(0.6)
  })

  it('of a cover is next to nothing once it has stopped, and not for what is missing by chance', () => {
    let whole = UNPROVED
    for (let look = 0; look < 8; look++) whole = observeCover(whole, 4, 0)
    expect(coveredShare(observeCover(whole, 0, 3))).toBeLessThan(0.4)
    expect(coveredShare(observeCover(whole, 0, 1))).toBeGreaterThan(0.9)
    let half = UNPROVED
    for (let look = 0; look < 8; look++) half = observeCover(half, 2, 2)
    expect(coveredShare(observeCover(half, 0, 4))).toBeGreaterThan(0.4)
    expect(coveredShare(observeCover(half, 0, 12))).toBeLessThan(0.2)
    // A thousand items at once are no problem for it.
    expect(coveredShare(observeCover(whole, 1_000, 2))).toBeGreaterThan(0.99)
  })
})
