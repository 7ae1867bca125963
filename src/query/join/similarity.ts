import { words } from '../../store/text/fold.ts'

/** The words of a text, each once, in an order that is the same for all texts: long words, which are rare, first. */
export function wordSet(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap(words))].sort(byRarity)
}

function byRarity(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** Words in both, divided by words in either (Jaccard); 0 where one of the texts has none. */
export function similarity(a: readonly string[], b: readonly string[]): number {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const order = byRarity(a[i]!, b[j]!)
    if (order === 0) shared += 1
    if (order <= 0) i += 1
    if (order >= 0) j += 1
  }
  return shared === 0 ? 0 : shared / (a.length + b.length - shared)
}

/**
 * Two sets that are more alike than the threshold share one of their first so many words, whatever the order of words is
 * (prefix filtering: with less than ⌈t·n⌉ words left, the rest cannot make up for a beginning that has none in common).
 */
export function prefixLength(size: number, threshold: number): number {
  return size - Math.max(1, Math.ceil(threshold * size)) + 1
}

/** Whether sets of these sizes can be more alike than the threshold at all. */
export function sizesFit(a: number, b: number, threshold: number): boolean {
  return Math.min(a, b) > threshold * Math.max(a, b)
}
