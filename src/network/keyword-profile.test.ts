import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../runtime/random.ts'
import { coverage, jaccardDistance, profileOf, randomProfile, sharedKeywords } from './keyword-profile.ts'

const DICTIONARY = ['iceland', 'volcano', 'eruption', 'football', 'opera']
const profile = fc.uint8Array({ min: 0, max: 1, minLength: 6, maxLength: 6 })

describe('node profiles', () => {
  it('say which keywords of the dictionary a node has', () => {
    expect([...profileOf(['volcano', 'opera', 'chess'], DICTIONARY)]).toEqual([0, 1, 0, 0, 1])
  })

  it.each([
    { a: ['iceland', 'volcano'], b: ['iceland', 'volcano'], distance: 0, why: 'equal' },
    { a: ['iceland'], b: ['football', 'opera'], distance: 1, why: 'nothing in common' },
    { a: ['iceland', 'volcano', 'eruption'], b: ['volcano', 'opera'], distance: 0.75, why: '1 − 1/(2 + 1 + 1)' },
    { a: [], b: ['opera'], distance: 1, why: 'nothing against something' },
    { a: [], b: [], distance: 0, why: 'both empty, so equal' },
  ])('are $distance apart: $why', ({ a, b, distance }) => {
    expect(jaccardDistance(profileOf(a, DICTIONARY), profileOf(b, DICTIONARY))).toBeCloseTo(distance, 12)
  })

  it('have a distance that is a metric within [0, 1], and below 1 exactly where a keyword is shared', () => {
    fc.assert(
      fc.property(profile, profile, profile, (a, b, c) => {
        const ab = jaccardDistance(a, b)
        expect(ab).toBe(jaccardDistance(b, a))
        expect(ab).toBeGreaterThanOrEqual(0)
        expect(ab).toBeLessThanOrEqual(1)
        expect(ab === 0).toBe(a.every((bit, index) => bit === b[index]))
        expect(ab).toBeLessThanOrEqual(jaccardDistance(a, c) + jaccardDistance(c, b) + 1e-12)
        if (coverage(a) + coverage(b) > 0) expect(ab < 1).toBe(sharedKeywords(a, b) > 0)
      }),
    )
  })

  it('are drawn with the wished share of the dictionary, never empty, the same from the same seed', () => {
    const draw = (seed: number) => {
      const random = seededRandom(seed)
      return Array.from({ length: 2_000 }, () => randomProfile(10, 0.4, random))
    }
    const profiles = draw(3)
    const mean = profiles.reduce((sum, each) => sum + coverage(each), 0) / profiles.length
    expect(mean).toBeGreaterThan(3.9)
    expect(mean).toBeLessThan(4.1)
    expect(profiles.every((each) => coverage(each) > 0)).toBe(true)
    expect(draw(3)).toEqual(profiles)
  })
})
