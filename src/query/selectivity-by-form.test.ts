import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NaiveEngine } from '../../lab/measures/naive-engine.ts'
import { arrival } from '../../test/support/arrival-arbitrary.ts'
import { joinedQuery } from '../../test/support/query-arbitrary.ts'
import type { MatchSource } from './item/arrival.ts'
import type { FeedQuery } from './language/ast.ts'
import { parseQuery } from './language/parse.ts'
import { formsOf, keepersByForm, unfilteredOrigins } from './selectivity-by-form.ts'

const alpha: MatchSource = {
  url: 'https://a.org/feed',
  name: 'alpha',
  title: 'A',
  feedCategories: [],
  categories: ['News/Science'],
  language: null,
}
const beta: MatchSource = {
  url: 'https://b.org/feed',
  name: 'beta',
  title: null,
  feedCategories: [],
  categories: ['Other'],
  language: null,
}

function queryOf(text: string): FeedQuery {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.value
}

/** Which of the feeds keep all of a source. */
function keepers(queries: ReadonlyMap<string, FeedQuery>, source: MatchSource): readonly string[] {
  const unfiltered = new Map([...queries].map(([name, query]) => [name, unfilteredOrigins(query)]))
  return [...keepersByForm(formsOf(unfiltered))(source)].sort()
}

describe('what a query keeps by its form', () => {
  it.each([
    ['RETURN ALL', ['alpha', 'beta']],
    ['RETURN alpha', ['alpha']],
    ['RETURN alpha | beta', ['alpha', 'beta']],
    ['RETURN "https://b.org/feed"', ['beta']],
    ['RETURN CATEGORY "News"', ['alpha']],
    ['RETURN ALL ORDER BY PUBLISHED', ['alpha', 'beta']],
    ['RETURN ALL WHERE TITLE CONTAINS ice', []],
    ['RETURN alpha AS $a | beta AS $b WHERE $a[TITLE CONTAINS ice]', ['beta']],
    ['RETURN alpha AS $a | ALL AS $b WHERE $a[TITLE CONTAINS ice]', ['alpha', 'beta']],
    ['RETURN alpha AS $a | beta AS $b WHERE $a[TITLE CONTAINS ice] AND $b[TITLE CONTAINS sea]', []],
    ['RETURN ALL DISTINCT BY LINK LAST 3 DAYS', []],
  ])('%s', (text, expected) => {
    const queries = new Map([['f', queryOf(text)]])
    const sources = { alpha, beta }
    expect(Object.keys(sources).filter((name) => keepers(queries, sources[name as 'alpha']).length > 0)).toEqual(
      expected,
    )
  })

  it('goes through feeds that read feeds, and ends where they read each other', () => {
    const queries = new Map([
      ['a', queryOf('RETURN alpha')],
      ['b', queryOf('RETURN a | c')],
      ['c', queryOf('RETURN b')],
      ['d', queryOf('RETURN a WHERE TITLE CONTAINS ice')],
      ['e', queryOf('RETURN d')],
    ])
    expect(keepers(queries, alpha)).toEqual(['a', 'b', 'c'])
    expect(keepers(queries, beta)).toEqual([])
  })

  it('is what counting finds: whatever arrives, a feed that keeps all of a source by its form keeps each item', () => {
    const names = (count: number) => ['alpha', ...Array.from({ length: count }, (_, i) => `f${i}`)]
    const queries = fc.tuple(joinedQuery(names(0)), joinedQuery(names(1)), joinedQuery(names(2)))
    let pairs = 0
    fc.assert(
      fc.property(queries, fc.array(arrival, { minLength: 1, maxLength: 6 }), (feedQueries, arrivals) => {
        const queries = new Map(feedQueries.map((query, i) => [`f${i}`, query]))
        const engine = new NaiveEngine()
        for (const [name, query] of queries) engine.set(name, query)
        for (const [at, one] of arrivals.entries()) {
          const item = { ...one.item, seq: at + 1 } as never
          const matching = new Set(engine.process({ ...one, item }).map(({ feed }) => feed))
          for (const name of keepers(queries, one.source)) {
            pairs++
            expect(matching).toContain(name)
          }
        }
      }),
      { numRuns: 150 },
    )
    expect(pairs).toBeGreaterThan(30)
  })

  it('misses nothing in a union without conditions: what it does not name does not match', () => {
    fc.assert(
      fc.property(joinedQuery(['alpha']), arrival, (query, one) => {
        const plain: FeedQuery = { ...query, where: null, joins: [], distinct: null }
        const engine = new NaiveEngine()
        engine.set('f', plain)
        const matches = engine.process({ ...one, item: { ...one.item, seq: 1 } as never }).length
        expect(keepers(new Map([['f', plain]]), one.source)).toHaveLength(matches)
      }),
      { numRuns: 100 },
    )
  })
})
