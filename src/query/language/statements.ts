import { phrase } from '../../runtime/phrase.ts'
import type {
  AlterFeed,
  CreateFeed,
  DropFeed,
  Output,
  QueryStatement,
  RegisterFeed,
  Subscribe,
  Unsubscribe,
} from './ast.ts'
import { checkedCategory, checkedUrl, readBody } from './body.ts'
import type { TokenCursor } from './cursor.ts'
import { QueryFailure } from './errors.ts'
import { didYouMean } from './suggest.ts'
import { readDuration } from './times.ts'

const MOST_ITEMS = 100_000
const LEAST_WEIGHT = 0.001
const MOST_WEIGHT = 1_000_000
const MAIL = /^[^\s@"<>]+@[^\s@"<>]+$/

const STATEMENTS: Readonly<Record<string, (cursor: TokenCursor) => QueryStatement>> = {
  REGISTER: register,
  CREATE: create,
  ALTER: alter,
  DROP: drop,
  SUBSCRIBE: subscribe,
  UNSUBSCRIBE: unsubscribe,
}
const STATEMENT_NAMES = Object.keys(STATEMENTS)

export function atStatement(cursor: TokenCursor): boolean {
  return cursor.at(...STATEMENT_NAMES)
}

export function readStatement(cursor: TokenCursor): QueryStatement {
  const { token } = cursor
  const read = token.kind === 'word' && Object.hasOwn(STATEMENTS, token.upper) ? STATEMENTS[token.upper] : undefined
  if (read === undefined) {
    const hint = token.kind === 'word' ? didYouMean(token.value, STATEMENT_NAMES) : undefined
    throw new QueryFailure('QUERY_UNKNOWN_STATEMENT', token, phrase`No statement begins like this`, hint)
  }
  cursor.advance()
  return read(cursor)
}

function register(cursor: TokenCursor): RegisterFeed {
  cursor.expect('FEED')
  const token = cursor.expectKind('string', phrase`an address in quotes`)
  const url = checkedUrl(token.value, token)
  cursor.expect('AS')
  const feed = cursor.name(phrase`a name for the feed`)
  let category: string | null = null
  let weight: number | null = null
  while (cursor.at('CATEGORY', 'WEIGHT')) {
    const clause = cursor.advance()
    const value = clause.upper === 'CATEGORY' ? category : weight
    if (value !== null) throw new QueryFailure('QUERY_CLAUSE_TWICE', clause, phrase`There is a ${clause.upper} already`)
    if (clause.upper === 'CATEGORY') category = checkedCategory(cursor)
    else weight = cursor.number(phrase`a weight`, LEAST_WEIGHT, MOST_WEIGHT, false)
  }
  return { kind: 'register', url, feed, category, weight }
}

function create(cursor: TokenCursor): CreateFeed {
  cursor.expect('FEED')
  const feed = cursor.name(phrase`a name for the feed`)
  let title: string | null = null
  let limit: number | null = null
  while (cursor.at('TITLE', 'LIMIT')) {
    const clause = cursor.advance()
    const value = clause.upper === 'TITLE' ? title : limit
    if (value !== null) throw new QueryFailure('QUERY_CLAUSE_TWICE', clause, phrase`There is a ${clause.upper} already`)
    if (clause.upper === 'TITLE') title = cursor.expectKind('string', phrase`a title in quotes`).value
    else limit = cursor.number(phrase`a number of items`, 1, MOST_ITEMS, true)
  }
  if (!cursor.at('AS')) cursor.fail(title === null && limit === null ? ['AS', 'TITLE', 'LIMIT'] : ['AS'])
  cursor.advance()
  return { kind: 'create', feed, title, limit, query: readBody(cursor) }
}

type Changes = { -readonly [K in keyof Omit<AlterFeed, 'kind' | 'feed'>]: AlterFeed[K] }

function alter(cursor: TokenCursor): AlterFeed {
  cursor.expect('FEED')
  const feed = cursor.name(phrase`the name of a feed`)
  const changes: Changes = {}
  while (cursor.at('TITLE', 'LIMIT', 'CATEGORY', 'WEIGHT')) {
    const clause = cursor.advance()
    const key = clause.upper.toLowerCase() as 'title' | 'limit' | 'category' | 'weight'
    if (changes[key] !== undefined) {
      throw new QueryFailure('QUERY_CLAUSE_TWICE', clause, phrase`There is a ${clause.upper} already`)
    }
    if (key === 'weight') changes.weight = cursor.number(phrase`a weight`, LEAST_WEIGHT, MOST_WEIGHT, false)
    else if (cursor.take('NONE')) changes[key] = null
    else if (key === 'title') changes.title = cursor.expectKind('string', phrase`a title in quotes`).value
    else if (key === 'limit') changes.limit = cursor.number(phrase`a number of items`, 1, MOST_ITEMS, true)
    else changes.category = checkedCategory(cursor)
  }
  if (cursor.take('AS')) changes.query = readBody(cursor)
  if (Object.keys(changes).length === 0) {
    throw new QueryFailure('QUERY_NOTHING_TO_ALTER', cursor.token, phrase`Nothing is said to change ${feed.name}`)
  }
  return { kind: 'alter', feed, ...changes }
}

function drop(cursor: TokenCursor): DropFeed {
  cursor.expect('FEED')
  return { kind: 'drop', feed: cursor.name(phrase`the name of a feed`) }
}

function subscribe(cursor: TokenCursor): Subscribe {
  cursor.expect('TO')
  const feed = cursor.name(phrase`the name of a feed`)
  cursor.expect('OUTPUT')
  const output = readOutput(cursor)
  const everyMs = cursor.take('EVERY') ? readDuration(cursor) : null
  if (everyMs === null) cursor.take('IMMEDIATELY')
  return { kind: 'subscribe', feed, output, everyMs: everyMs === 0 ? null : everyMs }
}

function unsubscribe(cursor: TokenCursor): Unsubscribe {
  cursor.expect('FROM')
  const feed = cursor.name(phrase`the name of a feed`)
  return { kind: 'unsubscribe', feed, output: cursor.take('OUTPUT') ? readOutput(cursor) : null }
}

function readOutput(cursor: TokenCursor): Output {
  const kind = cursor.expectOne(['WEBHOOK', 'FILE', 'MAIL'])
  if (kind === 'WEBHOOK') {
    const token = cursor.expectKind('string', phrase`an address in quotes`)
    return { kind: 'webhook', url: checkedUrl(token.value, token) }
  }
  if (kind === 'FILE') {
    const token = cursor.expectKind('string', phrase`a path in quotes`)
    if (token.value.trim() === '') throw new QueryFailure('QUERY_EMPTY_TEXT', token, phrase`A file without a path`)
    return { kind: 'file', path: token.value }
  }
  const token = cursor.expectKind('string', phrase`a mail address in quotes`)
  if (!MAIL.test(token.value))
    throw new QueryFailure('QUERY_BAD_MAIL', token, phrase`“${token.value}” is not a mail address`)
  return { kind: 'mail', address: token.value }
}
