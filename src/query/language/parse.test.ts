import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import type { QueryCondition, QueryStatement } from './ast.ts'
import { withoutPositions } from './build.ts'
import { formatQueryError } from './errors.ts'
import { parseQuery, parseStatements } from './parse.ts'
import { printCondition, printQuery, printStatements } from './print.ts'

const GUARDIAN = 'http://feeds.guardian.co.uk/theguardian/rss'
const PICTURE = 'http://www.boston.com/bigpicture/index.xml'

function statements(text: string): readonly QueryStatement[] {
  const parsed = parseStatements(text)
  if (!parsed.ok) throw new Error(parsed.errors.map(formatQueryError).join('\n'))
  return withoutPositions(parsed.value)
}

function where(text: string): QueryCondition {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(parsed.errors.map(formatQueryError).join('\n'))
  return withoutPositions(parsed.value.where!)
}

const contains = (field: string, text: string) => ({ kind: 'contains', field, text, stemmed: false })
const category = (value: string) => ({ kind: 'equals', field: 'CATEGORY', values: [value] })

describe('the examples of the papers', () => {
  it('thesis 1.3: each source with its own filter', () => {
    const [statement] = statements(`
      CREATE FEED IceVolEruFeed AS
      RETURN "${GUARDIAN}" AS $guardian |
            "${PICTURE}" AS $picture
      WHERE $guardian[ITEM CONTAINS "iceland" OR
                    ITEM CONTAINS "volcano" OR
                    ITEM CONTAINS "eruption"] AND
            $picture[CATEGORY = "iceland" OR
                    CATEGORY = "volcano" OR
                    CATEGORY = "eruption"];`)
    const terms = ['iceland', 'volcano', 'eruption']
    expect(statement).toEqual({
      kind: 'create',
      feed: { name: 'IceVolEruFeed' },
      title: null,
      limit: null,
      query: {
        sources: [
          { origin: { kind: 'url', url: GUARDIAN }, variable: 'guardian' },
          { origin: { kind: 'url', url: PICTURE }, variable: 'picture' },
        ],
        joins: [],
        where: {
          kind: 'and',
          of: [
            { kind: 'scoped', variable: 'guardian', of: { kind: 'or', of: terms.map((t) => contains('ITEM', t)) } },
            { kind: 'scoped', variable: 'picture', of: { kind: 'or', of: terms.map(category) } },
          ],
        },
        distinct: null,
        order: null,
      },
    })
  })

  it('2010, section 2: texts after OR repeat field and comparison; no semicolon at the end', () => {
    const [statement] = statements(`CREATE FEED IcelandVolcanoEruption AS
RETURN "${GUARDIAN}" |
      "${PICTURE}"
WHERE ITEM CONTAINS "iceland" OR "volcano" OR "eruption"`)
    expect(statement).toMatchObject({
      query: { where: { kind: 'or', of: ['iceland', 'volcano', 'eruption'].map((t) => contains('ITEM', t)) } },
    })
  })
})

