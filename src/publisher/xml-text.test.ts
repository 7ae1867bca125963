import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLine, xmlText } from './xml-text.ts'

/** White space and control characters as one space, whatever else there is; by the definition, without a shorter way. */
function slowLine(text: string, maxLength: number): string {
  const line = xmlText(text)
    .replace(/[\s\p{White_Space}\p{Cc}]+/gu, ' ')
    .trim()
  const last = line.charCodeAt(maxLength - 1)
  const half = line.length > maxLength && last >= 0xd800 && last <= 0xdbff
  return line.slice(0, half ? maxLength - 1 : maxLength).trim()
}

const piece = fc.constantFrom(
  ' ',
  '  ',
  '\n',
  '\t',
  '\u0085',
  '\u00a0',
  '\u0000',
  '\u007f',
  '~',
  '!',
  'word',
  'é',
  '🌊',
)

describe('oneLine', () => {
  it('is the same for plain texts as by the definition', () => {
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.string(),
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (one, most) => {
        expect(oneLine(one, most)).toBe(slowLine(one, most))
      }),
    )
  })
})
