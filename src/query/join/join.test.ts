import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrival } from '../../../test/support/arrival-arbitrary.ts'
import { HOUR_MS, MINUTE_MS } from '../../model/index.ts'
import { words } from '../../store/text/fold.ts'
import type { Condition, Join } from '../language/ast.ts'
import { parseQuery } from '../language/parse.ts'
import type { Arrival } from '../match/arrival.ts'
import { conditionHolds } from '../match/naive.ts'
import { DistinctFilter } from './distinct.ts'
import { JoinWindow } from './join-window.ts'
import { similarity, wordSet } from './similarity.ts'
import { valuesOf } from './values.ts'

const START = Date.UTC(2024, 5, 1)
const BARE: Arrival = {
  item: {
    id: null,
    title: null,
    link: null,
    published: null,
    updated: null,
    authors: [],
    categories: [],
    summary: null,
    content: null,
    enclosures: [],
    language: null,
    commentsUrl: null,
    image: null,
    extensions: null,
    firstSeenAt: START,
    sortAt: START,
  },
  source: { url: 'https://a.org/feed', name: null, title: null, categories: [], language: null },
}

function parsed(text: string) {
  const query = parseQuery(text)
  if (!query.ok) throw new Error(query.errors[0]!.message)
  return query.value
}

const joinOf = (text: string): Join => parsed(`RETURN ALL AS $v ${text}`).joins[0]!
const titled = (title: string, minutes = 0, rest: Partial<Arrival['item']> = {}): Arrival => ({
  ...BARE,
  item: { ...BARE.item, title, firstSeenAt: START + minutes * MINUTE_MS, ...rest },
})

describe('similarity', () => {
  it.each([
    ['Ash cloud over Iceland', 'ash CLOUD, over iceland!', 1],
    ['ash cloud', 'ash cloud over europe', 0.5],
    ['ash', 'cloud', 0],
    ['', '', 0],
    ['ash ash ash cloud', 'ash sea', 1 / 3],
  ])('of “%s” and “%s” is %d', (a, b, expected) => {
    expect(similarity(wordSet([a]), wordSet([b]))).toBeCloseTo(expected)
    expect(similarity(wordSet([b]), wordSet([a]))).toBeCloseTo(expected)
  })
})

describe('a join', () => {
  it('keeps what some item of the last interval is like, and names those, the last first', () => {
    const window = new JoinWindow<string>(joinOf('JOIN LAST 3 HOURS ON b AS $w WITH $v[TITLE SIMILAR $w.TITLE > 0.6]'))
    window.add('old', titled('Ash cloud over Iceland', 0))
    window.add('other', titled('Football results', 60))
    window.add('near', titled('Ash cloud over Iceland grows', 100))
    expect(window.partnersOf('x', titled('Ash cloud over Iceland', 170), 'v')).toEqual(['near', 'old'])
    expect(window.compared).toBe(2)
    expect(window.partnersOf('x', titled('Ash cloud over Iceland', 181), 'v')).toEqual(['near'])
    expect(window.size).toBe(2)
    expect(window.keeps('x', titled('Sea level', 181), 'v')).toBe(false)
  })

  it('NOT JOINED keeps what nothing is like, over the last n items', () => {
    const window = new JoinWindow<string>(joinOf('NOT JOINED LAST 2 ITEMS ON b AS $w WITH LINK = $w.LINK'))
    const linked = (link: string) => titled('x', 0, { link })
    window.add('1', linked('https://x.org/1'))
    expect(window.keeps('x', linked('https://X.org/1'), 'v')).toBe(false)
    window.add('2', linked('https://x.org/2'))
    window.add('3', linked('https://x.org/3'))
    expect(window.keeps('x', linked('https://x.org/1'), 'v')).toBe(true)
    expect(window.keeps('3', linked('https://x.org/3'), 'v')).toBe(true)
  })

  it('asks the other item what stands in its brackets', () => {
    const window = new JoinWindow<string>(
      joinOf('JOIN LAST 1 HOUR ON b AS $w WITH TITLE SIMILAR $w.TITLE AND $w[LANGUAGE = en] AND CATEGORY = "x"'),
    )
    window.add('de', titled('Ash cloud', 0, { language: 'de' }))
    window.add('en', titled('Ash cloud', 0, { language: 'en' }))
    expect(window.partnersOf('x', titled('Ash cloud', 1, { categories: ['X'] }), 'v')).toEqual(['en'])
    expect(window.partnersOf('x', titled('Ash cloud', 1), 'v')).toEqual([])
  })

  it('does not concern items that it says nothing about', () => {
    const window = new JoinWindow<string>(joinOf('JOIN LAST 1 HOUR ON b AS $w WITH $v[LINK = $w.LINK]'))
    expect(window.keeps('x', titled('x'), 'v')).toBe(false)
    expect(window.keeps('x', titled('x'), null)).toBe(true)
  })

  it('finds what looking at every item of the window finds', () => {
    const conditions = [
      'TITLE SIMILAR $w.TITLE > 0.3',
      'ITEM SIMILAR $w.ITEM > 0',
      'TITLE SIMILAR $w.DESCRIPTION > 0.99 OR LINK = $w.LINK',
      'CATEGORY = $w.CATEGORY AND TITLE SIMILAR $w.TITLE > 0.1',
      'NOT LINK = $w.LINK',
      'AUTHOR = $w.AUTHOR OR LANGUAGE != $w.LANGUAGE AND $w[TITLE CONTAINS ice]',
      '$v[SOURCE = $w.SOURCE AND COUNT(TITLE) > 1] OR TITLE = $w.TITLE',
    ]
    const windows = ['LAST 3 HOURS', 'LAST 5 ITEMS']
    const given = fc.tuple(fc.constantFrom(...windows), fc.constantFrom(...conditions), fc.constantFrom('v', null))
    fc.assert(
      fc.property(
        given,
        fc.array(fc.tuple(arrival, fc.nat(60)), { maxLength: 25 }),
        ([span, condition, variable], items) => {
          const join = joinOf(`JOIN ${span} ON b AS $w WITH ${condition}`)
          const window = new JoinWindow<number>(join)
          const before: Arrival[] = []
          let minutes = 0
          items.forEach(([one, gap], number) => {
            minutes += gap
            const now = START + minutes * MINUTE_MS
            const item = { ...one, item: { ...one.item, firstSeenAt: now } }
            const from = join.window.kind === 'items' ? Math.max(0, before.length - 5) : 0
            const expected = before
              .flatMap((other, index) => {
                const inWindow =
                  join.window.kind === 'items' ? index >= from : other.item.firstSeenAt > now - 3 * HOUR_MS
                return inWindow && naivePair(join.condition, variable, item, other) ? [index] : []
              })
              .reverse()
            expect(window.partnersOf(number, item, variable)).toEqual(expected)
            window.add(number, item)
            before.push(item)
          })
        },
      ),
      { numRuns: 200 },
    )
  })
})

