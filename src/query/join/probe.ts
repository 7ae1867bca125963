import type { PairPredicate, QueryCondition, SharedField } from '../language/ast.ts'

/**
 * Comparisons of which one must hold for the condition to hold: the window is looked up by them. null: there are none,
 * and every item of the window must be compared.
 */
export function probesOf(condition: QueryCondition): readonly PairPredicate[] | null {
  switch (condition.kind) {
    case 'similar':
    case 'same':
      return [condition]
    case 'or': {
      const parts = condition.of.map(probesOf)
      const known = parts.filter((part) => part !== null)
      return known.length < parts.length ? null : known.flat()
    }
    case 'and': {
      const parts = condition.of.map(probesOf).filter((part) => part !== null)
      // Links and titles find less than words do.
      return parts.sort((a, b) => costOf(a) - costOf(b))[0] ?? null
    }
    default:
      return null
  }
}

const COST: Readonly<Record<SharedField, number>> = {
  LINK: 1,
  TITLE: 1,
  AUTHOR: 20,
  CATEGORY: 50,
  SOURCE: 500,
  // All items of all sources that are filed together.
  'SOURCE CATEGORY': 2_000,
  LANGUAGE: 5_000,
}
const COST_OF_WORDS = 5

function costOf(probes: readonly PairPredicate[]): number {
  return probes.reduce((sum, pair) => sum + (pair.kind === 'same' ? COST[pair.field] : COST_OF_WORDS), 0)
}
