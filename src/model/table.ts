/** A table that is looked up by words from outside: an object has `constructor`, `__proto__` and others that nobody put in. */
export function tableOf<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, entries)
}
