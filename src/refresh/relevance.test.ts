import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relevance } from './relevance.ts'

const once = (...shares: number[]) => shares.map((share) => ({ share, readers: 1 }))

describe('how much of a source matters', () => {
  it.each([
    ['a feed of it that somebody reads', once(1), 1],
    ['a query that keeps a tenth', once(0.1), 0.1],
    ['two queries that overlap count an item once', once(0.5, 0.5), 0.75],
    ['a read feed leaves nothing for a query to add', once(1, 0.3), 1],
    ['nobody reads it: what archiving asks for', once(), 0.05],
    ['queries that never keep anything of it', once(0, 0), 0.05],
  ])('%s', (_, wanted, expected) => expect(relevance(wanted, 0.05)).toBeCloseTo(expected))

  it('grows with readers, more slowly than they do', () => {
    expect(relevance([{ share: 1, readers: 2 }], 0)).toBe(2)
    expect(relevance([{ share: 1, readers: 1024 }], 0)).toBe(11)
  })

  it('never falls when another query is registered', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(share, { maxLength: 6 }), share, (shares, more) => {
        expect(relevance(once(...shares, more), 0.01)).toBeGreaterThanOrEqual(relevance(once(...shares), 0.01) - 1e-12)
      }),
    )
  })
})
