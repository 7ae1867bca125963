import type { QueryField } from './ast.ts'

type Use = 'contains' | 'equals' | 'matches' | 'compare' | 'count' | 'similar' | 'same'

/** Which comparisons each field has. */
const FIELDS: Readonly<Record<QueryField, readonly Use[]>> = {
  TITLE: ['contains', 'equals', 'matches', 'count', 'similar', 'same'],
  DESCRIPTION: ['contains', 'equals', 'matches', 'count', 'similar'],
  CONTENT: ['contains', 'equals', 'matches', 'count', 'similar'],
  ITEM: ['contains', 'matches', 'count', 'similar'],
  CATEGORY: ['contains', 'equals', 'matches', 'count', 'same'],
  AUTHOR: ['contains', 'equals', 'matches', 'count', 'same'],
  LINK: ['contains', 'equals', 'matches', 'same'],
  LANGUAGE: ['equals', 'same'],
  SOURCE: ['contains', 'equals', 'matches', 'same'],
  'SOURCE CATEGORY': ['contains', 'equals', 'matches', 'count', 'same'],
  PUBLISHED: ['compare'],
  ENCLOSURE: ['equals', 'matches', 'count'],
}

export const FIELD_NAMES = Object.keys(FIELDS) as readonly QueryField[]

export function isField(upper: string): upper is QueryField {
  return Object.hasOwn(FIELDS, upper)
}

export function can<U extends Use>(field: QueryField, use: U): boolean {
  return FIELDS[field].includes(use)
}

const WORDING: Readonly<Record<Use, (field: QueryField) => string>> = {
  contains: (field) => `${field} CONTAINS "…"`,
  equals: (field) => `${field} = "…"`,
  matches: (field) => `${field} MATCHES /…/`,
  compare: (field) => `${field} > "2024-05-31"`,
  count: (field) => `COUNT(${field}) > 1`,
  similar: (field) => `${field} SIMILAR $w.${field} > 0.6`,
  same: (field) => `${field} = $w.${field}`,
}

/** For hints: `LANGUAGE = "…"`. */
export function usesOf(field: QueryField): string {
  return FIELDS[field].map((use) => WORDING[use](field)).join(', ')
}
