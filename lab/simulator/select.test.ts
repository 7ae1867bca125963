import fc from 'fast-check'
import { expect, it } from 'vitest'
import { selectRank } from './select.ts'

it('finds what sorting would put at a place, whatever was selected before', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true })), { minLength: 1 })
  fc.assert(
    fc.property(values, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (list, ranks) => {
      // Zero has one sign here.
      const all = Float64Array.from(list, (value) => value + 0)
      const sorted = all.slice().sort()
      for (const index of ranks) expect(selectRank(all, index % all.length)).toEqual(sorted[index % all.length])
    }),
  )
})
