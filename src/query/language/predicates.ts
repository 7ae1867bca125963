import { phrase } from '../../runtime/phrase.ts'
import { words } from '../../store/text/fold.ts'
import type {
  ComparisonOperator,
  CountedField,
  ItemPredicate,
  Predicate,
  QueryField,
  SharedField,
  TextField,
} from './ast.ts'
import type { TokenCursor } from './cursor.ts'
import { QueryFailure, type TextSpan } from './errors.ts'
import { can, FIELD_NAMES, isField, usesOf } from './fields.ts'
import { patternProblem } from './patterns.ts'
import { didYouMean } from './suggest.ts'
import { readDuration, readMoment } from './times.ts'
import type { Token } from './tokens.ts'

const COMPARISONS = ['=', '<', '<=', '>', '>=']
const LANGUAGE_TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i
const DEFAULT_SIMILARITY = 0.6
const MOST_VALUES = 1_000

/** `negated` for !=, NOT IN, NOT CONTAINS, NOT MATCHES; `again` makes the same predicate of a text that stands alone. */
export interface ReadPredicate {
  readonly predicate: Predicate
  readonly negated: boolean
  readonly again: Again | null
}

export type Again = (text: string, at: Token) => ItemPredicate

export function readPredicate(cursor: TokenCursor): ReadPredicate {
  const start = cursor.token
  if (cursor.at('COUNT') && cursor.next.value === '(') return plain(count(cursor, start))
  const field = readField(cursor)
  const negated = cursor.take('NOT') !== null
  const read = readComparison(cursor, field, start)
  return { ...read, negated: negated !== read.negated }
}

function readField(cursor: TokenCursor): QueryField {
  const { token } = cursor
  if (token.kind !== 'word')
    return cursor.fail([phrase`a predicate`], phrase`Write for example ITEM CONTAINS "iceland".`)
  if (isField(token.upper)) {
    cursor.advance()
    // The only field of two words: CATEGORY alone is the item's.
    return token.upper === 'SOURCE' && cursor.take('CATEGORY') ? 'SOURCE CATEGORY' : token.upper
  }
  throw new QueryFailure(
    'QUERY_UNKNOWN_FIELD',
    token,
    phrase`There is no field ${token.value}`,
    didYouMean(token.value, FIELD_NAMES),
  )
}

function readComparison(cursor: TokenCursor, field: QueryField, start: Token): ReadPredicate {
  const operator = cursor.token
  const name = operator.kind === 'word' ? operator.upper : operator.value
  if (field === 'PUBLISHED') return published(cursor, start)
  switch (operator.kind === 'word' || operator.kind === 'sign' ? name : '') {
    case 'CONTAINS':
      return contains(cursor, allowed(field, 'contains', operator), start)
    case '=':
    case '!=':
    case '<>':
      return equals(cursor, field, start)
    case 'IN':
      return plain(isIn(cursor, allowed(field, 'equals', operator), start))
    case 'MATCHES':
      return plain(matches(cursor, allowed(field, 'matches', operator), start))
    case 'SIMILAR':
      return plain(similar(cursor, allowed(field, 'similar', operator) as TextField, start))
    default:
      throw noSuchComparison(field, operator)
  }
}

function noSuchComparison(field: QueryField, operator: Token): QueryFailure {
  const signs = operator.kind === 'sign' && COMPARISONS.includes(operator.value)
  if (signs) return wrongOperator(field, operator)
  if (operator.kind === 'end') {
    return new QueryFailure(
      'QUERY_UNFINISHED',
      operator,
      phrase`The text ends after ${field}; expected a comparison`,
      phrase`Write ${usesOf(field)}.`,
    )
  }
  const similar =
    operator.kind === 'word' ? didYouMean(operator.value, ['CONTAINS', 'MATCHES', 'SIMILAR', 'IN']) : undefined
  const operatorText = operator.kind === 'string' ? `"${operator.value}"` : operator.value
  return new QueryFailure(
    'QUERY_UNKNOWN_OPERATOR',
    operator,
    phrase`${field} cannot be followed by ${operatorText}`,
    similar ?? phrase`Write ${usesOf(field)}.`,
  )
}

