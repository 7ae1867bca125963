import { seededRandom } from '../../src/runtime/random.ts'
import type { SimWorld } from '../simulator/world.ts'
import { drawsOf, gainOver, moreLostThan } from './bootstrap.ts'
import { sourceClasses } from './classes.ts'
import { LIMIT, OURS, STRONGEST } from './policies.ts'
import type { BudgetRows, ClassRow, GainRow, MeasuredRow, PolicyRow } from './types.ts'

/** The rows of one budget, with our gains over the others where ours was run too. */
export function budgetRows(perDay: number, rows: readonly MeasuredRow[], world: SimWorld, seed: number): BudgetRows {
  const policies = rows.map(printedRow)
  const ours = rows.find(({ policy }) => policy === OURS)
  if (ours === undefined) return { perDay, policies }
  const gains = gainsOver(ours, rows, seed)
  const strongest = rows.find(({ policy }) => policy === STRONGEST)
  if (strongest === undefined) return { perDay, policies, gains }
  const classes = sourceClasses(world).map(
    (each): ClassRow => ({
      by: each.by,
      class: each.class,
      sources: each.members.length,
      policy: OURS,
      over: STRONGEST,
      ...gainOver(ours.perSource, strongest.perSource, drawsOf(each.members, seededRandom(seed))),
    }),
  )
  return { perDay, policies, gains, classes }
}

export function gainsOver(ours: MeasuredRow, rows: readonly MeasuredRow[], seed: number): GainRow[] {
  const draws = drawsOf([...ours.perSource.items.keys()], seededRandom(seed))
  return rows
    .filter(({ policy }) => policy !== ours.policy && policy !== LIMIT)
    .map((other) => ({
      policy: ours.policy,
      over: other.policy,
      ...gainOver(ours.perSource, other.perSource, draws),
      moreLost: moreLostThan(ours.perSource, other.perSource, draws),
    }))
}

export function printedRow({ perSource: _perSource, ...row }: MeasuredRow): PolicyRow {
  return row
}
