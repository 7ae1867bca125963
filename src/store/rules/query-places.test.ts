import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDividedAnew, placesAfter, type Redivision } from './query-places.ts'

const FEEDS = [1, 2, 3, 4, 5, 6]
const LEAST = 10
const shard = fc.integer({ min: 0, max: 3 })
const cursor = fc.integer({ min: LEAST, max: 20 })

/** Feeds that were divided once, and are divided anew; some are new, some gone, and some walk through the archive. */
const anyRedivision: fc.Arbitrary<Redivision> = fc
  .record({
    before: fc.dictionary(fc.constantFrom(...FEEDS.map(String)), shard),
    after: fc.dictionary(fc.constantFrom(...FEEDS.map(String)), shard),
    cursors: fc.tuple(cursor, cursor, cursor, cursor),
    following: fc.subarray(FEEDS),
  })
  .map(({ before, after, cursors, following }) => {
    const mapOf = (of: Record<string, number>) => new Map(Object.entries(of).map(([id, one]) => [Number(id), one]))
    const shards = new Set(Object.values(before))
    const places = new Map([...shards].map((one) => [one, cursors[one] ?? LEAST]))
    return { before: mapOf(before), after: mapOf(after), places, following: new Set(following), least: LEAST }
  })

describe('placesAfter', () => {
  it('passes over nothing that a feed was not evaluated on, and holds no one back without need', () => {
    fc.assert(
      fc.property(anyRedivision, (redivision) => {
        const { before, after, places, following, least } = redivision
        const found = placesAfter(redivision)
        expect(new Set(found.keys())).toEqual(new Set(after.values()))
        for (const [id, to] of after) {
          const was = before.get(id)
          const reached = was === undefined ? least : (places.get(was) ?? least)
          if (following.has(id)) expect(found.get(to)).toBeLessThanOrEqual(reached)
        }
        for (const [to, at] of found) {
          expect(at).toBeGreaterThanOrEqual(least)
          const own = places.get(to)
          if (own === undefined) continue
          expect(at).toBeLessThanOrEqual(own)
          const comers = [...after].filter(([id, one]) => one === to && before.get(id) !== to && following.has(id))
          if (comers.length === 0) expect(at).toBe(own)
        }
      }),
    )
  })

  it('is told to who evaluates where a feed moves, or a shard comes or goes, and not for a new feed beside others', () => {
    const before = new Map([
      [1, 1],
      [2, 2],
    ])
    const places = new Map([
      [1, 5],
      [2, 7],
    ])
    const isAnew = (after: readonly (readonly [number, number])[]) =>
      isDividedAnew({ before, places, after: new Map(after) })
    const [one, two] = [
      [1, 1],
      [2, 2],
    ] as const
    expect(isAnew([one, two])).toBe(false)
    expect(isAnew([one, two, [3, 2]])).toBe(false)
    expect(isAnew([one, two, [3, 3]])).toBe(true)
    expect(isAnew([one])).toBe(true)
    expect(isAnew([[1, 2], two])).toBe(true)
  })
})
