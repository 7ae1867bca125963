import { pairHash, wordHash } from './word-scanner.ts'

/*
 * Which items of a block may have two words next to each other? A Bloom filter of the pairs of each item, stored by
 * columns: for each bit of the filters a slice with one bit per item. A phrase of common words so asks for a few slices
 * of each block instead of reading every item that has the words. It may say yes wrongly (one in a hundred or so), never
 * no.
 */

export const BLOCK_ITEMS = 1_024
export const SLICE_BYTES = BLOCK_ITEMS / 8
const BITS_PER_PAIR = 3
/** Bits per pair of the mean item: a fifth of them is then set, and one item in 150 fits by chance. */
const ROOM_BITS = 14
const LEAST_BITS = 256
const MOST_BITS = 32_768

/** Pairs of the items of one block, as they are read. */
export class BlockPairs {
  private readonly pairs: Int32Array[] = []
  private readonly indexes: number[] = []
  private total = 0

  /** `place`: of the item in its block. */
  add(index: number, hashes: Int32Array, count: number): void {
    const pairs = new Int32Array(Math.max(0, count - 1))
    for (let at = 0; at < pairs.length; at++) pairs[at] = pairHash(hashes[at]!, hashes[at + 1]!)
    this.pairs.push(pairs)
    this.indexes.push(index)
    this.total += pairs.length
  }

  /** All slices one after the other; their number is a power of two. */
  slices(): Uint8Array {
    const bits = bitsFor(this.total / Math.max(1, this.pairs.length))
    const slices = new Uint8Array(bits * SLICE_BYTES)
    for (const [index, pairs] of this.pairs.entries()) {
      const blockIndex = this.indexes[index]!
      const mask = 1 << (blockIndex & 7)
      for (const pair of pairs) {
        for (let turn = 0; turn < BITS_PER_PAIR; turn++) {
          const at = bitOf(pair, turn, bits) * SLICE_BYTES + (blockIndex >> 3)
          slices[at] = slices[at]! | mask
        }
      }
    }
    return slices
  }
}

function bitsFor(meanPairs: number): number {
  const exponent = Math.round(Math.log2(Math.max(1, meanPairs * ROOM_BITS)))
  return Math.max(LEAST_BITS, Math.min(MOST_BITS, 2 ** exponent))
}

function bitOf(pair: number, turn: number, bits: number): number {
  return (pair + Math.imul(turn, (pair >>> 17) | 1)) & (bits - 1)
}

/** Hashes of the pairs that a phrase must have; empty: it cannot be decided. */
export function pairHashes(words: readonly string[], endsInPrefix: boolean): readonly number[] {
  const whole = (endsInPrefix ? words.slice(0, -1) : words).map(wordHash)
  return whole.slice(1).map((hash, at) => pairHash(whole[at]!, hash))
}

/** Which bits the items with all of these pairs have, in filters of so many bits. */
export function bitsOf(pairs: readonly number[], bits: number): readonly number[] {
  const distinctBits = new Set<number>()
  for (const pair of pairs) for (let turn = 0; turn < BITS_PER_PAIR; turn++) distinctBits.add(bitOf(pair, turn, bits))
  return [...distinctBits]
}
