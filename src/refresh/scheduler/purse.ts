import type { InstantMs } from '../../model/index.ts'
import type { Budget } from '../strategy.ts'

/**
 * Holds what may be spent: fills at the budget's rate up to `burst`, so that over any period no more than the budget
 * plus one burst goes out. Manual refreshes may overdraw it; the debt is then earned back before anything else is spent.
 */
export class Purse {
  private amount: number
  private filledAt: InstantMs

  private readonly budget: Budget
  private readonly burst: number

  constructor(budget: Budget, burst: number, now: InstantMs) {
    this.budget = budget
    this.burst = burst
    this.amount = burst
    this.filledAt = now
  }

  balance(now: InstantMs): number {
    // A clock that jumped back earns nothing; it must not freeze the purse either.
    const earned = (Math.max(0, now - this.filledAt) * this.budget.requests) / this.budget.perMs
    this.amount = Math.min(this.burst, this.amount + earned)
    this.filledAt = now
    return this.amount
  }

  spend(cost: number): void {
    this.amount -= cost
  }

  refund(cost: number): void {
    this.amount += cost
  }

  /** When the balance will have reached `cost` (at most a full purse, or nothing dear could ever be bought). */
  affordableAt(cost: number, now: InstantMs): InstantMs {
    const missing = Math.min(cost, this.burst) - this.balance(now)
    return missing <= 0 ? now : now + Math.ceil((missing * this.budget.perMs) / this.budget.requests)
  }
}
