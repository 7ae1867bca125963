import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowHeap } from './row-heap.ts'

describe('heap of rows', () => {
  it('yields its members in order, also after some were taken out', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(keys, fc.array(fc.nat(199)), (key, out) => {
        const heap = new RowHeap(key.length, (a, b) => (key[a]! - key[b]! || a - b) < 0)
        for (const member of key.keys()) heap.push(member)
        const removed = new Set(out.filter((member) => member < key.length))
        for (const member of removed) heap.remove(member)
        const expected = [...key.keys()]
          .filter((member) => !removed.has(member))
          .sort((a, b) => key[a]! - key[b]! || a - b)
        const found: number[] = []
        for (let member = heap.pop(); member >= 0; member = heap.pop()) found.push(member)
        expect(found).toEqual(expected)
        expect([...key.keys()].some((member) => heap.has(member))).toBe(false)
      }),
    )
  })
})
