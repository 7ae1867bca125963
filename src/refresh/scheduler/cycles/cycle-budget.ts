import type { DurationMs } from '../../../model/index.ts'
import { type BudgetSplit, totalOf } from '../../learning/plan.ts'
import type { Budget } from '../../strategy.ts'

/** Sums of fractions must not lose a whole request to rounding. */
const ROUNDING = 1e-9

/**
 * What each cycle may spend: budget × length of a cycle, in whole requests that are so much on average (sources are whole; with
 * a fractional b the band p·b … b of Algorithm 4.2 may hold no number at all). What goes out beside the cycles, for what is
 * requested by hand, is new or has a time of its own, is taken from the next.
 */
export class CycleBudget {
  private perCycle: number
  private credit: number
  private exploring: number
  private learning: number
  private readonly cycleMs: DurationMs

  constructor(options: { readonly budget: Budget; readonly cycleMs: DurationMs }) {
    this.cycleMs = options.cycleMs
    this.perCycle = perCycleOf(options.budget, options.cycleMs)
    this.credit = 0
    this.exploring = 0
    this.learning = 0
  }

  get requestsPerCycle(): number {
    return this.perCycle
  }

  set(budget: Budget): void {
    this.perCycle = perCycleOf(budget, this.cycleMs)
  }

  /** At the start of a cycle. */
  earn(split: BudgetSplit): void {
    this.credit += totalOf(split) * this.perCycle
    this.exploring = earned(this.exploring, split.exploring * this.perCycle)
    this.learning = earned(this.learning, split.learning * this.perCycle)
  }

  /** Pays for the first refresh of a source, within the share of new ones; false where that is used up. */
  explore(cost: number): boolean {
    if (this.exploring + ROUNDING < 1 || this.whole < 1) return false
    this.exploring -= 1
    // A first look is paid from what is set aside for learning as far as there is some.
    if (this.learning + ROUNDING >= 1) this.learning -= 1
    this.credit -= cost
    return true
  }

  /** Whether there is a learning request to be made. */
  get mayLearn(): boolean {
    return this.learning + ROUNDING >= 1 && this.whole >= 1
  }

  /** Pays for a learning request. */
  learn(cost: number): void {
    this.learning -= 1
    this.credit -= cost
  }

  /** A cycle whose strategy has nothing: what nobody could use is not saved up. */
  dropRest(): void {
    this.credit = Math.min(1, this.credit)
  }

  /** The budget of this cycle, taken: what its strategy does with it is its own affair. */
  takeWhole(): number {
    const { whole } = this
    this.credit -= whole
    return whole
  }

  /** Beside the cycle; a negative value returns it. */
  spend(cost: number): void {
    this.credit -= cost
  }

  /** Whether something may be spent beside the cycle without owing more than one of them. */
  mayOwe(cost: number): boolean {
    return this.credit - cost >= -this.perCycle
  }

  snapshot(): { readonly balance: number; readonly exploring: number; readonly learning: number } {
    return { balance: this.credit, exploring: this.exploring, learning: this.learning }
  }

  resume(balance: number, exploring: number, learning: number): void {
    this.credit = Math.min(1, balance)
    this.exploring = exploring
    this.learning = learning
  }

  private get whole(): number {
    return Math.max(0, Math.floor(this.credit + ROUNDING))
  }
}

/** One request at least may be saved up. */
function earned(before: number, share: number): number {
  return share > 0 ? Math.min(Math.max(1, share), before + share) : 0
}

function perCycleOf({ requests, perMs }: Budget, cycleMs: DurationMs): number {
  return (requests * cycleMs) / perMs
}
