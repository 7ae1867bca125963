type Column = Int32Array | Float64Array | Float32Array | Uint8Array

/** A longer copy of a column of numbers; what is new holds `fill`. */
export function growColumn<T extends Column>(column: T, length: number, fill = 0): T {
  const copy = new (column.constructor as new (length: number) => T)(length)
  if (fill !== 0) copy.fill(fill, column.length)
  copy.set(column)
  return copy
}
