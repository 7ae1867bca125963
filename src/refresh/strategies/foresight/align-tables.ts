import type { ForesightTables } from './tables.ts'

/**
 * The new tables in an order that leaves each shape the number of the old one that it is most like: memories keep the
 * number of their shape, and must not use another's until they choose again.
 */
export function alignTables(before: ForesightTables, after: ForesightTables): ForesightTables {
  return { ...after, weeks: aligned(before.weeks, after.weeks), minutes: aligned(before.minutes, after.minutes) }
}

type Shapes = readonly (readonly number[])[]

/** The closest pair first, then the closest of the rest; what is left over fills the places that are free. */
function aligned(before: Shapes, after: Shapes): Shapes {
  const pairs = after
    .flatMap((shape, from) => before.map((old, to) => ({ from, to, apart: distance(shape, old) })))
    .filter(({ to }) => to < after.length)
    .sort((a, b) => a.apart - b.apart || a.to - b.to)
  // The first is the mean of all (cluster-counts.ts), whatever it is like.
  const indexes = new Map<number, number>([[0, 0]])
  const placed = new Set<number>([0])
  for (const { from, to } of pairs) {
    if (indexes.has(to) || placed.has(from)) continue
    indexes.set(to, from)
    placed.add(from)
  }
  const rest = after.map((_, index) => index).filter((index) => !placed.has(index))
  return after.map((_, to) => after[indexes.get(to) ?? rest.shift()!]!)
}

function distance(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += Math.abs(a[index]! - b[index]!)
  return sum
}
