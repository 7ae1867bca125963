/** The entry of a list that must be there; where it is not, the list or the place was made wrongly. */
export function entryAt<T>(list: ArrayLike<T | undefined>, index: number): T {
  const entry = list[index]
  if (entry === undefined) throw new RangeError(`no entry ${index} in a list of ${list.length}`)
  return entry
}

/** Likewise of a map. */
export function valueAt<Key extends string | number, T>(map: ReadonlyMap<Key, T>, key: Key): T {
  const entry = map.get(key)
  if (entry === undefined) throw new RangeError(`no entry ${key} in a map of ${map.size}`)
  return entry
}

/** Likewise of a plain object. */
export function propertyAt<T>(record: Readonly<Record<string, T>>, key: string): T {
  const value = record[key]
  if (value === undefined) throw new RangeError(`no property ${key} beside ${Object.keys(record).join(', ')}`)
  return value
}
