import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainText } from '../../publisher/plain-text.ts'
import { excerptOf } from './item-rows.ts'

const PARTS = [
  'word ',
  'Wörter, ',
  '<p>',
  '</p>',
  '<a href="',
  '">',
  '<script>',
  '</script>',
  '&amp;',
  '&',
  '<',
  '<T>',
  '🌊',
  '\n',
]

it('an excerpt of the beginning is that of the whole text, or there is none', () => {
  const html = fc.array(fc.constantFrom(...PARTS), { maxLength: 400 }).map((parts) => parts.join(''))
  let lookups = 0
  fc.assert(
    fc.property(html, fc.nat(1_500), (whole, at) => {
      const text = [...whole].slice(0, at).join('')
      const excerpt = excerptOf({ text, isCut: text.length < whole.length })
      if (excerpt === null) return
      lookups++
      expect(excerpt).toBe(plainText(whole, 280))
    }),
    { numRuns: 2_000 },
  )
  expect(lookups).toBeGreaterThan(100)
})

it.each([
  ['&CounterClockwiseContourIntegral;', 8],
  ['&eacute;', 4],
  ['&#x1F30A;', 5],
])('half a reference (%s) where the beginning ends is not shown', (reference, half) => {
  const startText = `${'<i></i>'.repeat(150)}${'x'.repeat(280 - half)}`
  const whole = `<p>${startText}${reference} and so on`
  const text = `<p>${startText}${reference.slice(0, half)}`
  const excerpt = excerptOf({ text, isCut: true })
  expect(excerpt ?? plainText(whole, 280)).toBe(plainText(whole, 280))
})
