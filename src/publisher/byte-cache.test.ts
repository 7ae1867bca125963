import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createByteCache } from './byte-cache.ts'

describe('the byte cache', () => {
  it('drops what was used longest ago when room is needed', () => {
    const cache = createByteCache<string>(10)
    cache.set('a', 'A', 5)
    cache.set('b', 'B', 5)
    cache.get('a')
    cache.set('c', 'C', 5)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C'])
  })

  it('does not keep what is larger than all its room, nor the older value of the same name', () => {
    const cache = createByteCache<string>(10)
    cache.set('a', 'small', 1)
    cache.set('a', 'huge', 11)
    expect(cache.get('a')).toBeUndefined()
    expect(cache.bytes).toBe(0)
  })

  it('never holds more than it may, and counts right', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      bytes: fc.integer({ min: 1, max: 8 }),
      drop: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const cache = createByteCache<number>(12)
        for (const { key, bytes, drop } of steps) {
          if (drop) cache.delete(key)
          else cache.set(key, bytes, bytes)
          const total = ['a', 'b', 'c', 'd'].reduce((sum, name) => sum + (cache.get(name) ?? 0), 0)
          expect(cache.bytes).toBe(total)
          expect(total).toBeLessThanOrEqual(12)
        }
      }),
    )
  })
})
