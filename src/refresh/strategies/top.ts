import type { CycleSource } from '../strategy.ts'

/** A source with what it is worth. */
export interface Ranked<Memory> {
  readonly source: CycleSource<Memory>
  readonly value: number
  /** Second key, smaller first. */
  readonly tie: number
}

/**
 * top_b: the sources of highest value until the budget is spent; with equal costs exactly b of them. Ties by the second
 * key, then by id, so that every form of a strategy breaks them alike. A fractional budget is rounded up.
 */
export function topWithin<Memory>(ranked: readonly Ranked<Memory>[], budget: number): CycleSource<Memory>[] {
  const chosen: CycleSource<Memory>[] = []
  let spent = 0
  for (const { source } of firstInOrder(ranked, budget)) {
    if (spent >= budget) break
    chosen.push(source)
    spent += source.facts.cost
  }
  return chosen
}

function inOrder<Memory>(a: Ranked<Memory>, b: Ranked<Memory>): number {
  return b.value - a.value || a.tie - b.tie || a.source.facts.id - b.source.facts.id
}

/** Up to so many are kept in order one by one; sorting all of a collection for the best ten is what a cycle spends most on. */
const FEW = 64

/** At least as many of the first ones as the budget pays for, in order. */
function firstInOrder<Memory>(ranked: readonly Ranked<Memory>[], budget: number): readonly Ranked<Memory>[] {
  if (ranked.length < 2) return ranked
  const few = Math.ceil(budget) + 1
  if (!(few <= FEW) || ranked.some(({ source }) => source.facts.cost !== 1)) return ranked.toSorted(inOrder)
  const first: Ranked<Memory>[] = []
  for (const each of ranked) {
    if (first.length === few && inOrder(first[few - 1]!, each) < 0) continue
    let place = first.length === few ? few - 1 : first.length
    for (; place > 0 && inOrder(each, first[place - 1]!) < 0; place--) first[place] = first[place - 1]!
    first[place] = each
  }
  return first
}

export function costOf<Memory>(sources: readonly CycleSource<Memory>[]): number {
  let cost = 0
  for (const { facts } of sources) cost += facts.cost
  return cost
}
