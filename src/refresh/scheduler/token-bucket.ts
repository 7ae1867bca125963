import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { Budget } from '../strategy.ts'

/**
 * Holds what may be spent: fills at the budget's rate up to `burst`, so that over any period no more than the budget plus
 * one burst goes out. Manual refreshes may overdraw it; the debt is then earned back before anything else is spent.
 *
 * Kept as the moment at which it will be full (the virtual scheduling of ATM's GCRA), not as an amount: looking at it
 * changes nothing, so a node that looks every second and a simulator that jumps decide alike to the millisecond.
 */
export class TokenBucket {
  private fullAt: InstantMs
  private readonly unitMs: DurationMs
  private readonly burst: number

  /** `balance`: what is in it at the start; a full bucket where nothing is known. */
  constructor(budget: Budget, burst: number, now: InstantMs, balance = burst) {
    this.unitMs = budget.perMs / budget.requests
    this.burst = burst
    this.fullAt = now + (burst - Math.min(burst, balance)) * this.unitMs
  }

  balance(now: InstantMs): number {
    return this.burst - Math.max(0, this.fullAt - now) / this.unitMs
  }

  spend(cost: number, now: InstantMs): void {
    this.fullAt = Math.max(this.fullAt, now) + cost * this.unitMs
  }

  refund(cost: number): void {
    this.fullAt -= cost * this.unitMs
  }

  /** When the balance will have reached `cost` (at most a full bucket, or nothing dear could ever be bought). */
  affordableAt(cost: number, now: InstantMs): InstantMs {
    return Math.max(now, Math.ceil(this.fullAt - Math.max(0, this.burst - cost) * this.unitMs))
  }

  /** The clock was set: nothing is earned or lost by that. */
  shift(byMs: DurationMs): void {
    this.fullAt += byMs
  }
}
