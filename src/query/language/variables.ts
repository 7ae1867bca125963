import { entryAt } from '../../model/entry-at.ts'
import { phrase } from '../../runtime/phrase.ts'
import type { FeedQuery, QueryCondition } from './ast.ts'
import { variableOf } from './build.ts'
import { QueryFailure, type TextSpan } from './errors.ts'
import { didYouMean } from './suggest.ts'

/** Every variable that a condition names belongs to a source, and a join compares its two feeds. Throws the first failure. */
export function checkVariables(query: FeedQuery): void {
  const main = new Set(query.sources.flatMap(({ variable }) => variable ?? []))
  const joined = new Set<string>()
  for (const join of query.joins) {
    const variable = variableOf(join)
    if (main.has(variable) || joined.has(variable)) throw twice(variable, entryAt(join.sources, 0).at)
    joined.add(variable)
  }
  if (query.where !== null) checkWhere(query.where, main, joined)
  checkScore(query)
  for (const join of query.joins) {
    const own = variableOf(join)
    const pairs = checkJoin(join.condition, main, own)
    if (pairs === 0)
      throw new QueryFailure('QUERY_JOIN_UNBOUND', join.at, phrase`The join compares nothing with $${own}`)
  }
}

/** NOT JOINED names no partner. */
function checkScore({ order, joins }: FeedQuery): void {
  const compared = order?.by === 'SCORE' ? order.terms.find(({ of }) => of === 'SIMILARITY') : undefined
  if (compared === undefined || joins.some(({ negated }) => !negated)) return
  throw new QueryFailure(
    'QUERY_SCORE_UNJOINED',
    compared.at,
    phrase`Nothing is joined that SIMILARITY could compare with`,
  )
}

function twice(variable: string, at: TextSpan): QueryFailure {
  return new QueryFailure('QUERY_VARIABLE_TWICE', at, phrase`$${variable} is the variable of another source`)
}

function unknown(variable: string, at: TextSpan, known: Iterable<string>): QueryFailure {
  const hint = didYouMean(
    `$${variable}`,
    [...known].map((name) => `$${name}`),
  )
  return new QueryFailure('QUERY_UNKNOWN_VARIABLE', at, phrase`No source is called $${variable}`, hint)
}

function checkWhere(condition: QueryCondition, main: ReadonlySet<string>, joined: ReadonlySet<string>): void {
  const { kind } = condition
  if (kind === 'and' || kind === 'or') for (const part of condition.of) checkWhere(part, main, joined)
  else if (kind === 'not') checkWhere(condition.of, main, joined)
  else if (kind === 'scoped') {
    const { variable, at, of } = condition
    if (joined.has(variable)) throw new QueryFailure('QUERY_JOIN_VARIABLE', at, phrase`$${variable} is the joined feed`)
    if (!main.has(variable)) throw unknown(variable, at, main)
    checkWhere(of, main, joined)
  } else if (kind === 'similar' || kind === 'same') {
    const { variable } = condition.other
    const known = main.has(variable) || joined.has(variable)
    if (!known) throw unknown(variable, condition.at, joined)
    throw new QueryFailure('QUERY_JOIN_VARIABLE', condition.at, phrase`$${variable} cannot be compared with in WHERE`)
  }
}

/** Returns how many predicates look at both items. */
function checkJoin(condition: QueryCondition, main: ReadonlySet<string>, own: string): number {
  const { kind } = condition
  if (kind === 'and' || kind === 'or') return condition.of.reduce((sum, part) => sum + checkJoin(part, main, own), 0)
  if (kind === 'not') return checkJoin(condition.of, main, own)
  if (kind === 'scoped') {
    const { variable, at, of } = condition
    if (variable !== own && !main.has(variable)) throw unknown(variable, at, [...main, own])
    const pairs = checkJoin(of, main, own)
    if (variable !== own || pairs === 0) return pairs
    throw new QueryFailure(
      'QUERY_JOIN_VARIABLE',
      at,
      phrase`$${own} cannot be compared with itself`,
      phrase`Take the comparison out of the brackets.`,
    )
  }
  if (kind !== 'similar' && kind !== 'same') return 0
  if (condition.other.variable !== own) throw unknown(condition.other.variable, condition.at, [own])
  return 1
}
