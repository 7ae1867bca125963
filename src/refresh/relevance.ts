/** One way in which a source's items are wanted: which share of them, and by whom. */
export interface ItemDemand {
  /** Selectivity, 0 to 1; 1 for a feed that shows the source as it is. */
  readonly share: number
  /** What the query counts, against 1 of others. */
  readonly weight: number
  /** Names of those who get what it keeps: one who gets an item through several queries is one reader of it. */
  readonly readers: readonly string[]
  /** How many a name stands for, where it is not one. */
  readonly crowds?: ReadonlyMap<string, number>
}

/**
 * What the number of readers makes of an item: by its logarithm, since ten readers of a feed must not take all from the one
 * of another; or linear, as SCC07's weights are meant (Definition 2): each reader counts alike.
 */
export type ReaderWeight = 'logarithm' | 'linear'

/**
 * How much of a source's divergence matters (thesis 2.1, Definition 2.1.3): each item counts once however many queries
 * overlap, with the weight of the most important one that wants it, taking the queries to be independent where only their
 * selectivities are known; times what its readers count. Never below `floor`: what archiving asks for.
 */
export function relevance(demands: readonly ItemDemand[], floor: number, by: ReaderWeight = 'logarithm'): number {
  const leastFirst = demands.filter(({ share }) => share > 0).sort((a, b) => a.weight - b.weight)
  // Of what the queries up to here want, this one takes its share, for it is the more important.
  let sum = 0
  const missed = new Map<string, number>()
  let readersOfLesser = 0
  for (const { share, weight, readers, crowds } of leastFirst) {
    let own = 0
    for (const reader of readers) own += (crowds?.get(reader) ?? 1) * (missed.get(reader) ?? 1)
    // Its own readers get each of its items, those of the lesser ones by chance.
    const heads = Math.max(1, readersOfLesser + own)
    const worth = weight * (by === 'linear' ? heads : 1 + Math.log2(heads))
    const part = Math.min(1, share)
    sum += part * (worth - sum)
    for (const reader of readers) missed.set(reader, (missed.get(reader) ?? 1) * (1 - part))
    readersOfLesser += part * own
  }
  return Math.max(floor, sum)
}
