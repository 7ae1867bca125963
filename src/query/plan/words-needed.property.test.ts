import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrival } from '../../../test/support/arrival-arbitrary.ts'
import { filterQuery } from '../../../test/support/query-arbitrary.ts'
import { mayHold } from '../../store/text/words-needed.ts'
import { parseQuery } from '../language/parse.ts'
import { matchesNaively } from '../match/naive.ts'
import { wordsNeededBy } from './words-needed.ts'

const detect = (text: string) => (text.length % 2 === 0 ? 'en' : '')

function neededBy(...texts: readonly string[]) {
  return wordsNeededBy(
    texts.map((text) => {
      const parsed = parseQuery(text)
      if (!parsed.ok) throw new Error(text)
      return parsed.value
    }),
  )
}

const word = (one: string) => ({ kind: 'word', word: one })

describe('words that an item of a feed must hold', () => {
  it('are those of the condition that cannot be missing', () => {
    const where = (condition: string) => neededBy(`RETURN ALL WHERE ${condition}`)
    const hotWater = { kind: 'phrase', words: ['hot', 'water'] }
    expect(where('ITEM CONTAINS "Hot Water" AND NOT TITLE CONTAINS "tea"')).toEqual(hotWater)
    expect(where('TITLE CONTAINS "Hot Water" AND TITLE CONTAINS "tea"')).toEqual({
      kind: 'and',
      of: [hotWater, word('tea')],
    })
    expect(where('ITEM CONTAINS "Hot W" AND TITLE CONTAINS "tea"')).toEqual({
      kind: 'and',
      of: [word('hot'), word('tea')],
    })
    expect(where('TITLE CONTAINS "tea" OR AUTHOR CONTAINS "kim"')).toEqual({
      kind: 'or',
      of: [word('tea'), word('kim')],
    })
    for (const none of [
      'TITLE CONTAINS "tea" OR SOURCE CONTAINS "kim"',
      'LINK CONTAINS "tea"',
      'NOT TITLE CONTAINS "tea"',
      'TITLE MATCHES /tea/',
      'TITLE = "tea"',
      'TITLE CONTAINS "と"',
    ])
      expect([none, where(none)]).toEqual([none, null])
  })

  it('are needed by all feeds, or by none', () => {
    expect(neededBy('RETURN ALL WHERE TITLE CONTAINS "tea"', 'RETURN ALL')).toBeNull()
    expect(neededBy('RETURN ALL')).toBeNull()
  })

  it('are held by every item that is in a feed', () => {
    let queries = 0
    let refused = 0
    fc.assert(
      fc.property(filterQuery(['alpha']), fc.array(arrival, { minLength: 5, maxLength: 10 }), (query, items) => {
        const needed = wordsNeededBy([query])
        if (needed === null) return
        for (const one of items) {
          const candidate = mayHold(needed, one.item)
          queries += 1
          if (!candidate) refused += 1
          if (matchesNaively(query, one, { inFeed: () => false, detect })) expect(candidate).toBe(true)
        }
      }),
      { numRuns: 600 },
    )
    expect(queries).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(10)
  })
})
