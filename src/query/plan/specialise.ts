import type { Condition } from '../language/ast.ts'
import { and, not, or } from '../language/build.ts'

/**
 * What a condition says about items that come by one variable. A predicate of another variable is left out, as if it had
 * not been written: `$a[p] AND $b[q]` filters a with p and b with q (thesis 1.4.2: f = σ₁(s₁) ∪ σ₂(s₂)), and so does
 * `$a[p] OR $b[q]`. null: it says nothing, everything is kept.
 */
export function specialise(condition: Condition, variable: string | null): Condition | null {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.of.flatMap((part) => specialise(part, variable) ?? [])
      if (parts.length === 0) return null
      return condition.kind === 'and' ? and(parts) : or(parts)
    }
    case 'not': {
      const inner = specialise(condition.of, variable)
      return inner === null ? null : not(inner)
    }
    case 'scoped':
      return condition.variable === variable ? specialise(condition.of, variable) : null
    default:
      return condition
  }
}
