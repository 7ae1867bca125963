import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrival } from '../../../test/support/arrival-arbitrary.ts'
import { filterQuery } from '../../../test/support/query-arbitrary.ts'
import { BLANK_ITEM } from '../../model/index.ts'
import { MASKS } from '../item/texts.ts'
import { parseQuery } from '../language/parse.ts'
import { Matcher } from './matcher.ts'
import { matchesNaively } from './naive.ts'
import { QueryIndex } from './query-index.ts'

const detect = (text: string) => (text.includes('iceland') ? 'is' : text.length % 2 === 0 ? 'en' : '')

function fieldCounts(text: string): { readonly texts: number; readonly words: number } {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(text)
  const index = new QueryIndex()
  index.add('other', parsed.value)
  index.add('one', parsed.value)
  index.remove('other')
  const { texts, words } = index.fieldUse
  index.remove('one')
  expect([index.fieldUse.texts, index.fieldUse.words]).toEqual([0, 0])
  return { texts, words }
}

describe('fields that no query asks for are not read', () => {
  it('of single queries', () => {
    const { TITLE, CONTENT, DESCRIPTION, ITEM } = MASKS
    expect(fieldCounts('RETURN ALL')).toEqual({ texts: 0, words: 0 })
    expect(fieldCounts('RETURN ALL WHERE TITLE CONTAINS "water"')).toEqual({ texts: TITLE, words: TITLE })
    expect(fieldCounts('RETURN ALL WHERE TITLE MATCHES /water/')).toEqual({ texts: TITLE, words: 0 })
    expect(fieldCounts('RETURN ALL WHERE NOT ITEM CONTAINS "hot water"')).toEqual({ texts: ITEM, words: ITEM })
    expect(fieldCounts('RETURN ALL WHERE CATEGORY = "water"')).toEqual({ texts: 0, words: 0 })
    expect(fieldCounts('RETURN ALL WHERE LANGUAGE = "en"')).toEqual({ texts: TITLE | DESCRIPTION | CONTENT, words: 0 })
  })

  it('of items more than their titles, where a query asks for more', () => {
    const onlyTitles = (condition: string) => {
      const parsed = parseQuery(`RETURN ALL WHERE ${condition}`)
      if (!parsed.ok) throw new Error(condition)
      const matcher = new Matcher()
      matcher.add('one', parsed.value)
      return matcher.readsOnlyTitles
    }
    for (const condition of ['TITLE MATCHES /x/', 'TITLE = "x" AND SOURCE CONTAINS "y"', 'SOURCE CATEGORY = "x"'])
      expect([condition, onlyTitles(condition)]).toEqual([condition, true])
    for (const condition of [
      'CONTENT MATCHES /x/',
      'ENCLOSURE MATCHES /x/',
      'COUNT(ENCLOSURE) > 1',
      'PUBLISHED IN LAST 1 DAY',
      'LINK = "http://x/"',
      'LANGUAGE = "en"',
      'AUTHOR CONTAINS "x"',
    ])
      expect([condition, onlyTitles(condition)]).toEqual([condition, false])
  })

  it('and a query alone holds for the same items as by the definition', () => {
    let byTitle = 0
    fc.assert(
      fc.property(filterQuery(['alpha']), fc.array(arrival, { minLength: 5, maxLength: 10 }), (query, items) => {
        const matcher = new Matcher({ detectLanguage: detect })
        matcher.add('one', query)
        for (const one of items) {
          const expected = matchesNaively(query, one, { inFeed: () => false, detect })
          expect(matcher.match(one.item, one.source).length === 1).toBe(expected)
          const labels = matcher.readsTexts ? one.item : { ...one.item, summary: null, content: null }
          expect(matcher.match(labels, one.source).length === 1).toBe(expected)
          if (!matcher.readsOnlyTitles) continue
          const { title, firstSeenAt, sortAt } = one.item
          const titled = { ...BLANK_ITEM, title, firstSeenAt, sortAt }
          expect(matcher.match(titled, one.source).length === 1).toBe(expected)
          byTitle += expected ? 1 : 0
        }
      }),
      { numRuns: 400 },
    )
    expect(byTitle).toBeGreaterThan(10)
  })
})
