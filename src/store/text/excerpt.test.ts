import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isExcerpt } from './excerpt.ts'
import { words } from './fold.ts'
import { stripMarkup } from './markup.ts'

describe('isExcerpt', () => {
  it.each([
    ['The rain in Spain', '<p>The rain in <b>Spain</b> stays.</p>', true],
    ['The rain in Sp', '<p>The rain in Spain</p>', true],
    ['The rain [&#8230;]', '<p>The rain in Spain</p>', true],
    ['The rain …', '<p>The rain … in Spain</p>', true],
    ['<p>The rain', '<div>The rain in Spain</div>', true],
    ['Tom &amp; Jerry', '<p>Tom &amp; Jerry run</p>', true],
    ['', '<p>anything</p>', true],
    ['Another beginning', '<p>The rain in Spain</p>', false],
    ['The rain in Spain stays there', '<p>The rain in Spain</p>', false],
    ['The ra in Spain', '<p>The rain in Spain</p>', false],
    ['The rain in', '<p>The ra<b>in</b> in Spain</p>', false],
    // Longer than what is compared character by character.
    ['The rain in Spain stays mainly in the plain', '<p>The rain in Spain stays mainly in the <i>plain</i>.</p>', true],
    ['The rain in Spain stays mainly in the town', '<p>The rain in Spain stays mainly in the plain</p>', false],
    [
      'The rain in Spain stays <b>mainly</b> in the hills above',
      '<p>The rain in Spain stays mainly in the plain</p>',
      false,
    ],
    ['hidden text', '<script>hidden text</script>shown', false],
    ['a b', '<a <b>a b', false],
    ['Tom & Jerry', '<p>Tom &amp; Jerry</p>', false],
  ])('%j of %j: %s', (summary, content, expected) => {
    expect(isExcerpt(summary, content)).toBe(expected)
  })

  const piece = fc.constantFrom(
    'a',
    'b',
    'é',
    '…',
    ' ',
    ' ',
    '<p>',
    '</p>',
    '<b',
    '>',
    '&amp;',
    '&',
    '<script>',
    '<!--',
    'as long as a run that is compared at once ',
  )
  const html = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''))

  it('says yes only where the content has every word in the same order, the last one perhaps cut', () => {
    fc.assert(
      fc.property(html, html, fc.nat(20), fc.boolean(), (one, other, cut, related) => {
        const content = one + other
        const summary = related ? stripMarkup(content).slice(0, cut) : other
        if (!isExcerpt(summary, content)) return
        const expected = words(stripMarkup(summary))
        const original = words(stripMarkup(content))
        expect(original.slice(0, Math.max(0, expected.length - 1))).toEqual(expected.slice(0, -1))
        if (expected.length > 0) expect(original[expected.length - 1]?.startsWith(expected.at(-1)!)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})
