import type { InstantMs } from '../../src/model/index.ts'
import type { Allowance, SpendingRate, StoredAllowance } from '../../src/refresh/scheduler/allowance.ts'
import type { Pricing, SpendingPeriod } from '../../src/refresh/scheduler/pricing.ts'
import type { Budget } from '../../src/refresh/strategy.ts'

/** Part of a budget that several share: so much, until then. */
export interface Grant {
  readonly amount: number
  readonly until: InstantMs
}

/**
 * What was granted and is still valid, and nothing else: no debts, nothing earned by the clock. A process that is cut
 * off from those who grant spends nothing more once the last grant is over.
 */
export class GrantedAllowance implements Allowance {
  budget: Budget
  readonly burst: number
  /** What goes out of the budget, as learning wishes it; the granter may follow it. */
  factor = 1
  private grants: { readonly amount: number; left: number; until: InstantMs }[] = []

  constructor(budget: Budget, burst: number) {
    this.budget = budget
    this.burst = burst
  }

  grant({ amount, until }: Grant): void {
    this.grants.push({ amount, left: amount, until })
  }

  saved(now: InstantMs): number {
    return this.valid(now).reduce((sum, { left }) => sum + left, 0)
  }

  affordableAt(cost: number, now: InstantMs): InstantMs {
    return this.saved(now) >= cost - 1e-9 ? now : Number.POSITIVE_INFINITY
  }

  overdrawableAt(cost: number, now: InstantMs): InstantMs {
    return this.affordableAt(cost, now)
  }

  spend(cost: number, now: InstantMs): void {
    let owed = cost
    for (const grant of this.valid(now)) {
      const taken = Math.min(owed, grant.left)
      grant.left -= taken
      owed -= taken
    }
  }

  /** To a grant that something was taken from; what is void stays void. */
  refund(cost: number, now: InstantMs): void {
    let back = cost
    for (const grant of this.valid(now)) {
      const given = Math.min(back, grant.amount - grant.left)
      grant.left += given
      back -= given
    }
  }

  /** What an hour uses is for those to see who grant. */
  lackingAt(): InstantMs {
    return Number.POSITIVE_INFINITY
  }

  /** The budget is not this process's to change. */
  setRate({ factor }: SpendingRate): void {
    this.factor = factor
  }

  /** A grant is for whatever there is to do. */
  dropSaved(): void {}

  shift(byMs: number): void {
    for (const grant of this.grants) grant.until += byMs
  }

  snapshot(): StoredAllowance {
    return { balance: 0, minutes: [] }
  }

  /** What was granted before is not known to be unspent. */
  resume(): void {
    this.grants = []
  }

  private valid(now: InstantMs) {
    this.grants = this.grants.filter(({ until }) => now < until)
    return this.grants
  }
}

/** A price that somebody else moves, and the reports that he moves it by. */
export class ReportedPricing implements Pricing {
  price: number
  endsAt: InstantMs
  isLow = false
  readonly reports: SpendingPeriod[] = []
  private fellFrom: number

  constructor(
    price: number,
    now: InstantMs,
    private readonly periodMs: number,
  ) {
    this.price = price
    this.fellFrom = price
    this.endsAt = now + periodMs
  }

  /** From outside. */
  announce(price: number): void {
    this.price = price
    if (price > this.fellFrom) this.fellFrom = price
  }

  takeFall(below = 0.99): boolean {
    if (this.price > this.fellFrom * below) return false
    this.fellFrom = this.price
    return true
  }

  endPeriod(now: InstantMs, period: SpendingPeriod): void {
    this.reports.push(period)
    this.begin(now)
  }

  begin(now: InstantMs): void {
    this.endsAt = now + this.periodMs
  }

  shift(byMs: number): void {
    this.endsAt += byMs
  }

  noteWaiting(): void {}
  setSources(): void {}
  setBudget(): void {}
  setPrice(): void {}
  setPayers(): void {}
  resume(): void {}
}
