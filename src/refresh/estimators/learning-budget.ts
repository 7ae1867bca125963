import type { DurationMs, InstantMs } from '../../model/index.ts'

/** How a budget is spent on learning over time (thesis 7.3.4). */
export type LearningPlan =
  | { readonly kind: 'online' }
  /** A share of the budget goes to learning for ever. */
  | { readonly kind: 'separate'; readonly share: number }
  /** All that is saved up goes to a learning period at the start, `boost` times the usual budget. */
  | { readonly kind: 'learn then freeze'; readonly learnMs: DurationMs; readonly boost: number }
  /** The same at the start of every round; the rest of the round pays for it. */
  | {
      readonly kind: 'repeated'
      readonly learnMs: DurationMs
      readonly everyMs: DurationMs
      readonly boost: number
    }

export interface BudgetSplit {
  /** Requests for refreshing, in the units of the budget. */
  readonly refreshing: number
  readonly learning: number
}

/**
 * What may be spent at a moment on each. `repeated` keeps the mean over a round at the budget as long as the learning
 * periods do not eat more than the whole of it; `learn then freeze` spends its boost once, on top.
 */
export function budgetAt(plan: LearningPlan, budget: number, since: InstantMs, now: InstantMs): BudgetSplit {
  const age = Math.max(0, now - since)
  switch (plan.kind) {
    case 'online':
      return { refreshing: budget, learning: 0 }
    case 'separate': {
      const share = Math.min(1, Math.max(0, plan.share))
      return { refreshing: budget * (1 - share), learning: budget * share }
    }
    case 'learn then freeze':
      return age < plan.learnMs ? { refreshing: 0, learning: budget * plan.boost } : { refreshing: budget, learning: 0 }
    case 'repeated': {
      if (age % plan.everyMs < plan.learnMs) return { refreshing: 0, learning: budget * plan.boost }
      const rest = (plan.everyMs - plan.learnMs * plan.boost) / (plan.everyMs - plan.learnMs)
      return { refreshing: budget * Math.max(0, rest), learning: 0 }
    }
  }
}
