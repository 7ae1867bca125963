import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hash32, hash32OfSamples, partsHash, SEPARATOR, textHash } from './hash.ts'

describe('partsHash', () => {
  const part = fc.option(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('é'.repeat(40_000))))

  it('is the hash of the parts joined by the separator, whatever their length', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        expect(partsHash(parts)).toBe(textHash(parts.join(SEPARATOR)))
      }),
    )
  })

  it('distinguishes what is cut elsewhere', () => {
    expect(partsHash(['ab', 'c'])).not.toBe(partsHash(['a', 'bc']))
    expect(partsHash(['a', null])).not.toBe(partsHash(['a']))
  })
})

describe('hash32OfSamples', () => {
  const sample = (text: string) => (text.length <= 8 ? text : `${text.length} ${text.slice(0, 4)}${text.slice(-4)}`)

  it('is the hash of beginnings and ends, one after another', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 4 }), (texts) => {
        expect(hash32OfSamples(texts, 4)).toBe(hash32(texts.map(sample).join('')))
      }),
    )
  })

  // What archives hold was made by these: they must never change.
  it.each([
    ['', '811c1cd9'],
    ['a', '74e69840'],
    ['Größe – 中', '444a9c5e'],
  ])('%j stays %s', (text, hash) => expect(hash32(text)).toBe(hash))
})
