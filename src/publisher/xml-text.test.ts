import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBlank, oneLine, xmlText } from './xml-text.ts'

/** All that XML 1.0 §2.2 does not allow, by the definition. */
function slowXml(text: string): string {
  return [...text].filter((character) => isXml(character.codePointAt(0) ?? 0)).join('')
}

function isXml(point: number): boolean {
  if (point < 0x20) return point === 0x9 || point === 0xa || point === 0xd
  return point <= 0xd7ff || (point >= 0xe000 && point <= 0xfffd) || point >= 0x10000
}

/** White space and control characters as one space, whatever else there is; by the definition, without a shorter way. */
function slowLine(text: string, maxLength: number): string {
  const line = slowXml(text)
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
  '\ud83c',
  '\udf0a',
  '\u3000',
  '\u200b',
  '\ufeff',
  '\ufffe',
  'слово',
  '言葉',
)
const text = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string(),
  // Any code unit: half pairs too.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
)

describe('xmlText', () => {
  it('leaves out what no XML may hold, and nothing else', () => {
    fc.assert(fc.property(text, (one) => xmlText(one) === slowXml(one)))
  })
})

describe('isBlank', () => {
  it('is true where nothing but white space and control characters is there', () => {
    const blank = (one: string) => one.replace(/[\s\p{White_Space}\p{Cc}]+/gu, '') === ''
    fc.assert(fc.property(text, (one) => isBlank(one) === blank(one)))
    expect(isBlank('')).toBe(true)
  })
})

describe('oneLine', () => {
  it('is the same as by the definition, for every character', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const one = `a${String.fromCharCode(unit)}b ${String.fromCharCode(unit)}`
      if (oneLine(one, 20) !== slowLine(one, 20)) expect(oneLine(one, 20), unit.toString(16)).toBe(slowLine(one, 20))
    }
  })

  it('is the same for plain texts as by the definition', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (one, most) => {
        expect(oneLine(one, most)).toBe(slowLine(one, most))
      }),
    )
  })
})
