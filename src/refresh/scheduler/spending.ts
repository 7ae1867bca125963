import type { DurationMs, InstantMs } from '../../model/index.ts'
import { type BudgetSplit, totalOf } from '../learning/plan.ts'
import type { Budget } from '../strategy.ts'
import type { Allowance, StoredAllowance } from './allowance.ts'
import { budgetShare } from './local-allowance.ts'
import { TokenBucket } from './token-bucket.ts'
import type { Cause } from './types.ts'

const LEAST_EXPLORING = 1e-6

/** What may be spent now, with the shares of it that are set aside for first looks and for learning. */
export class Spending {
  private exploring: TokenBucket
  private learning: TokenBucket | null

  constructor(
    private readonly allowance: Allowance,
    private split: BudgetSplit,
    now: InstantMs,
  ) {
    const { budget } = allowance
    this.exploring = new TokenBucket(exploringOf(budget, split), this.exploringBurst, now)
    this.learning = learningOf(budget, split, now)
  }

  get budget(): Budget {
    return this.allowance.budget
  }

  /** Nothing is left for what is merely due: all have their turn in learning. */
  get isAllForLearning(): boolean {
    return !(this.split.refreshing > 0)
  }

  /** Another budget, or another use of it. What was saved of each share stays, and so does what is owed. */
  setRate(budget: Budget, split: BudgetSplit, now: InstantMs): void {
    this.allowance.setRate({ budget, factor: totalOf(split) }, now)
    this.follow(split, now)
  }

  /** A period of learning begins or ends: each share starts over, and what was saved for the one is not for the other. */
  beginPhase(split: BudgetSplit, now: InstantMs): void {
    const { budget } = this.allowance
    this.allowance.dropSaved(now)
    this.allowance.setRate({ budget, factor: totalOf(split) }, now)
    this.split = split
    this.exploring = new TokenBucket(exploringOf(budget, split), this.exploringBurst, now)
    this.learning = learningOf(budget, split, now)
  }

  /** The shares follow the budget as it is now. */
  follow(split: BudgetSplit, now: InstantMs): void {
    const { budget } = this.allowance
    this.split = split
    this.exploring.setRate(exploringOf(budget, split), this.exploringBurst, now)
    if (this.learning === null || !(split.learning > 0)) this.learning = learningOf(budget, split, now)
    else this.learning.setRate(budgetShare(budget, split.learning), 1, now)
  }

  shift(byMs: DurationMs): void {
    for (const part of [this.allowance, this.exploring, this.learning]) part?.shift(byMs)
  }

  saved(now: InstantMs): number {
    return this.allowance.saved(now)
  }

  lackingAt(now: InstantMs): InstantMs {
    return this.allowance.lackingAt(now)
  }

  affordableAt(cost: number, now: InstantMs): InstantMs {
    return this.allowance.affordableAt(cost, now)
  }

  overdrawableAt(cost: number, now: InstantMs): InstantMs {
    return this.allowance.overdrawableAt(cost, now)
  }

  spend(cost: number, now: InstantMs, cause: Cause): void {
    this.allowance.spend(cost, now)
    if (cause === 'new') this.exploring.spend(cost, now)
    // A first look is paid from what is set aside for learning as far as there is some, and beyond that from its own share.
    if (cause === 'learning' || (cause === 'new' && this.learningDue(now))) this.learning?.spend(cost, now)
  }

  /** Pays for what goes out at `at`, whatever the shares. */
  reserve(cost: number, now: InstantMs, at: InstantMs): void {
    this.allowance.spend(cost, now, at)
  }

  delay(cost: number, at: InstantMs, now: InstantMs): void {
    this.allowance.delay(cost, at, now)
  }

  refund(cost: number, now: InstantMs, wasForLearning: boolean): void {
    this.allowance.refund(cost, now)
    if (wasForLearning) this.learning?.refund(cost)
  }

  mayExplore(now: InstantMs): boolean {
    return this.exploring.affordableAt(1, now) <= now || this.learningDue(now)
  }

  learningDue(now: InstantMs): boolean {
    return this.learningAt(now) <= now
  }

  /** When the next learning request can be paid from its share. */
  learningAt(now: InstantMs): InstantMs {
    return this.learning?.affordableAt(1, now) ?? Number.POSITIVE_INFINITY
  }

  snapshot(now: InstantMs): StoredAllowance {
    return this.allowance.snapshot(now)
  }

  resume(stored: StoredAllowance, now: InstantMs, setByMs: DurationMs): void {
    this.allowance.resume(stored, now, setByMs)
  }

  private get exploringBurst(): number {
    return Math.max(1, this.allowance.burst * this.split.exploring)
  }
}

function learningOf(budget: Budget, { learning }: BudgetSplit, now: InstantMs): TokenBucket | null {
  return learning > 0 ? new TokenBucket(budgetShare(budget, learning), 1, now) : null
}

function exploringOf(budget: Budget, { exploring }: BudgetSplit): Budget {
  return budgetShare(budget, Math.max(LEAST_EXPLORING, exploring))
}
