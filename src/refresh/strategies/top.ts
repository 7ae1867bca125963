import type { CycleSource } from '../strategy.ts'

/** A source with what it is worth. */
export interface RankedSource<Memory> {
  readonly source: CycleSource<Memory>
  readonly value: number
  /** Second key, smaller first. */
  readonly tie: number
}

/**
 * top_b: the sources of highest value until the budget is spent; with equal costs exactly b of them. Ties by the second
 * key, then by id, so that every form of a strategy breaks them alike. A fractional budget is rounded up.
 */
export function topWithin<Memory>(ranked: readonly RankedSource<Memory>[], budget: number): CycleSource<Memory>[] {
  const chosen: CycleSource<Memory>[] = []
  let spent = 0
  for (const { source } of firstInOrder(ranked, budget)) {
    if (spent >= budget) break
    chosen.push(source)
    spent += source.facts.cost
  }
  return chosen
}

/**
 * The same of all sources that are worth anything, by value and id: most cycles take a few of many, and nothing is made of
 * those that cannot be among them.
 */
export function topByValue<Memory>(
  sources: readonly CycleSource<Memory>[],
  worthOf: (source: CycleSource<Memory>) => number,
  budget: number,
): CycleSource<Memory>[] {
  const few = Math.ceil(budget)
  const chosen: RankedSource<Memory>[] = []
  for (const source of sources) {
    if (!(few <= FEW) || source.facts.cost !== 1) return topWithin(worthAnything(sources, worthOf), budget)
    const value = worthOf(source)
    const last = chosen.length === few ? chosen[few - 1] : undefined
    if (!(value > 0) || few < 1 || (last !== undefined && value < last.value)) continue
    putInOrder(chosen, { source, value, tie: 0 }, few)
  }
  return chosen.map(({ source }) => source)
}

function worthAnything<Memory>(
  sources: readonly CycleSource<Memory>[],
  worthOf: (source: CycleSource<Memory>) => number,
): RankedSource<Memory>[] {
  return sources.map((source) => ({ source, value: worthOf(source), tie: 0 })).filter(({ value }) => value > 0)
}

function compareRanked<Memory>(a: RankedSource<Memory>, b: RankedSource<Memory>): number {
  return b.value - a.value || a.tie - b.tie || a.source.facts.id - b.source.facts.id
}

/** Up to so many are kept in order one by one; sorting all of a collection for the best ten is what a cycle spends most on. */
const FEW = 64

/** At least as many of the first ones as the budget pays for, in order. */
function firstInOrder<Memory>(
  ranked: readonly RankedSource<Memory>[],
  budget: number,
): readonly RankedSource<Memory>[] {
  if (ranked.length < 2) return ranked
  const few = Math.ceil(budget) + 1
  if (!(few <= FEW) || ranked.some(({ source }) => source.facts.cost !== 1)) return ranked.toSorted(compareRanked)
  const first: RankedSource<Memory>[] = []
  for (const each of ranked) putInOrder(first, each, few)
  return first
}

/** Keeps the first `few` in order. */
function putInOrder<Memory>(first: RankedSource<Memory>[], each: RankedSource<Memory>, few: number): void {
  if (first.length === few && compareRanked(first[few - 1]!, each) < 0) return
  let index = first.length === few ? few - 1 : first.length
  for (; index > 0 && compareRanked(each, first[index - 1]!) < 0; index--) first[index] = first[index - 1]!
  first[index] = each
}

export function sumOfCosts<Memory>(sources: readonly CycleSource<Memory>[]): number {
  let cost = 0
  for (const { facts } of sources) cost += facts.cost
  return cost
}
