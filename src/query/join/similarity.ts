/** Words in both, divided by words in either (Jaccard); 0 where one of the texts has none. */
export function similarity(shared: number, sizeA: number, sizeB: number): number {
  return shared === 0 ? 0 : shared / (sizeA + sizeB - shared)
}

/**
 * Whatever is more alike than the threshold to a set of n words holds more than t·n of them, so it holds one of any
 * n − ⌊t·n⌋ (prefix filtering, Chaudhuri 2006): only so many need to be looked up, and the rarest will do.
 */
export function wordsToLookUp(size: number, threshold: number): number {
  const atLeastShared = Math.floor(threshold * size - ROUNDING)
  return size - Math.max(0, atLeastShared)
}

/** One word more is looked up rather than one too few. */
const ROUNDING = 1e-9

/** Whether sets of these sizes can be more alike than the threshold at all. Divides as `similarity` does. */
export function sizesFit(a: number, b: number, threshold: number): boolean {
  return Math.min(a, b) / Math.max(a, b) > threshold
}
