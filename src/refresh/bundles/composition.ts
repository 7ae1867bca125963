import type { SourceId } from '../../model/index.ts'

/** What may be asked for in one request. */
export interface BundleLimits {
  /** Sources in one address. */
  readonly mostMembers: number
  /** Items that the answer shows, of all of them together. */
  readonly windowSize: number
}

export interface Composable {
  readonly id: SourceId
  readonly ratePerHour: number
}

/** Of the shared window, what may be expected at a look: beyond it one busy hour of one member pushes out the others' items. */
const FILLED_SHARE = 0.35
/** A composition stays until another is better by this: every change begins with a look too many. */
const WORTH_CHANGING = 0.02

/**
 * Who is asked for with whom. With a price for each request the delay of all grows as (Σ √λ)² over the bundles, and the root
 * is concave: busy sources belong together, quiet ones as well. Fewer in one where what they publish between two looks at
 * this price, √(2μλ) items, would fill the window. Those that stay alone are not listed.
 */
export function composeBundles(
  candidates: readonly Composable[],
  limits: BundleLimits,
  price: number,
): readonly (readonly SourceId[])[] {
  const sorted = [...candidates].sort((a, b) => b.ratePerHour - a.ratePerHour || a.id - b.id)
  const groups: SourceId[][] = []
  let sum = 0
  for (const { id, ratePerHour } of sorted) {
    const group = groups.at(-1)
    const fits = group !== undefined && group.length < limits.mostMembers && isRoomy(sum + ratePerHour, limits, price)
    if (fits) group.push(id)
    else groups.push([id])
    sum = fits ? sum + ratePerHour : ratePerHour
  }
  return groups.filter(({ length }) => length > 1)
}

/** Whether the present groups should give way to these. */
export function isBetterComposed(
  next: readonly (readonly SourceId[])[],
  present: readonly (readonly SourceId[])[],
  candidates: readonly Composable[],
  limits: BundleLimits,
  price: number,
): boolean {
  const rates = new Map(candidates.map(({ id, ratePerHour }) => [id, ratePerHour]))
  const known = present.flat()
  if (known.some((id) => !rates.has(id))) return true
  const sums = present.map((group) => sumOf(group, rates))
  if (sums.some((sum) => !isRoomy(sum, limits, price))) return true
  return rootCost(next, rates) < (1 - WORTH_CHANGING) * rootCost(present, rates)
}

function isRoomy(ratePerHour: number, { windowSize }: BundleLimits, price: number): boolean {
  return Math.sqrt(2 * price * ratePerHour) <= FILLED_SHARE * windowSize
}

/** Σ √λ, those that are in no group asked for alone. */
function rootCost(groups: readonly (readonly SourceId[])[], rates: ReadonlyMap<SourceId, number>): number {
  const inGroups = new Set(groups.flat())
  let cost = 0
  for (const group of groups) cost += Math.sqrt(sumOf(group, rates))
  for (const [id, rate] of rates) if (!inGroups.has(id)) cost += Math.sqrt(rate)
  return cost
}

function sumOf(group: readonly SourceId[], rates: ReadonlyMap<SourceId, number>): number {
  return group.reduce((sum, id) => sum + (rates.get(id) ?? 0), 0)
}
