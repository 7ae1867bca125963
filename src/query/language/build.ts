import { entryAt } from '../../model/entry-at.ts'
import type { Join, QueryCondition } from './ast.ts'

/** AND of AND is one AND, and one condition needs none: so there is one way to say a thing. */
export function and(of: readonly QueryCondition[]): QueryCondition {
  return joined('and', of)
}

export function or(of: readonly QueryCondition[]): QueryCondition {
  return joined('or', of)
}

export function not(of: QueryCondition): QueryCondition {
  return { kind: 'not', of }
}

function joined(kind: 'and' | 'or', of: readonly QueryCondition[]): QueryCondition {
  const flat = of.flatMap((part) => (part.kind === kind ? part.of : [part]))
  const [only, second] = flat
  return only !== undefined && second === undefined ? only : { kind, of: flat }
}

/** The same without positions in the text: for comparing what queries mean. */
export function withoutPositions<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withoutPositions) as T
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => (key === 'at' ? [] : [[key, withoutPositions(value)]])),
  ) as T
}

/** Of the feed that is joined, without the `$`. */
export function variableOf({ sources }: Join): string {
  return entryAt(sources, 0).variable!
}