function wrongOperator(field: QueryField, operator: Token): QueryFailure {
  const name = operator.kind === 'word' ? operator.upper : operator.value
  return new QueryFailure(
    'QUERY_WRONG_OPERATOR',
    operator,
    phrase`${field} knows no ${name}`,
    phrase`Write ${usesOf(field)}.`,
  )
}

function allowed<F extends QueryField>(field: F, use: Parameters<typeof can>[1], operator: Token): F {
  if (!can(field, use)) throw wrongOperator(field, operator)
  return field
}

function contains(cursor: TokenCursor, field: QueryField, start: Token): ReadPredicate {
  cursor.expect('CONTAINS')
  const stemmed = cursor.take('STEMMED') !== null
  const first = cursor.token
  const make = (text: string, at: TextSpan): ItemPredicate => ({
    kind: 'contains',
    field: field as Extract<ItemPredicate, { kind: 'contains' }>['field'],
    text: wordsOf(text, at),
    stemmed,
    at,
  })
  const text = cursor.text(phrase`a word or "a phrase"`)
  wordsOf(text, first)
  return { predicate: make(text, cursor.spanFrom(start)), negated: false, again: make }
}

function wordsOf(text: string, at: TextSpan): string {
  if (words(text).length > 0) return text
  throw new QueryFailure('QUERY_EMPTY_TEXT', at, phrase`“${text}” holds no word to look for`)
}

function equals(cursor: TokenCursor, field: QueryField, start: Token): ReadPredicate {
  const operator = cursor.advance()
  if (cursor.token.kind === 'variable')
    return { ...plain(same(cursor, field, operator, start)), negated: operator.value !== '=' }
  const equal = allowed(field, 'equals', operator) as EqualField
  const make = (text: string, at: TextSpan): ItemPredicate => ({ kind: 'equals', field: equal, values: [text], at })
  const value = readValue(cursor, equal)
  const predicate = make(value, cursor.spanFrom(start))
  if (operator.value !== '=') return { predicate, negated: true, again: null }
  return { predicate, negated: false, again: (text, at) => make(checkedValue(text, equal, at), at) }
}

type EqualField = Extract<ItemPredicate, { kind: 'equals' }>['field']

function readValue(cursor: TokenCursor, field: EqualField): string {
  const { token } = cursor
  return checkedValue(cursor.text(phrase`a value of ${field}`), field, token)
}

function checkedValue(value: string, field: EqualField, at: TextSpan): string {
  if (value.trim() === '')
    throw new QueryFailure('QUERY_EMPTY_TEXT', at, phrase`${field} cannot be compared with nothing`)
  if (field === 'LANGUAGE' && !LANGUAGE_TAG.test(value)) {
    throw new QueryFailure('QUERY_BAD_LANGUAGE', at, phrase`“${value}” is not a language tag`)
  }
  return value
}

function isIn(cursor: TokenCursor, field: QueryField, start: Token): Predicate {
  cursor.expect('IN')
  cursor.expect('(')
  const values = [readValue(cursor, field as EqualField)]
  while (cursor.take(',')) values.push(readValue(cursor, field as EqualField))
  if (!cursor.take(')')) cursor.fail([',', ')'])
  const at = cursor.spanFrom(start)
  if (values.length > MOST_VALUES) throw new QueryFailure('QUERY_TOO_LONG', at, phrase`More than ${MOST_VALUES} values`)
  return { kind: 'equals', field: field as EqualField, values, at }
}

function matches(cursor: TokenCursor, field: QueryField, start: Token): Predicate {
  cursor.expect('MATCHES')
  const token = cursor.expectKind('regex', phrase`/a pattern/`)
  const unknown = token.flags.replace('i', '')
  if (unknown !== '') {
    throw new QueryFailure(
      'QUERY_BAD_REGEX',
      token,
      phrase`Unknown flag ${unknown}`,
      phrase`There is only i: /pattern/i ignores case.`,
    )
  }
  const problem = token.value === '' ? phrase`it is empty` : patternProblem(token.value)
  if (problem !== null) throw new QueryFailure('QUERY_BAD_REGEX', token, phrase`The pattern cannot be used: ${problem}`)
  const ignoreCase = token.flags === 'i'
  type MatchField = Extract<ItemPredicate, { kind: 'matches' }>['field']
  return { kind: 'matches', field: field as MatchField, pattern: token.value, ignoreCase, at: cursor.spanFrom(start) }
}

