import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLANK_ITEM } from '../../model/index.ts'
import { matchesText } from './match.ts'
import { parseTextQuery } from './query.ts'
import { createTextMatcher } from './text-matcher.ts'

const PARTS = [
  'a',
  'b',
  'ab',
  'Ab',
  'é',
  'e\u0301',
  'ß',
  '東',
  '京',
  '<b>',
  '</b>',
  '&amp;',
  '&eacute;',
  ' ',
  ', ',
  '-',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), fc.constantFrom(' ', ' a ', ' b '), fc.string({ maxLength: 3 })), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''))
const term = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom('"', ''), text, fc.constantFrom('', '*'))
  .map(([minus, quote, words, star]) => `${minus}${quote}${words}${quote}${star}`)

describe('the matcher of search', () => {
  it('finds what the plain meaning finds, for any texts and questions', () => {
    const nullable = fc.option(text, { nil: null })
    const fields = fc.record({ title: nullable, content: nullable, summary: nullable, categories: fc.array(text) })
    fc.assert(
      fc.property(fields, fc.array(term, { minLength: 1, maxLength: 3 }), (texts, terms) => {
        const query = parseTextQuery(terms.join(' '))
        fc.pre(query !== null)
        const item = { ...BLANK_ITEM, ...texts }
        expect(createTextMatcher(query)(item)).toBe(matchesText(query, item))
      }),
      { numRuns: 3_000 },
    )
  })

  it('is ready for the next item', () => {
    const fits = createTextMatcher(parseTextQuery('"sea level" -sport')!)
    const titles = ['sea level', 'level sea', `${'long '.repeat(5_000)} sea level`, 'sea level sport', 'The SEA-level']
    expect(titles.map((title) => fits({ ...BLANK_ITEM, title }))).toEqual([true, false, true, false, true])
  })
})
