import { describe, expect, it } from 'vitest'
import type { Catalog } from './catalog.ts'
import { checkStatements } from './check.ts'
import { QUERY_ERRORS, type QueryError, type QueryErrorCode } from './errors.ts'
import { parseStatements } from './parse.ts'

const CATALOG: Catalog = {
  sources: ['guardian', 'nasa'],
  feeds: new Map([
    ['top', ['guardian']],
    ['best', ['top']],
  ]),
  categories: ['News', 'News/Science'],
}

const deep = (open: string, n: number) => `CREATE FEED f AS RETURN ALL WHERE ${open.repeat(n)}TITLE CONTAINS a`

/** Text, code, line, column, part of the hint. */
const WRONG: readonly (readonly [string, QueryErrorCode, number, number, string])[] = [
  // Characters and words
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS "ice', 'QUERY_OPEN_STRING', 1, 50, 'same quote'],
  ['DROP FEED f;\n/* no end', 'QUERY_OPEN_COMMENT', 2, 1, '*/'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE MATCHES /ice', 'QUERY_OPEN_REGEX', 1, 49, '\\/'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS "\\d"', 'QUERY_BAD_ESCAPE', 1, 51, '\\\\'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS a & TITLE CONTAINS b', 'QUERY_UNKNOWN_CHARACTER', 1, 52, 'AND'],
  ['CREATE FEED f AS RETURN ALL WHERE {TITLE CONTAINS a}', 'QUERY_UNKNOWN_CHARACTER', 1, 35, '( and )'],
  ['# comment', 'QUERY_UNKNOWN_CHARACTER', 1, 1, '--'],
  ['CREATE FEED f AS RETURN ALL AS $', 'QUERY_UNKNOWN_CHARACTER', 1, 32, '$guardian'],
  ['CREATE FEED f LIMIT 0 AS RETURN ALL', 'QUERY_BAD_NUMBER', 1, 21, '1 to 100000'],
  ['CREATE FEED f LIMIT 2.5 AS RETURN ALL', 'QUERY_BAD_NUMBER', 1, 21, 'whole'],
  ['REGISTER FEED "https://a.org/" AS a WEIGHT 0', 'QUERY_BAD_NUMBER', 1, 44, '0.001'],
  [
    'CREATE FEED f AS RETURN ALL JOIN LAST 0 ITEMS ON nasa AS $w WITH LINK = $w.LINK',
    'QUERY_BAD_NUMBER',
    1,
    39,
    'whole',
  ],
  // Grammar
  ['CRATE FEED f AS RETURN ALL', 'QUERY_UNKNOWN_STATEMENT', 1, 1, 'Did you mean CREATE?'],
  ['SELECT * FROM x', 'QUERY_UNKNOWN_STATEMENT', 1, 1, 'Begin with'],
  ['SELECT @ FROM x', 'QUERY_UNKNOWN_CHARACTER', 1, 8, 'quotes'],
  ['SELECT title', 'QUERY_UNKNOWN_STATEMENT', 1, 1, 'Begin with'],
  ['CREATE FED f AS RETURN ALL', 'QUERY_UNEXPECTED', 1, 8, 'Did you mean FEED?'],
  ['CREATE FEED', 'QUERY_UNFINISHED', 1, 12, 'a name for the feed'],
  ['CREATE FEED "f" AS RETURN ALL', 'QUERY_UNEXPECTED', 1, 13, 'without quotes'],
  ['CREATE FEED AS RETURN ALL', 'QUERY_RESERVED_WORD', 1, 13, 'another name'],
  ['CREATE FEED f RETURN ALL', 'QUERY_UNEXPECTED', 1, 15, 'AS'],
  ['CREATE FEED f AS RETRUN ALL', 'QUERY_UNEXPECTED', 1, 18, 'Did you mean RETURN?'],
  ['CREATE FEED f AS RETURN', 'QUERY_UNFINISHED', 1, 24, 'a source'],
  ['CREATE FEED f AS RETURN guardian, nasa', 'QUERY_UNEXPECTED', 1, 35, '|'],
  ['CREATE FEED f AS RETURN guardian AS g', 'QUERY_UNEXPECTED', 1, 37, '$v'],
  ['CREATE FEED f AS RETURN ALL WHERE', 'QUERY_UNFINISHED', 1, 34, 'ITEM CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WERE TITLE CONTAINS a', 'QUERY_UNEXPECTED', 1, 29, 'Did you mean WHERE?'],
  ['CREATE FEED f AS RETURN ALL WHERE (TITLE CONTAINS a', 'QUERY_UNFINISHED', 1, 52, ')'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS a)', 'QUERY_UNEXPECTED', 1, 51, ';'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS ice land', 'QUERY_UNEXPECTED', 1, 54, 'quotes'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS a AND', 'QUERY_UNFINISHED', 1, 55, 'ITEM CONTAINS'],
  ['DROP FEED best\nDROP FEED top', 'QUERY_MISSING_SEMICOLON', 2, 1, ';'],
  ['CREATE FEED f LIMIT 3 LIMIT 4 AS RETURN ALL', 'QUERY_CLAUSE_TWICE', 1, 23, 'one of them'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS a WHERE TITLE CONTAINS b', 'QUERY_CLAUSE_TWICE', 1, 52, 'AND'],
  [
    'CREATE FEED f AS RETURN ALL ORDER BY PUBLISHED WHERE TITLE CONTAINS b',
    'QUERY_CLAUSE_ORDER',
    1,
    48,
    'RETURN, JOIN, WHERE',
  ],
  ['CREATE FEED f AS RETURN ALL ORDER BY TITLE', 'QUERY_UNEXPECTED', 1, 38, 'PUBLISHED'],
  ['CREATE FEED f AS RETURN ALL DISTINCT BY LINKS', 'QUERY_UNEXPECTED', 1, 41, 'Did you mean LINK?'],
  ['ALTER FEED top', 'QUERY_NOTHING_TO_ALTER', 1, 15, 'TITLE'],
  [deep('(', 300), 'QUERY_TOO_DEEP', 1, 236, '200'],
  [deep('NOT ', 300), 'QUERY_TOO_DEEP', 1, 839, '200'],
  [`-- ${'x'.repeat(1_000_000)}`, 'QUERY_TOO_LONG', 1, 1, 'several'],
  // Predicates
  ['CREATE FEED f AS RETURN ALL WHERE TITEL CONTAINS a', 'QUERY_UNKNOWN_FIELD', 1, 35, 'Did you mean TITLE?'],
  ['CREATE FEED f AS RETURN ALL WHERE BODY CONTAINS a', 'QUERY_UNKNOWN_FIELD', 1, 35, 'DESCRIPTION'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAIN a', 'QUERY_UNKNOWN_OPERATOR', 1, 41, 'Did you mean CONTAINS?'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE "a"', 'QUERY_UNKNOWN_OPERATOR', 1, 41, 'TITLE CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE', 'QUERY_UNFINISHED', 1, 40, 'TITLE CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE > "a"', 'QUERY_WRONG_OPERATOR', 1, 41, 'TITLE CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WHERE LANGUAGE CONTAINS en', 'QUERY_WRONG_OPERATOR', 1, 44, 'LANGUAGE = '],
  ['CREATE FEED f AS RETURN ALL WHERE ITEM = "a"', 'QUERY_WRONG_OPERATOR', 1, 40, 'ITEM CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WHERE PUBLISHED CONTAINS "2024"', 'QUERY_WRONG_OPERATOR', 1, 45, 'PUBLISHED >'],
  ['CREATE FEED f AS RETURN ALL WHERE COUNT(LINK) > 1', 'QUERY_WRONG_OPERATOR', 1, 41, 'LINK CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WHERE PUBLISHED = NOW', 'QUERY_WRONG_OPERATOR', 1, 45, 'NOW - 3 DAYS'],
  ['CREATE FEED f AS RETURN ALL WHERE "iceland"', 'QUERY_LONE_VALUE', 1, 35, 'ITEM CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WHERE SOURCE CATEGORY > 3', 'QUERY_WRONG_OPERATOR', 1, 51, 'SOURCE CATEGORY CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WHERE CATEGORY != "a" OR "b"', 'QUERY_LONE_VALUE', 1, 54, 'ITEM CONTAINS'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS "…"', 'QUERY_EMPTY_TEXT', 1, 50, 'one letter'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS "a" OR "!"', 'QUERY_EMPTY_TEXT', 1, 57, 'one letter'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS or', 'QUERY_RESERVED_WORD', 1, 50, '"or"'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE MATCHES "a"', 'QUERY_UNEXPECTED', 1, 49, '/a pattern/'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE MATCHES /a(b/', 'QUERY_BAD_REGEX', 1, 49, 'RE2'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE MATCHES /(?=a)b/', 'QUERY_BAD_REGEX', 1, 49, 'look-around'],
  ['CREATE FEED f AS RETURN ALL WHERE TITLE MATCHES /a/g', 'QUERY_BAD_REGEX', 1, 49, 'i'],
  ['CREATE FEED f AS RETURN ALL WHERE PUBLISHED > "yesterday"', 'QUERY_BAD_DATE', 1, 47, '3 DAYS AGO'],
  ['CREATE FEED f AS RETURN ALL WHERE PUBLISHED > 2023-02-29', 'QUERY_BAD_DATE', 1, 47, '2024-05-31'],
  ['CREATE FEED f AS RETURN ALL WHERE PUBLISHED > 3 DAYS', 'QUERY_UNFINISHED', 1, 53, 'AGO'],
  ['CREATE FEED f AS RETURN ALL WHERE PUBLISHED IN LAST 3 HUORS', 'QUERY_BAD_UNIT', 1, 55, 'Did you mean HOURS?'],
  ['CREATE FEED f AS RETURN ALL WHERE PUBLISHED IN LAST 3 MONTHS', 'QUERY_BAD_UNIT', 1, 55, 'WEEKS'],
  ['CREATE FEED f AS RETURN ALL WHERE LANGUAGE = "english!"', 'QUERY_BAD_LANGUAGE', 1, 46, '"en"'],
  // Sources, variables and joins
  ['REGISTER FEED "www.a.org" AS a', 'QUERY_BAD_URL', 1, 15, 'https://'],
  ['CREATE FEED f AS RETURN "guardian"', 'QUERY_BAD_URL', 1, 25, 'without quotes'],
  ['SUBSCRIBE TO top OUTPUT WEBHOOK "ftp://a.org"', 'QUERY_BAD_URL', 1, 33, 'https://'],
  ['SUBSCRIBE TO top OUTPUT MAIL "me"', 'QUERY_BAD_MAIL', 1, 30, 'me@example.org'],
  ['SUBSCRIBE TO top OUTPUT PIGEON "x"', 'QUERY_UNEXPECTED', 1, 25, 'WEBHOOK'],
  ['CREATE FEED f AS RETURN guardian AS $g WHERE $guardian[TITLE CONTAINS a]', 'QUERY_UNKNOWN_VARIABLE', 1, 46, 'AS'],
  ['CREATE FEED f AS RETURN guardian AS $news WHERE $nwes[TITLE CONTAINS a]', 'QUERY_UNKNOWN_VARIABLE', 1, 49, '$news'],
  ['CREATE FEED f AS RETURN guardian AS $a | nasa AS $a', 'QUERY_VARIABLE_TWICE', 1, 42, '(… | …) AS $a'],
  ['CREATE FEED f AS RETURN (guardian AS $a | nasa AS $a)', 'QUERY_VARIABLE_TWICE', 1, 43, 'its own'],
  ['CREATE FEED f AS RETURN (guardian | nasa) AS $a | top AS $a', 'QUERY_VARIABLE_TWICE', 1, 51, 'its own'],
  ['CREATE FEED f AS RETURN (guardian AS $b | nasa) AS $a', 'QUERY_VARIABLE_NESTED', 1, 26, 'not to both'],
  ['CREATE FEED f AS RETURN (guardian | nasa AS $a', 'QUERY_UNFINISHED', 1, 47, ')'],
  ['CREATE FEED f AS RETURN (guardian, nasa) AS $a', 'QUERY_UNEXPECTED', 1, 34, '|'],
  ['CREATE FEED f AS RETURN () AS $a', 'QUERY_UNEXPECTED', 1, 26, 'a source'],
  [`CREATE FEED f AS RETURN ${'('.repeat(300)}guardian`, 'QUERY_TOO_DEEP', 1, 225, '200'],
  ['CREATE FEED f AS RETURN (guardian | nsa) AS $a', 'QUERY_UNKNOWN_SOURCE', 1, 37, 'nasa'],
  [
    'CREATE FEED f AS RETURN top JOIN LAST 3 HOURS ON (nasa | guardian) WITH LINK = $w.LINK',
    'QUERY_UNEXPECTED',
    1,
    68,
    'AS $w',
  ],
  [
    'CREATE FEED f AS RETURN top JOIN LAST 3 HOURS ON (nasa | guardain) AS $w WITH LINK = $w.LINK',
    'QUERY_UNKNOWN_SOURCE',
    1,
    58,
    'guardian',
  ],
  [
    'CREATE FEED f AS RETURN guardian AS $a WHERE $a[TITLE CONTAINS x AND $a[TITLE CONTAINS y]]',
    'QUERY_VARIABLE_NESTED',
    1,
    70,
    'bracket',
  ],
  ['CREATE FEED f AS RETURN guardian AS $a WHERE $a.TITLE CONTAINS x', 'QUERY_UNEXPECTED', 1, 48, '$a[ITEM'],
  [
    'CREATE FEED f AS RETURN guardian JOIN LAST 3 HOURS ON nasa WITH LINK = $w.LINK',
    'QUERY_UNEXPECTED',
    1,
    60,
    'AS $w',
  ],
  [
    'CREATE FEED f AS RETURN guardian JOIN LAST 3 HOURS ON nasa AS $w WITH TITLE CONTAINS a',
    'QUERY_JOIN_UNBOUND',
    1,
    34,
    'SIMILAR',
  ],
  [
    'CREATE FEED f AS RETURN guardian JOIN LAST 3 HOURS ON nasa AS $w WITH LINK = $w.LINK WHERE $w[TITLE CONTAINS a]',
    'QUERY_JOIN_VARIABLE',
    1,
    92,
    'WITH',
  ],
  ['CREATE FEED f AS RETURN guardian AS $g WHERE LINK = $g.LINK', 'QUERY_JOIN_VARIABLE', 1, 46, 'JOIN'],
  [
    'CREATE FEED f AS RETURN guardian JOIN LAST 3 HOURS ON nasa AS $w WITH TITLE = $w.LINK',
    'QUERY_JOIN_FIELD',
    1,
    79,
    'TITLE = $w.TITLE',
  ],
  [
    'CREATE FEED f AS RETURN guardian JOIN LAST 3 HOURS ON nasa AS $w WITH TITLE SIMILAR $w.LINK',
    'QUERY_JOIN_FIELD',
    1,
    85,
    'texts',
  ],
  [
    'CREATE FEED f AS RETURN guardian JOIN LAST 3 HOURS ON nasa AS $w WITH $w[LINK = $w.LINK]',
    'QUERY_JOIN_VARIABLE',
    1,
    71,
    'out of the brackets',
  ],
  ['CREATE FEED f AS RETURN ALL ORDER BY SCORE(WEIGHT + SIMILARITY)', 'QUERY_SCORE_UNJOINED', 1, 53, 'JOIN'],
  [
    'CREATE FEED f AS RETURN ALL NOT JOINED LAST 3 ITEMS ON nasa AS $w WITH LINK = $w.LINK ORDER BY SCORE(SIMILARITY)',
    'QUERY_SCORE_UNJOINED',
    1,
    102,
    'JOIN',
  ],
  ['CREATE FEED f AS RETURN ALL ORDER BY SCORE', 'QUERY_UNFINISHED', 1, 43, '('],
  ['CREATE FEED f AS RETURN ALL ORDER BY SCORE(WEIHGT)', 'QUERY_UNEXPECTED', 1, 44, 'Did you mean WEIGHT?'],
  ['CREATE FEED f AS RETURN ALL ORDER BY SCORE(2 WEIGHT)', 'QUERY_UNEXPECTED', 1, 46, '*'],
  ['CREATE FEED f AS RETURN ALL ORDER BY SCORE(WEIGHT, FRESHNESS)', 'QUERY_UNEXPECTED', 1, 50, '+'],
  ['CREATE FEED f AS RETURN ALL ORDER BY SCORE(FRESHNESS 0 DAYS)', 'QUERY_BAD_NUMBER', 1, 44, ''],
  ['CREATE FEED f AS RETURN ALL ORDER BY SCORE(FRESHNESS 3 MOONS)', 'QUERY_BAD_UNIT', 1, 56, 'HOURS'],
  // Names
  ['CREATE FEED f AS RETURN guardain', 'QUERY_UNKNOWN_SOURCE', 1, 25, 'Did you mean guardian?'],
  ['CREATE FEED f AS RETURN xyz', 'QUERY_UNKNOWN_SOURCE', 1, 25, 'REGISTER FEED'],
  ['CREATE FEED f AS RETURN CATEGORY "Sience"', 'QUERY_UNKNOWN_CATEGORY', 1, 25, 'source list'],
  ['CREATE FEED f AS RETURN CATEGORY "New"', 'QUERY_UNKNOWN_CATEGORY', 1, 25, 'Did you mean news?'],
  ['DROP FEED tpo', 'QUERY_UNKNOWN_FEED', 1, 11, 'Did you mean top?'],
  ['SUBSCRIBE TO guardian OUTPUT FILE "x"', 'QUERY_UNKNOWN_FEED', 1, 14, 'query list'],
  ['CREATE FEED guardian AS RETURN ALL', 'QUERY_NAME_TAKEN', 1, 13, 'ALTER'],
  ['ALTER FEED guardian LIMIT 3', 'QUERY_WRONG_KIND', 1, 12, 'query feeds'],
  ['ALTER FEED top WEIGHT 3 CATEGORY "a"', 'QUERY_WRONG_KIND', 1, 12, 'registered'],
  ['ALTER FEED top AS RETURN best', 'QUERY_CYCLE', 1, 12, 'circle'],
  ['CREATE FEED a AS RETURN b;\nCREATE FEED b AS RETURN a | ALL', 'QUERY_CYCLE', 1, 13, 'circle'],
  ['CREATE FEED a AS RETURN a', 'QUERY_CYCLE', 1, 13, 'circle'],
  ['DROP FEED guardian', 'QUERY_FEED_IN_USE', 1, 11, 'first'],
]

function errorsOf(text: string): readonly QueryError[] {
  const parsed = parseStatements(text)
  return parsed.ok ? checkStatements(text, parsed.value, CATALOG) : parsed.errors
}

describe('wrong queries', () => {
  it.each(WRONG.map((row) => [row[0].length > 100 ? `${row[0].slice(0, 100)}…` : row[0], row] as const))(
    '%s',
    (_, row) => {
      const [text, code, line, column, hint] = row
      const [error] = errorsOf(text)
      expect(error).toMatchObject({ code, line, column })
      expect(error!.hint).toContain(hint)
      expect(error!.message).not.toBe('')
      const [excerptLine, caret] = error!.excerpt.split('\n')
      expect(caret!.trim()).toMatch(/^\^+$/)
      expect(caret!.length).toBeLessThanOrEqual(excerptLine!.length + 1)
    },
  )

  it('are more than sixty, and show every code', () => {
    expect(WRONG.length).toBeGreaterThanOrEqual(60)
    // Who may read what is not known here: test/access.
    const codes = new Set([...WRONG.map(([, code]) => code), 'QUERY_NOT_READABLE'])
    expect(Object.keys(QUERY_ERRORS).filter((code) => !codes.has(code as QueryErrorCode))).toEqual([])
  })

  it('show a cycle from its beginning to its end', () => {
    const [error] = errorsOf(
      'CREATE FEED a AS RETURN b;\nCREATE FEED b AS RETURN guardian | c;\nCREATE FEED c AS RETURN a',
    )
    expect(error!.message).toContain('a → b → c → a')
  })

  it('right ones have no errors', () => {
    const text = `CREATE FEED mine AS RETURN later | guardian; CREATE FEED later AS RETURN top | CATEGORY "news/science";
      ALTER FEED best AS RETURN mine; DROP FEED mine; CREATE FEED mine AS RETURN nasa; SUBSCRIBE TO best OUTPUT FILE "x"`
    expect(errorsOf(text.replace('DROP FEED mine; CREATE FEED mine AS RETURN nasa; ', ''))).toEqual([])
    expect(errorsOf(text)).toEqual([])
  })
})
