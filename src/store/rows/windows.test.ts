import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packHash, packHashBytes, unpackHash } from './hashes.ts'
import { packWindow, unpackWindow, windowBytes, windowOfBytes } from './windows.ts'

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
/** Mostly as it should be, sometimes nearly so. */
const hashOf = (length: number) => fc.oneof({ weight: 9, arbitrary: digits(length) }, digits(length - 1), fc.string())
const entry = fc.record({
  key: hashOf(32),
  contentHash: hashOf(32),
  alias: fc.option(fc.oneof(hashOf(24), fc.constantFrom('0'.repeat(24), 'ABCDEF012345678901234567', ''))),
  published: fc.option(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))),
})

describe('what is packed', () => {
  it('comes out as it was: windows', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (window) => {
        const plain = window.map((one) => ({ ...one, published: one.published === 0 ? 0 : one.published }))
        expect(unpackWindow(packWindow(plain))).toEqual(plain)
        expect(windowOfBytes(windowBytes(plain))).toEqual(plain)
      }),
    )
  })

  it('comes out as it was: hashes', () => {
    fc.assert(
      fc.property(fc.oneof(hashOf(32), fc.constant('A'.repeat(32))), (hash) => {
        expect(unpackHash(packHash(hash))).toBe(hash)
        expect(unpackHash(packHashBytes(hash))).toBe(hash)
      }),
    )
  })

  it('is never the same bytes for two hashes, however long they are', () => {
    const some = fc.oneof(hashOf(32), fc.string({ minLength: 12, maxLength: 18 }))
    fc.assert(
      fc.property(some, some, (one, other) => {
        expect(packHashBytes(one).equals(packHashBytes(other))).toBe(one === other)
      }),
    )
  })

  it('is 52 bytes an entry, as a rule', () => {
    const one = { key: 'a'.repeat(32), contentHash: 'b'.repeat(32), alias: 'c'.repeat(24), published: 1 }
    expect(packWindow([one, { ...one, alias: null, published: null }])).toHaveLength(105)
  })

  it('is read in the form that it had before, but for aliases, which meant something else', () => {
    const dates = Buffer.alloc(16)
    dates.writeDoubleLE(5, 0)
    dates.writeDoubleLE(Number.NaN, 8)
    const entries = ['a', 'd'].map((c) => Buffer.from(`${c.repeat(32)}${'b'.repeat(32)}${'c'.repeat(16)}`, 'hex'))
    expect(unpackWindow(Buffer.concat([...entries, dates]))).toEqual([
      { key: 'a'.repeat(32), contentHash: 'b'.repeat(32), alias: null, published: 5 },
      { key: 'd'.repeat(32), contentHash: 'b'.repeat(32), alias: null, published: null },
    ])
  })
})