function published(cursor: TokenCursor, start: Token): ReadPredicate {
  const operator = cursor.token
  if (cursor.take('IN')) {
    cursor.expect('LAST')
    const since = { kind: 'relative', agoMs: readDuration(cursor) } as const
    return plain({ kind: 'published', comparison: '>=', moment: since, at: cursor.spanFrom(start) })
  }
  const negated = cursor.atSign('!=', '<>')
  if (!negated && !cursor.atSign(...COMPARISONS)) {
    throw operator.kind === 'word' && ['CONTAINS', 'MATCHES', 'SIMILAR'].includes(operator.upper)
      ? wrongOperator('PUBLISHED', operator)
      : noSuchComparison('PUBLISHED', operator)
  }
  cursor.advance()
  const comparison = negated ? '=' : (operator.value as ComparisonOperator)
  const when = readMoment(cursor)
  if (when.kind === 'relative' && comparison === '=') {
    throw new QueryFailure(
      'QUERY_WRONG_OPERATOR',
      operator,
      phrase`No item is published at exactly that moment`,
      phrase`Write PUBLISHED >= NOW - 3 DAYS.`,
    )
  }
  return { ...plain({ kind: 'published', comparison, moment: when, at: cursor.spanFrom(start) }), negated }
}

/** `COUNT(ENCLOSURE) > 1` */
function count(cursor: TokenCursor, start: Token): Predicate {
  cursor.expect('COUNT')
  cursor.expect('(')
  const at = cursor.token
  const field = readField(cursor)
  if (!can(field, 'count')) {
    throw new QueryFailure(
      'QUERY_WRONG_OPERATOR',
      at,
      phrase`${field} cannot be counted`,
      phrase`Write ${usesOf(field)}.`,
    )
  }
  cursor.expect(')')
  if (!cursor.atSign(...COMPARISONS)) cursor.fail(COMPARISONS)
  const comparison = cursor.advance().value as ComparisonOperator
  const number = cursor.number(phrase`a count`, 0, 1_000_000, true)
  return { kind: 'count', field: field as CountedField, comparison, number, at: cursor.spanFrom(start) }
}

/** `TITLE SIMILAR $w.TITLE > 0.6` */
function similar(cursor: TokenCursor, field: TextField, start: Token): Predicate {
  cursor.expect('SIMILAR')
  const token = cursor.token
  const other = fieldOf(cursor)
  if (!can(other.field, 'similar')) {
    throw new QueryFailure(
      'QUERY_JOIN_FIELD',
      token,
      phrase`${field} and ${other.field} cannot be alike`,
      phrase`Compare texts: TITLE, DESCRIPTION, CONTENT or ITEM.`,
    )
  }
  const isStrict = cursor.take('>') !== null
  const threshold = isStrict ? cursor.number(phrase`a similarity`, 0, 0.99, false) : DEFAULT_SIMILARITY
  return { kind: 'similar', field, other, threshold, at: cursor.spanFrom(start) }
}

/** `LINK = $w.LINK` */
function same(cursor: TokenCursor, field: QueryField, operator: Token, start: Token): Predicate {
  const token = cursor.token
  const other = fieldOf(cursor)
  allowed(field, 'same', operator)
  if (other.field !== field) {
    throw new QueryFailure(
      'QUERY_JOIN_FIELD',
      token,
      phrase`${field} cannot equal ${other.field}`,
      phrase`Write ${field} = $${other.variable}.${field}.`,
    )
  }
  return { kind: 'same', field: field as SharedField, other, at: cursor.spanFrom(start) }
}

function fieldOf(cursor: TokenCursor): { readonly variable: string; readonly field: QueryField } {
  const variable = cursor.expectKind('variable', phrase`a variable with a field, such as $w.TITLE`).value
  cursor.expect('.')
  return { variable, field: readField(cursor) }
}

function plain(predicate: Predicate): ReadPredicate {
  return { predicate, negated: false, again: null }
}
