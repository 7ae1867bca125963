import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { Budget } from '../strategy.ts'

/** What goes out over which period. */
export interface SpendingRate {
  readonly budget: Budget
  /** What of the budget goes out now: a period of learning may take more than 1, and the time after it less. */
  readonly factor: number
}

/** What survives a restart. */
export interface StoredAllowance {
  readonly balance: number
  /** What was spent in each minute of the last hour; empty where bursts are too small to matter. */
  readonly minutes: readonly (readonly [minute: number, spent: number])[]
}

/**
 * What may be spent now. One process earns it by itself, by the clock (local-allowance.ts). Where several share one budget,
 * each spends what it was granted, for as long as the grant is valid: less may be spent than the budget, never more.
 */
export interface Allowance {
  /** Another object where it has changed, which it may do by itself where somebody else decides it. */
  readonly budget: Budget
  /** The most that may be saved up. */
  readonly burst: number
  /** What could be spent at once; below 0: what is owed. */
  saved(now: InstantMs): number
  /** When so much may be spent; Infinity: not before more is granted, so that it has to be asked again. */
  affordableAt(cost: number, now: InstantMs): InstantMs
  /** The same for what a person requested: at once where it can be earned back afterwards. */
  overdrawableAt(cost: number, now: InstantMs): InstantMs
  /** `at`: when it goes out, where that is later. */
  spend(cost: number, now: InstantMs, at?: InstantMs): void
  /** What was to go out at `at` does so only now: no period that has it may have more than the budget. */
  delay(cost: number, at: InstantMs, now: InstantMs): void
  /** It was not needed after all. */
  refund(cost: number, now: InstantMs): void
  /** When some of the budget is lost for good unless something is spent before; Infinity: never. */
  lackingAt(now: InstantMs): InstantMs
  /** Another rate from now on. What was saved stays, as far as there is room for it; so does what is owed. */
  setRate(rate: SpendingRate, now: InstantMs): void
  /** What was saved was for something else: it is lost. What is owed stays. */
  dropSaved(now: InstantMs): void
  /** The clock was set: what was earned and spent stays as long ago as it was. */
  shift(byMs: DurationMs): void
  snapshot(now: InstantMs): StoredAllowance
  /** After a restart. Nothing is earned for the time in which this program was not there. */
  resume(stored: StoredAllowance, now: InstantMs, setByMs: DurationMs): void
}
