import { AND, endOfPart, KIND, LEAF_WORDS, MASK_ALL, MASK_SHIFT, NEGATED, OR, TERM } from './program.ts'
import type { TermTable } from './terms.ts'

/** A query is evaluated only when the present item has one of its keys. */
export interface CoverKey {
  readonly term: number
  readonly mask: number
  /** The key alone makes the query true. */
  readonly sure: boolean
  /** Another term that must be present too; 0: none. */
  readonly guard: number
}

export interface Cover {
  readonly keys: readonly CoverKey[]
  /** Expected number of looks per item. */
  readonly cost: number
}

/**
 * The cheapest set of keys such that no item without any of them can satisfy the program; null: there is none, the query
 * must be evaluated for every item. One part of an AND is enough, the rarest; an OR needs a key for each part.
 */
export function coverOf(data: Int32Array, at: number, terms: TermTable, sure = true): Cover | null {
  const head = data[at] ?? 0
  const kind = head & KIND
  if (kind === AND) return coverOfAnd(data, at, terms)
  if (kind === OR) return coverOfOr(data, at, terms, sure)
  if (kind !== TERM || (head & NEGATED) !== 0) return null
  const term = data[at + 1] ?? 0
  return { keys: [{ term, mask: (head >> MASK_SHIFT) & MASK_ALL, sure, guard: 0 }], cost: terms.likelihood(term) }
}

function coverOfOr(data: Int32Array, at: number, terms: TermTable, sure: boolean): Cover | null {
  const end = endOfPart(data, at)
  const keys: CoverKey[] = []
  let cost = 0
  for (let part = at + LEAF_WORDS; part < end; part = endOfPart(data, part)) {
    const cover = coverOf(data, part, terms, sure)
    if (cover === null) return null
    keys.push(...cover.keys)
    cost += cover.cost
  }
  return { keys, cost }
}

function coverOfAnd(data: Int32Array, at: number, terms: TermTable): Cover | null {
  const end = endOfPart(data, at)
  let best: Cover | null = null
  let bestPart = -1
  for (let part = at + LEAF_WORDS; part < end; part = endOfPart(data, part)) {
    const cover = coverOf(data, part, terms, false)
    if (cover !== null && (best === null || cover.cost < best.cost)) {
      best = cover
      bestPart = part
    }
  }
  return best === null ? null : withGuard(best, rarestOther(data, at, bestPart, terms))
}

/** The rarest plain term among the other parts of an AND: looking whether it is there costs almost nothing. */
function rarestOther(data: Int32Array, at: number, except: number, terms: TermTable): number {
  const end = endOfPart(data, at)
  let rarest = 0
  let least = Number.POSITIVE_INFINITY
  for (let part = at + LEAF_WORDS; part < end; part = endOfPart(data, part)) {
    if (part === except || ((data[part] ?? 0) & (KIND | NEGATED)) !== TERM) continue
    // An item may come by a feed that it is found to be in only later.
    if (terms.isFeedName(data[part + 1] ?? 0)) continue
    const likelihood = terms.likelihood(data[part + 1] ?? 0)
    if (likelihood < least) {
      least = likelihood
      rarest = data[part + 1] ?? 0
    }
  }
  return rarest
}

function withGuard(cover: Cover, guard: number): Cover {
  if (guard === 0) return cover
  return { ...cover, keys: cover.keys.map((key) => (key.guard === 0 ? { ...key, guard } : key)) }
}

export function costOfKeys(keys: readonly CoverKey[], terms: TermTable): number {
  return keys.reduce((sum, { term }) => sum + terms.likelihood(term), 0)
}
