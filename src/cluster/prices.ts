import type { DurationMs } from '../model/index.ts'
import type { PayerId } from '../refresh/scheduler/payer-shares.ts'
import type { SpendingPeriod } from '../refresh/scheduler/pricing.ts'

/** The price at which all members make their requests. */
export interface CommonPrice {
  readonly price: number
  /** Near the lowest that it may be: there is more budget than the sources can take. */
  readonly isLow: boolean
  /** The strategy that it means something to. */
  readonly strategy: string
  /** All members end their periods when the time is a multiple of this, so that their reports can be summed. */
  readonly periodMs: DurationMs
  /** What it was in each hour of the day (UTC): where nobody moves it any more, it follows the last day. */
  readonly byHour: readonly number[]
  /** Where several pay; empty: all follow the one price. */
  readonly payers: readonly PayerPrice[]
}

/** What one of several who share the budget pays, and may spend in all processes together. */
export interface PayerPrice {
  readonly id: PayerId
  readonly price: number
  readonly isLow: boolean
  readonly perMs: number
  /** What all members have spent for it in the last period and would have liked to spend, and its sources: who has how much of it. */
  readonly demand: number
  readonly sources: number
}

/** As it stands on the board. */
export interface PostedPrice extends CommonPrice {
  /** Grows with each change. */
  readonly revision: number
  /** So long ago it was set, by the clock of whoever keeps the board. */
  readonly ageMs: DurationMs
}

/** What one member sees; what it has spent is a sum from its start on, so that a report that is lost does no harm. */
export interface MemberReport extends Omit<SpendingPeriod, 'perMs' | 'saved'> {
  /** At the moment of the period at which the fewest waited. */
  readonly leastWaiting: number
  /** The same of each of those who pay here, whether or not there are others. */
  readonly payers: readonly PayerReport[]
}

/** What a member sees of one who pays. */
export interface PayerReport extends Omit<SpendingPeriod, 'perMs'> {
  readonly id: PayerId
  readonly leastWaiting: number
  /** Of the budget, in relation to the others; 1 is usual. */
  readonly part: number
}

/** A report as it is read. */
export interface ReadReport extends MemberReport {
  readonly memberId: string
  /** So long ago, by the clock of whoever keeps the board. */
  readonly ageMs: DurationMs
}

/** Where the price of a cluster stands, and what each member has to say about it. */
export interface PriceBoard {
  /** null: nobody has set one yet. */
  read(): Promise<PostedPrice | null>
  /** Replaces what the member has reported before; returns the price. */
  report(memberId: string, report: MemberReport): Promise<PostedPrice | null>
  /** The last report of each member that has reported within this time. */
  reports(withinMs: DurationMs): Promise<readonly ReadReport[]>
  /** False: one with a newer lease has set the price since, and it stays. */
  setPrice(price: CommonPrice, token: number): Promise<boolean>
}
