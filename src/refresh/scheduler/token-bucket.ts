import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { Budget } from '../strategy.ts'

/**
 * Fills at the budget's rate up to `burst`, so that over any period no more than the budget plus one burst goes out. Manual
 * refreshes may overdraw it; the debt is then earned back before anything else is spent.
 *
 * Stored as the moment at which it will be full (the virtual scheduling of ATM's GCRA), not as an amount: reading it
 * changes nothing, so a node that reads every second and a simulator that jumps decide alike to the millisecond.
 */
export class TokenBucket {
  private fullAt: InstantMs
  private unitMs: DurationMs
  private burst: number

  /** `balance`: what is in it at the start; a full bucket where nothing is known. */
  constructor(budget: Budget, burst: number, now: InstantMs, balance = burst) {
    this.unitMs = budget.perMs / budget.requests
    this.burst = burst
    this.fullAt = now + (burst - Math.min(burst, balance)) * this.unitMs
  }

  balance(now: InstantMs): number {
    return this.burst - Math.max(0, this.fullAt - now) / this.unitMs
  }

  /** Another rate or room from now on. What is in it stays, as far as there is room for it; so does a debt. */
  setRate(budget: Budget, burst: number, now: InstantMs): void {
    const balance = this.balance(now)
    this.unitMs = budget.perMs / budget.requests
    this.burst = burst
    this.setBalance(balance, now)
  }

  /** So much is in it now. */
  setBalance(balance: number, now: InstantMs): void {
    this.fullAt = now + (this.burst - Math.min(this.burst, balance)) * this.unitMs
  }

  /** No more than so much is in it now. */
  limitTo(most: number, now: InstantMs): void {
    if (this.balance(now) > most) this.setBalance(most, now)
  }

  spend(cost: number, now: InstantMs): void {
    this.fullAt = Math.max(this.fullAt, now) + cost * this.unitMs
  }

  refund(cost: number): void {
    this.fullAt -= cost * this.unitMs
  }

  /** When the balance will have reached `cost` (at most a full bucket, or nothing expensive could ever be bought). */
  affordableAt(cost: number, now: InstantMs): InstantMs {
    return Math.max(now, Math.ceil(this.fullAt - Math.max(0, this.burst - cost) * this.unitMs))
  }

  /** The clock was set: nothing is earned or lost by that. */
  shift(byMs: DurationMs): void {
    this.fullAt += byMs
  }
}
