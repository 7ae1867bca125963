import type { DurationMs, InstantMs } from '../../model/index.ts'

/**
 * How a node learns what its sources publish (thesis 7.3.4). Where bandwidth is short, refreshes come so rarely, and so
 * unevenly, that what they show leads a model astray; so a part of the budget may go to learning alone.
 *
 * - `online`: every refresh teaches the model of its source.
 * - `separate`: only learning requests do, for which a share of the budget is set aside for ever.
 * - `freeze`: all refreshes of one period at the start; then the model is used and not moved any more.
 * - `repeated`: the same at the start of every round.
 */
export const LEARNING_WAYS = ['online', 'separate', 'freeze', 'repeated'] as const
export type LearningWay = (typeof LEARNING_WAYS)[number]

export interface LearningPlan {
  readonly way: LearningWay
  /**
   * Of the budget, for *learning requests*: all sources in turn, whatever is believed of them. Where learning has an end it
   * may be more than the whole: more bandwidth for a limited time.
   */
  readonly share: number
  /** Of the budget, for first looks while others wait. They are learning requests: all that is set aside for those is theirs, too. */
  readonly exploreShare: number
  /** Length of a period of learning; null: it has no end. */
  readonly learnMs: DurationMs | null
  /** From the start of one period to that of the next; null: there is one only. */
  readonly everyMs: DurationMs | null
}

/** As a scheduler learns by default. */
export const LEARNING_ONLINE: LearningPlan = {
  way: 'online',
  share: 0,
  exploreShare: 0.5,
  learnMs: null,
  everyMs: null,
}

export interface LearningPhase {
  readonly isLearning: boolean
  readonly endsAt: InstantMs
}

/** Where a moment lies in the plan. `since`: when the node began with it. */
export function phaseAt({ learnMs, everyMs }: LearningPlan, since: InstantMs, at: InstantMs): LearningPhase {
  if (learnMs === null) return { isLearning: true, endsAt: Number.POSITIVE_INFINITY }
  const rounds = everyMs === null ? 0 : Math.max(0, Math.floor((at - since) / everyMs))
  const beganAt = since + rounds * (everyMs ?? 0)
  const learntAt = beganAt + learnMs
  if (at < learntAt) return { isLearning: true, endsAt: learntAt }
  return { isLearning: false, endsAt: everyMs === null ? Number.POSITIVE_INFINITY : beganAt + everyMs }
}

/** What may be spent at a moment on each, in units of the budget. */
export interface BudgetSplit {
  readonly refreshing: number
  readonly learning: number
  /** Part of the two: the most that first looks may take while others wait. */
  readonly exploring: number
  /** Until then it stays like this. */
  readonly endsAt: InstantMs
}

/**
 * `repeated` keeps the mean over a round at the budget: what a period of learning takes beyond it, the rest of the round
 * pays. `freeze` takes it once, on top.
 */
export function budgetAt(plan: LearningPlan, since: InstantMs, now: InstantMs): BudgetSplit {
  const { isLearning, endsAt } = phaseAt(plan, since, now)
  const { share, exploreShare, learnMs, everyMs } = plan
  if (isLearning) {
    return { refreshing: Math.max(0, 1 - share), learning: share, exploring: Math.max(exploreShare, share), endsAt }
  }
  const rest = everyMs === null ? 1 : (everyMs - learnMs! * Math.max(1, share)) / (everyMs - learnMs!)
  return { refreshing: rest, learning: 0, exploring: exploreShare, endsAt }
}

/** What goes out in all, in units of the budget. */
export function totalOf({ refreshing, learning }: BudgetSplit): number {
  return refreshing + learning
}
