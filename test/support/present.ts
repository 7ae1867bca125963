/** What must be there; a test without it ends here. */
export function present<T>(value: T | null | undefined, what = 'what the test needs'): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`)
  return value
}

/** The first of a list that must not be empty. */
export function first<T>(list: readonly T[]): T {
  return present(list[0], 'the first of an empty list')
}
