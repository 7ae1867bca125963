import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstInOrder } from './source-list.ts'

describe('a page of a long list', () => {
  it('is what sorting all of it gives', () => {
    const rows = fc.array(fc.record({ value: fc.integer({ min: 0, max: 20 }), id: fc.nat() }), { maxLength: 100 })
    const compare = (a: { value: number; id: number }, b: typeof a) => a.value - b.value || a.id - b.id
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 30 }), (all, count) => {
        expect(firstInOrder(all, count, compare)).toEqual(all.toSorted(compare).slice(0, count))
      }),
    )
  })
})
