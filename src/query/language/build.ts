import { entryAt } from '../../model/entry-at.ts'
import type { Condition, Join } from './ast.ts'

/** AND of AND is one AND, and one condition needs none: so there is one way to say a thing. */
export function and(of: readonly Condition[]): Condition {
  return joined('and', of)
}

export function or(of: readonly Condition[]): Condition {
  return joined('or', of)
}

export function not(of: Condition): Condition {
  return { kind: 'not', of }
}

function joined(kind: 'and' | 'or', of: readonly Condition[]): Condition {
  const flat = of.flatMap((part) => (part.kind === kind ? part.of : [part]))
  const [only, second] = flat
  return only !== undefined && second === undefined ? only : { kind, of: flat }
}

/** The same without positions in the text: for comparing what queries mean. */
export function withoutPlaces<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withoutPlaces) as T
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => (key === 'at' ? [] : [[key, withoutPlaces(value)]])),
  ) as T
}

/** Of the feed that is joined, without the `$`. */
export function variableOf({ sources }: Join): string {
  return entryAt(sources, 0).variable!
}