describe('conditions', () => {
  it.each([
    ['title contains iceland', 'TITLE CONTAINS "iceland"'],
    ['WHERE ITEM CONTAINS "a" AND "b" OR NOT "c"', 'ITEM CONTAINS "a" AND ITEM CONTAINS "b" OR NOT ITEM CONTAINS "c"'],
    ['ITEM CONTAINS "a" OR ("b" AND "c")', 'ITEM CONTAINS "a" OR ITEM CONTAINS "b" AND ITEM CONTAINS "c"'],
    ['CATEGORY = "a" OR "b"', 'CATEGORY = "a" OR CATEGORY = "b"'],
    [
      '(TITLE CONTAINS a OR TITLE CONTAINS b) AND LINK = "https://x.org/"',
      '(TITLE CONTAINS "a" OR TITLE CONTAINS "b") AND LINK = "https://x.org/"',
    ],
    ['NOT (TITLE CONTAINS a AND TITLE CONTAINS b)', 'NOT (TITLE CONTAINS "a" AND TITLE CONTAINS "b")'],
    [
      'TITLE NOT CONTAINS x AND CATEGORY != y AND LANGUAGE <> de',
      'NOT TITLE CONTAINS "x" AND NOT CATEGORY = "y" AND NOT LANGUAGE = "de"',
    ],
    ['LANGUAGE IN (en, "pt-BR")', 'LANGUAGE IN ("en", "pt-BR")'],
    ['AUTHOR NOT IN ("A", "B")', 'NOT AUTHOR IN ("A", "B")'],
    ['SOURCE = guardian', 'SOURCE = "guardian"'],
    ['LINK MATCHES /example\\.org\\/[0-9]+/i', 'LINK MATCHES /example\\.org\\/[0-9]+/i'],
    ['COUNT(ENCLOSURE)>=2 AND COUNT ( ITEM ) < 50', 'COUNT(ENCLOSURE) >= 2 AND COUNT(ITEM) < 50'],
    [
      'ITEM CONTAINS STEMMED "volcanoes" OR "eruptions"',
      'ITEM CONTAINS STEMMED "volcanoes" OR ITEM CONTAINS STEMMED "eruptions"',
    ],
    ['PUBLISHED > 2024-05-31 AND PUBLISHED <= "2024"', 'PUBLISHED > "2024-05-31" AND PUBLISHED <= "2024"'],
    ['PUBLISHED IN LAST 14 DAYS', 'PUBLISHED >= NOW - 2 WEEKS'],
    [
      'PUBLISHED < 90 minutes ago OR PUBLISHED >= NOW-1 hour',
      'PUBLISHED < NOW - 90 MINUTES OR PUBLISHED >= NOW - 1 HOUR',
    ],
    ["TITLE CONTAINS “schöne Grüße” OR 'it'", 'TITLE CONTAINS "schöne Grüße" OR TITLE CONTAINS "it"'],
    ['TITLE CONTAINS "say \\"no\\""', 'TITLE CONTAINS "say \\"no\\""'],
    ['TITLE /* here */ CONTAINS -- and\n x', 'TITLE CONTAINS "x"'],
    ['COUNT(CATEGORY) = 0', 'COUNT(CATEGORY) = 0'],
    ['source category = a OR "b"', 'SOURCE CATEGORY = "a" OR SOURCE CATEGORY = "b"'],
    ['SOURCE = "a" AND CATEGORY = "b"', 'SOURCE = "a" AND CATEGORY = "b"'],
    ['ENCLOSURE = "image/*"', 'ENCLOSURE = "image/*"'],
  ])('%s', (text, canonical) => {
    expect(printCondition(where(text))).toBe(canonical)
    expect(where(canonical)).toEqual(where(text))
  })

  it('reads dates as the time they name, in UTC unless they say otherwise', () => {
    const moment = (text: string) => (where(`PUBLISHED = ${text}`) as { moment: { from: number; to: number } }).moment
    expect(moment('"2024-02-29"')).toMatchObject({ from: Date.UTC(2024, 1, 29), to: Date.UTC(2024, 2, 1) })
    expect(moment('2024-12')).toMatchObject({ from: Date.UTC(2024, 11), to: Date.UTC(2025, 0) })
    expect(moment('2024')).toMatchObject({ from: Date.UTC(2024, 0), to: Date.UTC(2025, 0) })
    expect(moment('"2024-05-31 18:30"')).toMatchObject({
      from: Date.UTC(2024, 4, 31, 18, 30),
      to: Date.UTC(2024, 4, 31, 18, 31),
    })
    expect(moment('2024-05-31T18:30:00+02:00')).toMatchObject({ from: Date.UTC(2024, 4, 31, 16, 30) })
  })
})

