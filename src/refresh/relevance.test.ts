import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ItemDemand, relevance } from './relevance.ts'

const once = (...shares: number[]): ItemDemand[] => shares.map((share) => ({ share, weight: 1, readers: ['somebody'] }))
const byMany = (share: number, readers: number): ItemDemand => ({
  share,
  weight: 1,
  readers: Array.from({ length: readers }, (_, k) => `reader ${k}`),
})

describe('how much of a source matters', () => {
  it.each<[string, ItemDemand[], number]>([
    ['a feed of it that somebody reads', once(1), 1],
    ['a query that keeps a tenth', once(0.1), 0.1],
    ['two queries that overlap count an item once', once(0.5, 0.5), 0.75],
    ['a read feed leaves nothing for a query to add', once(1, 0.3), 1],
    ['nobody reads it: what archiving asks for', once(), 0.05],
    ['queries that never keep anything of it', once(0, 0), 0.05],
    ['a query that counts three times', [{ share: 0.5, weight: 3, readers: ['ann'] }], 1.5],
    [
      'where queries overlap the more important one counts',
      [
        { share: 0.5, weight: 1, readers: ['ann'] },
        { share: 0.5, weight: 3, readers: ['ann'] },
      ],
      0.5 * 3 + 0.25,
    ],
    ['a query that is hardly important', [{ share: 1, weight: 0.01, readers: ['ann'] }], 0.05],
  ])('%s', (_, demands, expected) => expect(relevance(demands, 0.05)).toBeCloseTo(expected))

  it('grows with readers, more slowly than they do', () => {
    expect(relevance([byMany(1, 2)], 0)).toBe(2)
    expect(relevance([byMany(1, 1024)], 0)).toBe(11)
  })

  it('grows as they do where that is asked for, a crowd as many', () => {
    expect(relevance([byMany(1, 1024)], 0, 'linear')).toBe(1024)
    expect(relevance([byMany(0.5, 10)], 0, 'linear')).toBe(5)
    const crowd = { share: 1, weight: 1, readers: ['ann', 'feedly'], crowds: new Map([['feedly', 30]]) }
    expect(relevance([crowd], 0, 'linear')).toBe(31)
    expect(relevance([crowd, crowd], 0, 'linear')).toBe(31)
    expect(relevance([], 0.1, 'linear')).toBe(0.1)
  })

  it('counts a reader of several queries once, and readers of several queries together', () => {
    const ann = { share: 1, weight: 1, readers: ['ann'] }
    expect(relevance([ann, ann, ann], 0)).toBe(1)
    expect(relevance([ann, { ...ann, readers: ['bob'] }], 0)).toBe(2)
  })

  it('does not fall when a query of little weight wants more of a source that many read', () => {
    const important = { ...byMany(0.5, 4), weight: 10 }
    const slight = { share: 0.5, weight: 0.1, readers: ['reader 0'] }
    expect(relevance([important, slight], 0)).toBeGreaterThan(relevance([important], 0))
  })

  it('never falls when another query is registered or gets another reader', () => {
    const query = fc.record({
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
      readers: fc.subarray(['ann', 'bob', 'cy', 'dee'], { minLength: 1 }),
    })
    fc.assert(
      fc.property(fc.array(query, { maxLength: 6 }), query, (queries, more) => {
        const before = relevance(queries, 0.01)
        expect(relevance([...queries, more], 0.01)).toBeGreaterThanOrEqual(before - 1e-9)
        const joined = queries.map((one, k) => (k === 0 ? { ...one, readers: [...one.readers, 'eve'] } : one))
        expect(relevance(joined, 0.01)).toBeGreaterThanOrEqual(before - 1e-9)
      }),
    )
  })
})
