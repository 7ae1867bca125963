import type { DurationMs, InstantMs } from '../../src/model/index.ts'

export interface WindowSizeRow {
  readonly size: number
  readonly sources: number
  readonly share: number
}

/** Publication window sizes of a collection (thesis 5.1: 10 in 27 % of feeds; 15, 20 and 25 common), commonest first. */
export function windowSizes(sizes: readonly number[]): readonly WindowSizeRow[] {
  const counts = new Map<number, number>()
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1)
  return [...counts]
    .map(([size, sources]) => ({ size, sources, share: sources / sizes.length }))
    .sort((a, b) => b.sources - a.sources || a.size - b.size)
}

/** Share of sources whose window was not always of one size (thesis 5.1: around 25 %). */
export function changingWindows(sizesPerSource: readonly (readonly number[])[]): number {
  const nonEmpty = sizesPerSource.filter((sizes) => sizes.length > 0)
  return nonEmpty.length > 0 ? nonEmpty.filter((sizes) => new Set(sizes).size > 1).length / nonEmpty.length : 0
}

/**
 * The most items a source published in any stretch of this length: the window it takes to lose nothing when refreshed
 * that often, wherever the refreshes fall. Equal times count each.
 */
export function neededWindow(times: ArrayLike<InstantMs>, everyMs: DurationMs): number {
  let most = 0
  let first = 0
  for (let last = 0; last < times.length; last++) {
    while ((times[last] ?? 0) - (times[first] ?? 0) >= everyMs) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}
