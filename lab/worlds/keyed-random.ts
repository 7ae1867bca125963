import { entryAt } from '../../src/model/entry-at.ts'
import type { Random } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'

/**
 * A stream of numbers that belongs to a place (seed, feed, slot …) instead of to a history: a call for the same
 * place gets the same numbers, so a world can begin at any moment without replaying what came before.
 */
export function keyedRandom(seed: number, ...path: readonly number[]): Random {
  let hash = scramble(seed | 0)
  for (const part of path) {
    // Slot numbers may exceed 32 bits; both halves count.
    hash = scramble(hash ^ (part | 0))
    hash = scramble(hash + Math.floor(part / 0x1_0000_0000))
  }
  const random = seededRandom(hash)
  // xorshift128+ starts from a sparse state, whose first outputs are plain functions of the seed.
  for (let i = 0; i < 4; i++) random()
  return random
}

/** A number for a word, so that an item key can be a place too (FNV-1a). */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Poisson-distributed count; by products of uniforms, hence only for small means. */
export function poissonCount(mean: number, random: Random): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count++
  return count
}

export function pick<T>(list: readonly T[], random: Random): T {
  return entryAt(list, Math.floor(random() * list.length))
}

/** One of the names, as often as its share says. */
export function pickByShare<T extends string>(shares: Readonly<Record<T, number>>, random: Random): T {
  const names = Object.keys(shares) as T[]
  let remaining = random() * names.reduce((sum, name) => sum + shares[name], 0)
  for (const name of names) {
    remaining -= shares[name]
    if (remaining < 0) return name
  }
  return names.at(-1)!
}

// Finaliser of murmur3: every input bit changes every output bit with probability one half.
function scramble(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) + 0x9e3779b9
}
