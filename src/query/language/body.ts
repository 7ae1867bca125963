import { DAY_MS, type DurationMs } from '../../model/index.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { phrase } from '../../runtime/phrase.ts'
import type {
  Distinct,
  FeedQuery,
  Fulltext,
  ItemOrigin,
  Join,
  Order,
  ScoreTerm,
  SourceRef,
  WindowClause,
} from './ast.ts'
import { readCondition } from './conditions.ts'
import type { TokenCursor } from './cursor.ts'
import { QueryFailure, type TextSpan } from './errors.ts'
import { readDuration } from './times.ts'

const CLAUSES = ['JOIN', 'NOT', 'WHERE', 'DISTINCT', 'ORDER', 'FULLTEXT']
const DEFAULT_DISTINCT_WINDOW: WindowClause = { kind: 'time', lengthMs: 30 * DAY_MS }
const DEFAULT_DISTINCT_SIMILARITY = 0.8
const MOST_WINDOW_ITEMS = 1_000_000
const MOST_SOURCES = 10_000
const DEEPEST = 200
const MOST_TERMS = 20
const MOST_FACTOR = 1_000

/** `RETURN … [JOIN …] [WHERE …] [DISTINCT BY …] [ORDER BY …] [FULLTEXT …]` */
export function readBody(cursor: TokenCursor): FeedQuery {
  cursor.expect('RETURN')
  const sources = readSources(cursor)
  const joins: Join[] = []
  while (cursor.at('JOIN') || (cursor.at('NOT') && cursor.next.upper === 'JOINED')) joins.push(readJoin(cursor))
  const where = cursor.take('WHERE') ? readCondition(cursor) : null
  const distinct = cursor.take('DISTINCT') ? readDistinct(cursor) : null
  const order = cursor.take('ORDER') ? readOrder(cursor) : null
  const fulltext = cursor.take('FULLTEXT') ? readFulltext(cursor) : null
  refuseMisplaced(cursor, {
    JOIN: joins.length > 0,
    WHERE: where !== null,
    DISTINCT: distinct !== null,
    ORDER: order !== null,
    FULLTEXT: fulltext !== null,
  })
  return { sources, joins, where, distinct, order, ...(fulltext && { fulltext }) }
}

const LONGEST_WAIT_MS: DurationMs = DAY_MS

/** `[FETCH] [WAIT 10 MINUTES]` */
function readFulltext(cursor: TokenCursor): Fulltext {
  const fetchesPages = cursor.take('FETCH') !== null
  if (!cursor.take('WAIT')) return { fetchesPages, waitMs: null }
  const { token } = cursor
  const waitMs = readDuration(cursor)
  if (waitMs > 0 && waitMs <= LONGEST_WAIT_MS) return { fetchesPages, waitMs }
  throw new QueryFailure('QUERY_BAD_NUMBER', token, phrase`An item waits for its page for some time, up to a day`)
}

function refuseMisplaced(cursor: TokenCursor, present: Readonly<Record<string, boolean>>): void {
  if (!cursor.at(...CLAUSES)) return
  const { token } = cursor
  const clause = token.upper === 'NOT' ? 'JOIN' : token.upper
  const twice = present[clause] === true && clause !== 'JOIN'
  if (twice)
    throw new QueryFailure(
      'QUERY_CLAUSE_TWICE',
      token,
      phrase`There is a ${clause} already`,
      clause === 'WHERE' ? phrase`Join the conditions with AND.` : undefined,
    )
  throw new QueryFailure('QUERY_CLAUSE_ORDER', token, phrase`${token.upper} comes too late`)
}

function readSources(cursor: TokenCursor): readonly SourceRef[] {
  const union = new UnionReader(cursor)
  const sources = union.parts()
  if (cursor.take(',')) cursor.fail(['|'], phrase`Sources are joined with |.`)
  return sources
}

/** `a | (b | c) AS $v`; parentheses without AS mean nothing. */
class UnionReader {
  private readonly cursor: TokenCursor
  private readonly variables = new Set<string>()
  private depth = 0
  private count = 0

  constructor(cursor: TokenCursor) {
    this.cursor = cursor
  }

  parts(): SourceRef[] {
    const sources = this.part()
    while (this.cursor.take('|')) sources.push(...this.part())
    return sources
  }

  part(): SourceRef[] {
    const { cursor } = this
    const start = cursor.token
    if (!cursor.take('(')) return [this.source()]
    this.depth += 1
    if (this.depth > DEEPEST) {
      throw new QueryFailure('QUERY_TOO_DEEP', start, phrase`More than ${DEEPEST} levels of parentheses`)
    }
    const sources = this.parts()
    this.depth -= 1
    if (!cursor.take(')')) cursor.fail(['|', ')'])
    const at = cursor.spanFrom(start)
    const variable = this.variable(at)
    return variable === null ? sources : sources.map((source) => withVariable(source, variable))
  }

  private source(): SourceRef {
    const { cursor } = this
    const start = cursor.token
    const origin = readOrigin(cursor)
    const at = cursor.spanFrom(start)
    this.count += 1
    if (this.count > MOST_SOURCES) {
      throw new QueryFailure(
        'QUERY_TOO_LONG',
        at,
        phrase`More than ${MOST_SOURCES} sources`,
        phrase`Put them in a category.`,
      )
    }
    return { origin, variable: this.variable(at), at }
  }

  private variable(at: TextSpan): string | null {
    if (!this.cursor.take('AS')) return null
    const variable = this.cursor.expectKind('variable', phrase`a variable such as $v`).value
    if (this.variables.has(variable)) {
      const hint = phrase`Give each its own, or one to all of them: (… | …) AS $${variable}.`
      throw new QueryFailure('QUERY_VARIABLE_TWICE', at, phrase`$${variable} is the variable of another source`, hint)
    }
    this.variables.add(variable)
    return variable
  }
}

