import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsControls } from './control-bytes.ts'

// XML 1.0 §2.2, and the C1 controls but U+0085.
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x80-\x84\x86-\x9f]/
const letters = fc.constantFrom(
  'a',
  '<',
  '\n',
  '\t',
  '\r',
  ' ',
  '\x7f',
  '\x85',
  '\xa0',
  'Â',
  'é',
  '’',
  '中',
  '😀',
  '\ufffe',
)
const controls = fc.constantFrom('\0', '\x08', '\x0b', '\x1f', '\x80', '\x84', '\x86', '\x9f')

/** As a part of a larger buffer, because that is how bodies come: the first byte may be at any place of a word. */
function within(text: string, at: number): Buffer {
  return Buffer.from(`${'x'.repeat(at)}${text}xx`).subarray(at, at + Buffer.byteLength(text))
}

describe('holdsControls', () => {
  it('finds what the same search in the text finds, wherever the bytes are', () => {
    const texts = fc.array(fc.oneof({ weight: 30, arbitrary: letters }, { weight: 1, arbitrary: controls }))
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 7 }), (parts, at) => {
        const text = parts.join('')
        expect(holdsControls(within(text, at))).toBe(CONTROL.test(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it('finds each of them at each place of a text', () => {
    for (let code = 0; code < 0x110; code++) {
      const char = String.fromCharCode(code)
      for (let before = 0; before < 9; before++) {
        const text = `${'a'.repeat(before)}${char}bc`
        expect(holdsControls(within(text, 0)), `${code} after ${before}`).toBe(CONTROL.test(text))
      }
    }
  })

  it('sees nothing of the bytes around', () => {
    expect(holdsControls(Buffer.from('\0\0abc\0').subarray(2, 5))).toBe(false)
    expect(holdsControls(Buffer.from('\0').subarray(1))).toBe(false)
  })
})
