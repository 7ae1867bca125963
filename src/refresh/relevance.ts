/** One way in which a source's items are wanted: by whom, and which share of them. */
export interface Wanted {
  /** Selectivity, 0 to 1; 1 for a feed that shows the source as it is. */
  readonly share: number
  /** How many read the result; 1 where nobody counts. */
  readonly readers: number
}

/**
 * How much of a source's divergence matters (thesis 2.1, Definition 2.1.3): the share of its items that at least one query
 * wants, each item once however many queries overlap, taking the queries to be independent where only their selectivities
 * are known; times the mean number of readers of a wanted item, by its logarithm, since ten readers of a feed must not
 * take all from the one of another. Never below `floor`: what archiving asks for.
 */
export function relevance(wanted: readonly Wanted[], floor: number): number {
  let unwanted = 1
  let readers = 0
  let shares = 0
  for (const { share, readers: count } of wanted) {
    const clamped = Math.min(1, Math.max(0, share))
    unwanted *= 1 - clamped
    readers += clamped * Math.max(1, count)
    shares += clamped
  }
  if (shares === 0) return floor
  return Math.max(floor, (1 - unwanted) * (1 + Math.log2(readers / shares)))
}