function withVariable(source: SourceRef, variable: string): SourceRef {
  if (source.variable === null) return { ...source, variable }
  throw new QueryFailure(
    'QUERY_VARIABLE_NESTED',
    source.at,
    phrase`$${source.variable} is inside the union $${variable}`,
    phrase`Give a variable to the union or to its parts, not to both.`,
  )
}

function readOrigin(cursor: TokenCursor): ItemOrigin {
  const { token } = cursor
  if (token.kind === 'string') {
    cursor.advance()
    return { kind: 'url', url: checkedUrl(token.value, token) }
  }
  if (cursor.take('ALL')) {
    if (cursor.at('SOURCES', 'FEEDS')) cursor.advance()
    return { kind: 'all' }
  }
  if (cursor.at('CATEGORY') && cursor.next.kind === 'string') {
    cursor.advance()
    return { kind: 'category', category: checkedCategory(cursor) }
  }
  return { kind: 'name', name: cursor.name(phrase`a source: "an address", a name, CATEGORY "…" or ALL`).name }
}

export function checkedCategory(cursor: TokenCursor): string {
  const token = cursor.expectKind('string', phrase`a category in quotes`)
  if (token.value.trim() === '') throw new QueryFailure('QUERY_EMPTY_TEXT', token, phrase`A category without a name`)
  return token.value.trim()
}

export function checkedUrl(text: string, at: TextSpan): string {
  const url = text.trim()
  if (/^https?:\/\/[^\s/?#]+/i.test(url) && parseUrl(url) !== null) return url
  throw new QueryFailure('QUERY_BAD_URL', at, phrase`“${text}” is not an http or https address`)
}

/** `JOIN LAST 3 HOURS ON source AS $w WITH condition`, `NOT JOINED LAST …` */
function readJoin(cursor: TokenCursor): Join {
  const start = cursor.token
  const negated = cursor.take('NOT') !== null
  cursor.expect(negated ? 'JOINED' : 'JOIN')
  const window = readWindow(cursor)
  cursor.expect('ON')
  const sources = new UnionReader(cursor).part()
  const variables = new Set(sources.map(({ variable }) => variable))
  if (variables.size > 1 || variables.has(null)) cursor.fail(['AS'], phrase`The joined feed needs a variable: AS $w.`)
  cursor.expect('WITH')
  return { negated, window, sources, condition: readCondition(cursor), at: { start: start.start, end: start.end } }
}

/** `LAST 3 HOURS` or `LAST 100 ITEMS` */
function readWindow(cursor: TokenCursor): WindowClause {
  cursor.expect('LAST')
  const { next } = cursor
  if (cursor.token.kind === 'number' && (next.upper === 'ITEMS' || next.upper === 'ITEM')) {
    const count = cursor.number(phrase`a number of items`, 1, MOST_WINDOW_ITEMS, true)
    cursor.advance()
    return { kind: 'items', count }
  }
  return { kind: 'time', lengthMs: readDuration(cursor) }
}

function readDistinct(cursor: TokenCursor): Distinct {
  cursor.expect('BY')
  const by = cursor.expectOne(['LINK', 'TITLE', 'SIMILAR'])
  let threshold: number | null = null
  if (by === 'SIMILAR') {
    threshold = cursor.take('>') ? cursor.number(phrase`a similarity`, 0, 0.99, false) : DEFAULT_DISTINCT_SIMILARITY
  }
  return { by, threshold, window: cursor.at('LAST') ? readWindow(cursor) : DEFAULT_DISTINCT_WINDOW }
}

function readOrder(cursor: TokenCursor): Order {
  cursor.expect('BY')
  const by = cursor.expectOne(['PUBLISHED', 'FETCHED', 'SOURCE', 'WEIGHT', 'SCORE'])
  const terms = by === 'SCORE' ? readScore(cursor) : []
  // The best first, unless somebody wants it otherwise.
  const descending = by === 'SCORE' ? !cursor.at('ASC') : cursor.at('DESC')
  if (cursor.at('ASC', 'DESC')) cursor.advance()
  return by === 'SCORE' ? { by, terms, descending } : { by, descending }
}

/** `(2 * WEIGHT + FRESHNESS 12 HOURS + SIMILARITY)` */
function readScore(cursor: TokenCursor): ScoreTerm[] {
  cursor.expect('(')
  const first = readScoreTerm(cursor)
  const terms = [first]
  while (cursor.take('+')) terms.push(readScoreTerm(cursor))
  if (!cursor.take(')')) cursor.fail(['+', ')'])
  if (terms.length > MOST_TERMS)
    throw new QueryFailure('QUERY_TOO_LONG', first.at, phrase`More than ${MOST_TERMS} terms`)
  return terms
}

function readScoreTerm(cursor: TokenCursor): ScoreTerm {
  const start = cursor.token
  const isWeighed = start.kind === 'number'
  const factor = isWeighed ? cursor.number(phrase`a factor`, 0, MOST_FACTOR, false) : 1
  if (isWeighed) cursor.expect('*')
  const of = cursor.expectOne(['WEIGHT', 'SIMILARITY', 'FRESHNESS'])
  const hasHalfLife = of === 'FRESHNESS' && cursor.token.kind === 'number'
  const halfLifeMs = hasHalfLife ? readDuration(cursor) : of === 'FRESHNESS' ? DAY_MS : null
  const at = cursor.spanFrom(start)
  if (halfLifeMs === 0)
    throw new QueryFailure('QUERY_BAD_NUMBER', at, phrase`FRESHNESS halves in some time, not at once`)
  return { factor, of, halfLifeMs, at }
}
