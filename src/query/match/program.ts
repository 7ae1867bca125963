import { MASK_BITS } from '../item/texts.ts'

/*
 * An expression as numbers, in a record of the pool:
 *
 *   TERM   kind | negated << 2 | mask << 3, term
 *   TEST   kind | negated << 2,             test
 *   AND    kind, numbers up to its end, its parts …
 *   OR     the same
 */
export const TERM = 0
export const TEST = 1
export const AND = 2
export const OR = 3

export const KIND = 3
export const NEGATED = 4
export const MASK_SHIFT = 3
export const LEAF_WORDS = 2
export const MASK_ALL = (1 << MASK_BITS) - 1

/** Where the part that begins here ends. */
export function endOfPart(data: Int32Array, at: number): number {
  return at + (((data[at] ?? 0) & KIND) < AND ? LEAF_WORDS : (data[at + 1] ?? 0))
}

/** Calls back for every leaf. */
export function eachLeaf(data: Int32Array, from: number, to: number, visit: (head: number, id: number) => void): void {
  for (let at = from; at < to; at += LEAF_WORDS) {
    if (((data[at] ?? 0) & KIND) < AND) visit(data[at] ?? 0, data[at + 1] ?? 0)
  }
}
