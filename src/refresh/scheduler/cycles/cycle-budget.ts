import type { DurationMs } from '../../../model/index.ts'
import type { Budget } from '../../strategy.ts'

/** Sums of fractions must not lose a whole request to rounding. */
const ROUNDING = 1e-9

/**
 * What each cycle may spend: budget × length of a cycle, in whole requests that are so much on average (sources are whole; with
 * a fractional b the band p·b … b of Algorithm 4.2 may hold no number at all). What goes out beside the cycles, for what is
 * asked for by hand, is new or has a time of its own, is taken from the next.
 */
export class CycleBudget {
  private perCycle: number
  private credit: number
  private exploring: number
  private readonly cycleMs: DurationMs
  private readonly exploreShare: number

  constructor(options: { readonly budget: Budget; readonly cycleMs: DurationMs; readonly exploreShare: number }) {
    this.cycleMs = options.cycleMs
    this.exploreShare = options.exploreShare
    this.perCycle = perCycleOf(options.budget, options.cycleMs)
    this.credit = 0
    this.exploring = 0
  }

  get requestsPerCycle(): number {
    return this.perCycle
  }

  set(budget: Budget): void {
    this.perCycle = perCycleOf(budget, this.cycleMs)
  }

  /** At the start of a cycle. */
  earn(): void {
    this.credit += this.perCycle
    const share = this.exploreShare * this.perCycle
    if (share > 0) this.exploring = Math.min(Math.max(1, share), this.exploring + share)
  }

  /** Pays for the first look at a source, within the share of new ones; false where that is used up. */
  explore(cost: number): boolean {
    if (this.exploring + ROUNDING < 1 || this.whole < 1) return false
    this.exploring -= 1
    this.credit -= cost
    return true
  }

  /** The budget of this cycle, taken: what its strategy does with it is its own affair. */
  takeWhole(): number {
    const { whole } = this
    this.credit -= whole
    return whole
  }

  /** Beside the cycle; less than nothing gives back. */
  spend(cost: number): void {
    this.credit -= cost
  }

  /** Whether something may be spent beside the cycle without owing more than one of them. */
  mayOwe(cost: number): boolean {
    return this.credit - cost >= -this.perCycle
  }

  keep(): { readonly balance: number; readonly exploring: number } {
    return { balance: this.credit, exploring: this.exploring }
  }

  resume(balance: number, exploring: number): void {
    this.credit = Math.min(1, balance)
    this.exploring = exploring
  }

  private get whole(): number {
    return Math.max(0, Math.floor(this.credit + ROUNDING))
  }
}

function perCycleOf({ requests, perMs }: Budget, cycleMs: DurationMs): number {
  return (requests * cycleMs) / perMs
}
