import type { Shard } from '../model/index.ts'
import type { ProcessId } from './lease-store.ts'

/**
 * Which member shall own which of so many shards: for each the one with the highest weight, a hash of both. All members come
 * to the same answer without a word. When one goes, its shards alone move, spread over the others; a newcomer takes about
 * 1/n, a few from each. Without members nobody owns anything.
 */
export function assignShards(members: Iterable<ProcessId>, shards: number): readonly ProcessId[] {
  const seeds = [...new Set(members)].sort().map((id) => ({ id, seed: hashOf(id) }))
  if (seeds.length === 0) return []
  return Array.from({ length: shards }, (_, shard) => heaviest(seeds, shard))
}

interface Candidate {
  readonly id: ProcessId
  readonly seed: number
}

/** Of equal weights the first by id. */
function heaviest(candidates: readonly Candidate[], shard: Shard): ProcessId {
  let best = ''
  let most = -1
  for (const { id, seed } of candidates) {
    const weight = mixed(seed ^ mixed(shard + 1))
    if (weight <= most) continue
    best = id
    most = weight
  }
  return best
}

/** FNV-1a of the UTF-16 units; 32 bits. Members of two neighbouring versions must agree, so it must never change. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixed(hash)
}

/** The finaliser of MurmurHash3: every bit of the number moves half of the bits of the result. */
function mixed(number: number): number {
  let h = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
