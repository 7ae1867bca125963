/** As SQLite gives it, and as PostgreSQL does. */
export type FlagColumn = number | boolean

export function isSet(flag: FlagColumn): boolean {
  return flag === 1 || flag === true
}

/** Of texts: JSON (NULL: empty) in SQLite, an array in PostgreSQL. */
export type ListColumn = string | null | readonly string[]

export function listOf(column: ListColumn): readonly string[] {
  if (column === null) return NONE
  return typeof column === 'string' ? (JSON.parse(column) as string[]) : column
}

const NONE: readonly string[] = []
