import type { DurationMs } from '../../src/model/index.ts'
import type { Arena } from './arena.ts'
import { breathing } from './breathing.ts'
import { followBudget } from './followed.ts'
import { newcomers } from './newcomers.ts'
import { OURS, pricedPolicy, STRONGEST } from './policies.ts'
import type { BudgetRows } from './types.ts'

export interface OursOptions {
  /** How many sources to add without history. */
  readonly newcomers?: number
  /** What the live scheduler may save up of its budget, one run each. */
  readonly burstsMs?: readonly DurationMs[]
  /** Under a price that follows the budget, beside the strongest others. */
  readonly followed?: boolean
}

/** Those that claims name. */
const FOLLOWED: readonly string[] = [OURS, STRONGEST, 'miniflux']

/** What is measured for our strategy alone, at the price that met the budget. */
export function withOurs(rows: BudgetRows, arena: Arena, options: OursOptions): BudgetRows {
  const price = rows.policies.find(({ policy }) => policy === OURS)?.price
  if (price === undefined || price === null) return rows
  const strategy = pricedPolicy(OURS, arena.learnt)!
  const { newcomers: count, burstsMs } = options
  return {
    ...rows,
    ...(count === undefined ? {} : { newcomers: newcomers(arena.world, strategy, price, count, arena.seed) }),
    ...(burstsMs === undefined ? {} : { breathing: breathing(arena, strategy, rows.perDay, burstsMs) }),
    ...(options.followed ? { followed: followBudget(arena, FOLLOWED, rows.perDay) } : {}),
  }
}
