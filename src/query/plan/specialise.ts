import type { Join, QueryCondition } from '../language/ast.ts'
import { and, not, or, variableOf } from '../language/build.ts'

/**
 * What a condition says about items that come by one variable. A predicate of another variable is left out, as if it had
 * not been written: `$a[p] AND $b[q]` filters a with p and b with q (thesis 1.4.2: f = σ₁(s₁) ∪ σ₂(s₂)), and so does
 * `$a[p] OR $b[q]`. null: it says nothing, everything matches. What is said of a joined feed stays as it is.
 */
export function specialise(
  condition: QueryCondition,
  variable: string | null,
  joined: string | null = null,
): QueryCondition | null {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.of.flatMap((part) => specialise(part, variable, joined) ?? [])
      if (parts.length === 0) return null
      return condition.kind === 'and' ? and(parts) : or(parts)
    }
    case 'not': {
      const inner = specialise(condition.of, variable, joined)
      return inner === null ? null : not(inner)
    }
    case 'scoped':
      if (condition.variable === joined) return condition
      return condition.variable === variable ? specialise(condition.of, variable, joined) : null
    default:
      return condition
  }
}

/** null: the join compares nothing with items that come by this variable, and does not concern them. */
export function specialiseJoin(join: Join, variable: string | null): QueryCondition | null {
  const condition = specialise(join.condition, variable, variableOf(join))
  return condition !== null && compares(condition) ? condition : null
}

function compares(condition: QueryCondition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.of.some(compares)
    case 'not':
    case 'scoped':
      return compares(condition.of)
    default:
      return condition.kind === 'similar' || condition.kind === 'same'
  }
}
