import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { Budget } from '../strategy.ts'
import type { PayerId } from './payer-shares.ts'

/** What the price is decided from at the end of a period. */
export interface SpendingPeriod {
  readonly spent: number
  /** Due sources that wait for the budget, now. */
  readonly waiting: number
  /** What could be spent at once. */
  readonly saved: number
  /** What may be spent; absent: the budget. */
  readonly perMs?: number
  /** Some are new: while they are refreshed, an empty queue says nothing about the price. */
  readonly exploring: boolean
  readonly sources: number
}

/** How the number of sources that share a price has changed. */
export type SourcesChange = 'added' | 'removed' | 'reassigned'

/**
 * At which price requests are made now. One process moves it by itself, from what it sees (price-control.ts). Where several
 * share one budget they share one price: it comes from outside, and what each sees is reported at the end of each period.
 */
export interface Pricing {
  /** What a request has to be worth. */
  readonly price: number
  /** Near the lowest that it may be: there is more budget than the sources can take. */
  readonly isLow: boolean
  /** Of the budget, what comes in here for this payer; null: this process has all of it, and shares it out by itself. */
  readonly incomePerMs: number | null
  /** Another number where price or income have moved by themselves, for whoever else decides them. */
  readonly revision: number
  /** When the present period ends. */
  readonly endsAt: InstantMs
  /** True once after each fall to this part of the price, which makes sleepers late. */
  takeFall(below?: number): boolean
  /** So few waited at some moment of the period: a queue that ran empty is not seen at its end. */
  noteWaiting(waiting: number): void
  /** A period ends, and the next begins. */
  endPeriod(now: InstantMs, period: SpendingPeriod): void
  /** A period begins, whatever the one before has shown. */
  begin(now: InstantMs, standing: Pick<SpendingPeriod, 'waiting' | 'sources'>): void
  setSources(sources: number, change: SourcesChange): void
  setBudget(budget: Budget): void
  /** The price that is believed to spend the budget. */
  setPrice(price: number): void
  /** The budget is shared within the process: one pays for one of so many parts of it. */
  setPayers(payers: number): void
  /** Whose price it is, and the part of the budget that is meant for it, in relation to the others; null: nobody says. */
  setPayer(id: PayerId | null, part: number): void
  /** Goes on with a price that was found before, for so many sources. */
  resume(price: number, sources: number): void
  /** The clock was set: the period goes on. */
  shift(byMs: DurationMs): void
}

/** Makes the price of a payer. */
export type NewPricing = (budget: Budget, now: InstantMs) => Pricing
