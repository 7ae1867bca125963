import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsHash, SEPARATOR, textHash } from './hash.ts'

describe('partsHash', () => {
  const part = fc.option(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('é'.repeat(40_000))))

  it('is the hash of the parts joined by the separator, whatever their length', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        expect(partsHash(parts)).toBe(textHash(parts.join(SEPARATOR)))
      }),
    )
  })

  it('tells apart what is cut elsewhere', () => {
    expect(partsHash(['ab', 'c'])).not.toBe(partsHash(['a', 'bc']))
    expect(partsHash(['a', null])).not.toBe(partsHash(['a']))
  })
})