const detect = () => ''

function naivePair(condition: Condition, variable: string | null, own: Arrival, other: Arrival): boolean | null {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const said = condition.of.map((part) => naivePair(part, variable, own, other)).filter((value) => value !== null)
      if (said.length === 0) return null
      return condition.kind === 'and' ? said.every(Boolean) : said.some(Boolean)
    }
    case 'not': {
      const inner = naivePair(condition.of, variable, own, other)
      return inner === null ? null : !inner
    }
    case 'scoped':
      if (condition.variable === 'w') return conditionHolds(condition.of, other, detect)
      return condition.variable === variable ? naivePair(condition.of, variable, own, other) : null
    case 'similar': {
      const set = (one: Arrival, field: string) =>
        new Set(
          words(
            [
              field !== 'DESCRIPTION' && one.item.title,
              field !== 'TITLE' && one.item.summary,
              ...(field === 'ITEM'
                ? [one.item.content, ...one.item.categories, ...one.item.authors.map(({ name }) => name)]
                : []),
            ]
              .filter(Boolean)
              .join('\n')
              .replace(/<[^>]*>/g, ' ')
              .replaceAll('&amp;', '&'),
          ),
        )
      const [a, b] = [set(own, condition.field), set(other, condition.other.field)]
      const shared = [...a].filter((word) => b.has(word)).length
      return shared > 0 && shared / new Set([...a, ...b]).size > condition.threshold
    }
    case 'same': {
      const values = valuesOf(other, condition.field, detect)
      return valuesOf(own, condition.field, detect).some((value) => values.includes(value))
    }
    default:
      return conditionHolds(condition, own, detect)
  }
}

describe('DISTINCT BY', () => {
  it.each([
    ['LINK', titled('a', 0, { link: 'https://x.org/1' }), titled('b', 1, { link: 'https://x.org/1' }), titled('a', 1)],
    ['TITLE', titled('Ash cloud!'), titled('ash  CLOUD', 1), titled('cloud ash', 1)],
    ['SIMILAR > 0.5', titled('one two three four'), titled('four three two', 1), titled('one two five', 1)],
  ])('%s keeps the first', (by, first, alike, different) => {
    const filter = new DistinctFilter<number>(parsed(`RETURN ALL DISTINCT BY ${by} LAST 1 DAY`).distinct!)
    expect(filter.keeps(1, first)).toBe(true)
    filter.add(1, first)
    expect(filter.keeps(2, alike)).toBe(false)
    expect(filter.keeps(3, different)).toBe(true)
    const later = { ...alike, item: { ...alike.item, firstSeenAt: START + 25 * HOUR_MS } }
    expect(filter.keeps(4, later)).toBe(true)
  })
})
