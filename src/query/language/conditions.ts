import { phrase } from '../../runtime/phrase.ts'
import type { QueryCondition } from './ast.ts'
import { and, not, or } from './build.ts'
import type { TokenCursor } from './cursor.ts'
import { QueryFailure } from './errors.ts'
import { type Again, readPredicate } from './predicates.ts'

const DEEPEST = 200
const MOST_PREDICATES = 10_000

/** NOT binds closer than AND, AND closer than OR. */
export function readCondition(cursor: TokenCursor): QueryCondition {
  return new ConditionReader(cursor).disjunction()
}

class ConditionReader {
  private readonly cursor: TokenCursor
  private depth = 0
  private predicates = 0
  private variable: string | null = null
  /** What a text that stands alone means: the field and comparison last written (2010 paper, section 2). */
  private again: Again | null = null

  constructor(cursor: TokenCursor) {
    this.cursor = cursor
  }

  disjunction(): QueryCondition {
    const parts = [this.conjunction()]
    while (this.cursor.take('OR')) parts.push(this.conjunction())
    return or(parts)
  }

  private conjunction(): QueryCondition {
    const parts = [this.negation()]
    while (this.cursor.take('AND')) parts.push(this.negation())
    return and(parts)
  }

  private negation(): QueryCondition {
    if (!this.cursor.take('NOT')) return this.primary()
    return this.nested(() => not(this.negation()))
  }

  private primary(): QueryCondition {
    const { cursor } = this
    if (cursor.take('(')) {
      const inner = this.nested(() => this.disjunction())
      this.close(')')
      return inner
    }
    if (cursor.token.kind === 'variable') return this.scoped()
    if (cursor.token.kind === 'string') return this.loneText()
    return this.predicate()
  }

  /** `$v[…]` */
  private scoped(): QueryCondition {
    const { cursor } = this
    const token = cursor.advance()
    if (this.variable !== null) {
      throw new QueryFailure(
        'QUERY_VARIABLE_NESTED',
        token,
        phrase`$${token.value} is inside the brackets of $${this.variable}`,
      )
    }
    if (!cursor.atSign('[')) cursor.fail(['['], phrase`Write $${token.value}[ITEM CONTAINS "…"].`)
    cursor.advance()
    this.variable = token.value
    this.again = null
    const of = this.nested(() => this.disjunction())
    this.close(']')
    this.variable = null
    this.again = null
    return { kind: 'scoped', variable: token.value, of, at: { start: token.start, end: token.end } }
  }

  private loneText(): QueryCondition {
    const { cursor, again } = this
    const token = cursor.token
    if (again === null) throw new QueryFailure('QUERY_LONE_VALUE', token, phrase`“${token.value}” has no field`)
    this.counted()
    cursor.advance()
    return again(token.value, token)
  }

  private predicate(): QueryCondition {
    this.counted()
    const { predicate, negated, again } = readPredicate(this.cursor)
    this.again = negated ? null : again
    return negated ? not(predicate) : predicate
  }

  private close(sign: string): void {
    if (!this.cursor.take(sign)) this.cursor.fail(['AND', 'OR', sign])
  }

  private counted(): void {
    this.predicates += 1
    if (this.predicates > MOST_PREDICATES) {
      throw new QueryFailure(
        'QUERY_TOO_LONG',
        this.cursor.token,
        phrase`More than ${MOST_PREDICATES} predicates in one condition`,
      )
    }
  }

  private nested(read: () => QueryCondition): QueryCondition {
    this.depth += 1
    if (this.depth > DEEPEST) {
      throw new QueryFailure('QUERY_TOO_DEEP', this.cursor.token, phrase`More than ${DEEPEST} levels of parentheses`)
    }
    const condition = read()
    this.depth -= 1
    return condition
  }
}
