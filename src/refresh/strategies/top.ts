import type { CycleSource } from '../strategy.ts'

interface Ranked<Memory> {
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
  const inOrder = ranked.toSorted((a, b) => b.value - a.value || a.tie - b.tie || a.source.facts.id - b.source.facts.id)
  const chosen: CycleSource<Memory>[] = []
  let spent = 0
  for (const { source } of inOrder) {
    if (spent >= budget) break
    chosen.push(source)
    spent += source.facts.cost
  }
  return chosen
}

export function costOf<Memory>(sources: readonly CycleSource<Memory>[]): number {
  let cost = 0
  for (const { facts } of sources) cost += facts.cost
  return cost
}
