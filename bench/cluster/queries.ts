import type { FeedQuery } from '../../src/query/language/ast.ts'
import { parseStatements } from '../../src/query/language/parse.ts'
import { WORDS } from './sites.ts'

const FOLDERS = 4
const QUERIES = 20
/** Whose items go to a subscriber. */
export const SUBSCRIBED = 'q0'

export const nameOf = (feed: number) => `s${feed}`
export const feedFolder = (feed: number) => `Folder ${feed % FOLDERS}`

const word = (index: number) => `"${WORDS[index % WORDS.length]}"`

/** Filters over everything, folders, sources and other query feeds; some join, one is distinct. */
function bodyOf(index: number, feeds: number): string {
  const [a, b, c] = [word(index), word(index * 7 + 3), word(index * 5 + 1)]
  if (index % 10 === 7)
    return `RETURN CATEGORY "Folder ${index % FOLDERS}" AS $v
      JOIN LAST 20 ITEMS ON CATEGORY "Folder ${(index + 1) % FOLDERS}" AS $w WITH $v[TITLE SIMILAR $w.TITLE > 0.4]`
  if (index === 9) return `RETURN ALL WHERE TITLE CONTAINS ${a} DISTINCT BY TITLE LAST 30 ITEMS`
  switch (index % 5) {
    case 0:
      return `RETURN ALL WHERE TITLE CONTAINS ${a} AND (${b} OR NOT ${c})`
    case 1:
      return `RETURN CATEGORY "Folder ${index % FOLDERS}" WHERE TITLE CONTAINS ${a} OR ${b}`
    case 2:
      return `RETURN ${nameOf(index % feeds)} | ${nameOf((index * 3 + 1) % feeds)}`
    default:
      return `RETURN q${index - 3} WHERE NOT TITLE CONTAINS ${b}`
  }
}

export function queryTexts(feeds: number): string {
  const created = Array.from({ length: QUERIES }, (_, index) => `CREATE FEED q${index} AS ${bodyOf(index, feeds)};`)
  return created.join('\n')
}

export function parsedQueries(feeds: number): ReadonlyMap<string, FeedQuery> {
  const parsed = parseStatements(queryTexts(feeds))
  if (!parsed.ok) throw new Error('the queries of the bench are wrong')
  return new Map(
    parsed.value.flatMap((statement) =>
      statement.kind === 'create' && statement.query ? [[statement.feed.name, statement.query] as const] : [],
    ),
  )
}