describe('statements', () => {
  it('several in a file, with comments, in any case', () => {
    const text = `
      -- the news
      register feed "https://a.org/rss" as a-news category "News/World" weight 2.5;
      REGISTER FEED "https://b.org/rss" AS b;
      /* and what
         we read */
      create feed top title "Top \\"stories\\"" limit 30 as
      return a-news as $a | b as $b | category "News" | all sources
      join last 3 hours on b as $w with $a[TITLE SIMILAR $w.TITLE > 0.6] and $w[LANGUAGE = en] or LINK = $w.LINK
      not joined last 100 items on a-news as $x with title similar $x.title
      where $a[TITLE CONTAINS x] or not "y"
      distinct by similar > 0.7 last 3 days
      order by published desc;
      alter feed top limit none title "New";
      ALTER FEED b WEIGHT 3 CATEGORY "Blogs";
      subscribe to top output webhook "https://hook.org/in" every 10 hours;
      subscribe to top output mail "me@example.org";
      SUBSCRIBE TO top OUTPUT FILE "/tmp/top.xml" IMMEDIATELY;
      UNSUBSCRIBE FROM top OUTPUT FILE "/tmp/top.xml";
      drop feed top;`.replace('or not "y"', 'or not TITLE CONTAINS "y"')
    const read = statements(text)
    expect(read.map(({ kind }) => kind)).toEqual([
      'register',
      'register',
      'create',
      'alter',
      'alter',
      'subscribe',
      'subscribe',
      'subscribe',
      'unsubscribe',
      'drop',
    ])
    expect(read[0]).toMatchObject({ feed: { name: 'a-news' }, category: 'News/World', weight: 2.5 })
    expect(read[2]).toMatchObject({
      title: 'Top "stories"',
      limit: 30,
      query: {
        sources: [
          { origin: { kind: 'name', name: 'a-news' }, variable: 'a' },
          { origin: { kind: 'name', name: 'b' }, variable: 'b' },
          { origin: { kind: 'category', category: 'News' }, variable: null },
          { origin: { kind: 'all' }, variable: null },
        ],
        joins: [
          {
            negated: false,
            window: { kind: 'time', lengthMs: 3 * HOUR_MS },
            sources: [{ variable: 'w' }],
            condition: { kind: 'or' },
          },
          { negated: true, window: { kind: 'items', count: 100 }, condition: { kind: 'similar', threshold: 0.6 } },
        ],
        distinct: { by: 'SIMILAR', threshold: 0.7, window: { kind: 'time', lengthMs: 3 * DAY_MS } },
        order: { by: 'PUBLISHED', descending: true },
      },
    })
    expect(read[3]).toEqual({ kind: 'alter', feed: { name: 'top' }, limit: null, title: 'New' })
    expect(read[5]).toMatchObject({ output: { kind: 'webhook', url: 'https://hook.org/in' }, everyMs: 10 * HOUR_MS })
    expect(read[6]).toMatchObject({ output: { kind: 'mail', address: 'me@example.org' }, everyMs: null })
    expect(statements(printStatements(read))).toEqual(read)
  })

  it.each([
    ['RETURN (a | b) AS $v | c', 'RETURN (a | b) AS $v |\n       c'],
    ['RETURN ((a | (b)) | c) AS $v', 'RETURN (a | b | c) AS $v'],
    ['RETURN (a | (b AS $v)) | c', 'RETURN a |\n       b AS $v |\n       c'],
    [
      'RETURN a JOIN LAST 3 ITEMS ON (b | CATEGORY "c" | "https://d.org/") AS $w WITH LINK = $w.LINK',
      'RETURN a\nJOIN LAST 3 ITEMS ON (b | CATEGORY "c" | "https://d.org/") AS $w WITH LINK = $w.LINK',
    ],
    [
      'RETURN ALL ORDER BY SCORE(2*WEIGHT+freshness + 0.5 * FRESHNESS 90 MINUTES) desc',
      'RETURN ALL\nORDER BY SCORE(2 * WEIGHT + FRESHNESS 1 DAY + 0.5 * FRESHNESS 90 MINUTES)',
    ],
    ['RETURN ALL ORDER BY SCORE(WEIGHT) ASC', 'RETURN ALL\nORDER BY SCORE(WEIGHT) ASC'],
  ])('unions with one variable, and scores: %s', (text, canonical) => {
    const [first, again] = [parseQuery(text), parseQuery(canonical)]
    if (!first.ok || !again.ok) throw new Error('not read')
    expect(printQuery(first.value)).toBe(canonical)
    expect(withoutPositions(again.value)).toEqual(withoutPositions(first.value))
  })

  it('an empty text holds none', () => {
    expect(statements(' ; -- nothing\n;')).toEqual([])
  })

  it('names several errors of a file at once', () => {
    const parsed = parseStatements('CRATE FEED a;\nDROP FEED b;\nDROP FED c;')
    expect(parsed.ok ? [] : parsed.errors.map(({ line, column, code }) => [line, column, code])).toEqual([
      [1, 1, 'QUERY_UNKNOWN_STATEMENT'],
      [3, 6, 'QUERY_UNEXPECTED'],
    ])
  })

  it('shows an error with its line, a caret and what to do', () => {
    const parsed = parseStatements('CREATE FEED x AS\nRETURN ALL\n\tWHERE TITEL CONTAINS "x";')
    expect(parsed.ok ? '' : formatQueryError(parsed.errors[0]!)).toBe(
      [
        '3:8 There is no field TITEL (QUERY_UNKNOWN_FIELD)',
        '  \tWHERE TITEL CONTAINS "x";',
        '  \t      ^^^^^',
        'Did you mean TITLE?',
      ].join('\n'),
    )
  })
})
