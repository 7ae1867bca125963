import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IdIndex } from './id-index.ts'

describe('index of ids', () => {
  it('finds what a Map finds, through growth and removal, for ids of any size', () => {
    const ids = fc.oneof(
      fc.nat(40),
      fc.nat(40).map((n) => n * 2 ** 32),
      fc.maxSafeNat(),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, fc.boolean()), { maxLength: 300 }), (steps) => {
        const idOf: number[] = []
        const index = new IdIndex((row) => idOf[row]!)
        const expected = new Map<number, number>()
        for (const [id, add] of steps) {
          if (!add) {
            index.remove(id)
            expected.delete(id)
          } else if (!expected.has(id)) {
            expected.set(id, idOf.length)
            idOf.push(id)
            index.add(id, idOf.length - 1)
          }
          expect(index.size).toBe(expected.size)
        }
        for (const [id] of steps) expect(index.find(id)).toBe(expected.get(id) ?? -1)
      }),
    )
  })
})
