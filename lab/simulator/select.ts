/**
 * The value that would be at this place if all were in order, by Hoare's selection: half a million delays are not sorted
 * for two of them. They are left in another order, none below `place` above it: a caller that needs a later place next may
 * say from where on. No value may be NaN.
 */
export function selectRank(values: Float64Array, rank: number, from = 0): number {
  let low = from
  let high = values.length - 1
  while (low < high) {
    const pivot = medianOf(values[low] ?? 0, values[(low + high) >>> 1] ?? 0, values[high] ?? 0)
    let left = low
    let right = high
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left++
      while ((values[right] ?? 0) > pivot) right--
      if (left > right) break
      const value = values[left] ?? 0
      values[left++] = values[right] ?? 0
      values[right--] = value
    }
    if (rank <= right) high = right
    else if (rank >= left) low = left
    else break
  }
  return values[rank] ?? 0
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
