import { type DurationMs, HOUR_MS } from '../model/index.ts'
import { budgetShare, hourlyLimitOf, maxSaved, wholeRequests } from '../refresh/scheduler/local-allowance.ts'
import type { BudgetTerms } from './grants.ts'

/** What terms mean in numbers. */
export interface GrantLimits {
  readonly ratePerMs: number
  /** What may be saved up. */
  readonly burst: number
  /** Never more than `amount` in any `spanMs`; null: the token bucket alone holds the rate. */
  readonly limit: { readonly amount: number; readonly spanMs: DurationMs } | null
}

/** A span is counted in so many slots; what is in the one that leaves counts in full, so that much less may be spent. */
export const SLOTS_OF_SPAN = 360

/**
 * No period of the budget's own unit gets more than the budget where that is shorter than an hour; and no hour does, unless
 * the user lets more than an hour's budget be saved up (local-allowance.ts). What holds for each of these holds for what
 * is made of them, a day of 24 hours too.
 */
export function grantLimits({ budget, factor, burst }: BudgetTerms): GrantLimits {
  const whole = budgetShare(budget, factor)
  const perHour = hourlyLimitOf(whole, burst)
  const limit =
    whole.perMs < HOUR_MS
      ? { amount: Math.max(1, wholeRequests(whole.requests)), spanMs: whole.perMs }
      : perHour === null
        ? null
        : { amount: perHour, spanMs: HOUR_MS }
  return { ratePerMs: whole.requests / whole.perMs, burst: Math.max(1, maxSaved(whole, burst)), limit }
}

export function isSameTerms(a: BudgetTerms, b: BudgetTerms): boolean {
  return (
    a.budget.requests === b.budget.requests &&
    a.budget.perMs === b.budget.perMs &&
    a.factor === b.factor &&
    a.burst === b.burst
  )
}
