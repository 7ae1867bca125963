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

/**
 * How many of the words that were looked up a set of `b` words must hold to be more alike to one of `a` words than the
 * threshold; at least 1. It shares more than t·(a + b)/(1 + t) words, and no more than the others of `a` can be among those
 * that were not looked up (positional filtering, Xiao 2008): most sets that share a word or two need not be compared.
 * Infinity: sets of these sizes can never be so alike.
 */
export function neededHits(a: number, b: number, threshold: number): number {
  if (!sizesFit(a, b, threshold)) return Number.POSITIVE_INFINITY
  const leastShared = Math.floor((threshold * (a + b)) / (1 + threshold) - ROUNDING) + 1
  return Math.max(1, wordsToLookUp(a, threshold) - (a - leastShared))
}

/** One word more is looked up, or one set more compared, rather than one too few. */
const ROUNDING = 1e-9

/** Whether sets of these sizes can be more alike than the threshold at all. Divides as `similarity` does. */
export function sizesFit(a: number, b: number, threshold: number): boolean {
  return Math.min(a, b) / Math.max(a, b) > threshold
}
