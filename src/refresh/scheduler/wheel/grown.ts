/** A longer copy of a column; what is new holds `fill`. */
export function grown<Column extends Int32Array | Float64Array>(column: Column, capacity: number, fill = 0): Column {
  const copy = column instanceof Int32Array ? new Int32Array(capacity) : new Float64Array(capacity)
  if (fill !== 0) copy.fill(fill, column.length)
  copy.set(column)
  return copy as Column
}
