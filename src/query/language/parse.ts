import { phrase } from '../../runtime/phrase.ts'
import type { CreateFeed, FeedQuery, QueryStatement } from './ast.ts'
import { readBody } from './body.ts'
import { readCondition } from './conditions.ts'
import { TokenCursor, tokenText } from './cursor.ts'
import { describeFailure, type QueryError, QueryFailure, type TextSpan } from './errors.ts'
import { atStatement, readStatement } from './statements.ts'
import { didYouMean } from './suggest.ts'
import { tokenize } from './tokens.ts'
import { checkVariables } from './variables.ts'

/** What a text means, or all that is wrong with it. */
export type ParseOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly QueryError[] }

const LONGEST_TEXT = 1_000_000
const MOST_ERRORS = 20

/** All statements of a text; after an error it goes on behind the next semicolon, so that several are reported at once. */
export function parseStatements(text: string): ParseOutcome<readonly QueryStatement[]> {
  const errors: QueryError[] = []
  const statements: QueryStatement[] = []
  const cursor = cursorOver(text, errors)
  while (cursor !== null && errors.length < MOST_ERRORS) {
    while (cursor.take(';')) {}
    if (cursor.ended) break
    const statement = attempt(text, errors, () => {
      const read = readStatement(cursor)
      endStatement(cursor)
      if ((read.kind === 'create' || read.kind === 'alter') && read.query) checkVariables(read.query)
      return read
    })
    if (statement === null) cursor.skipStatement()
    else statements.push(statement)
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: statements }
}

/**
 * One query: `CREATE FEED name AS RETURN …`, `RETURN …` alone, or just a condition (`WHERE` may stand before it), which
 * then filters all sources.
 */
export function parseQuery(text: string): ParseOutcome<FeedQuery> {
  const errors: QueryError[] = []
  const cursor = cursorOver(text, errors)
  const query = cursor && attempt(text, errors, () => readQuery(cursor))
  return query === null ? { ok: false, errors } : { ok: true, value: query }
}

function readQuery(cursor: TokenCursor): FeedQuery {
  let query: FeedQuery
  if (cursor.at('RETURN')) query = readBody(cursor)
  else if (cursor.at('CREATE') && cursor.next.upper === 'FEED') query = (readStatement(cursor) as CreateFeed).query
  else query = overAll(cursor)
  cursor.take(';')
  if (!cursor.ended) endStatement(cursor)
  checkVariables(query)
  return query
}

function overAll(cursor: TokenCursor): FeedQuery {
  const at = { start: cursor.token.start, end: cursor.token.start }
  cursor.take('WHERE')
  const where = readCondition(cursor)
  return { sources: [{ origin: { kind: 'all' }, variable: null, at }], joins: [], where, distinct: null, order: null }
}

function endStatement(cursor: TokenCursor): void {
  if (cursor.ended || cursor.take(';')) return
  const { token } = cursor
  if (atStatement(cursor))
    throw new QueryFailure('QUERY_MISSING_SEMICOLON', token, phrase`Expected ; before ${token.upper}`)
  if (token.kind !== 'string' && token.kind !== 'word') cursor.fail([';'])
  const clause =
    token.kind === 'word' ? didYouMean(token.value, ['WHERE', 'JOIN', 'DISTINCT', 'ORDER', 'FULLTEXT']) : undefined
  const hint = clause ?? phrase`Put several words in "quotes", or join them with AND or OR.`
  throw new QueryFailure(
    'QUERY_UNEXPECTED',
    token,
    phrase`Expected the end of the statement, found ${tokenText(token)}`,
    hint,
  )
}

function cursorOver(text: string, errors: QueryError[]): TokenCursor | null {
  return attempt(text, errors, () => {
    const whole: TextSpan = { start: 0, end: 1 }
    if (text.length > LONGEST_TEXT)
      throw new QueryFailure('QUERY_TOO_LONG', whole, phrase`More than ${LONGEST_TEXT} characters`)
    return new TokenCursor(tokenize(text))
  })
}

function attempt<T>(text: string, errors: QueryError[], read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof QueryFailure)) throw error
    errors.push(describeFailure(text, error))
    return null
  }
}
