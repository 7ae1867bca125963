/** A user; 0 where nobody says who pays. */
export type PayerId = number

/** What a payer had, to go on with after a restart. */
export interface StoredPayer {
  readonly id: PayerId
  /** Its price as a multiple of the lowest; at least 1. */
  readonly multiplier: number
  /** What it may spend at once; below 0: what it owes. */
  readonly balance: number
  /** In parts: a source of three payers is a third of one to each. */
  readonly sources: number
  /** Over about an hour, the older the less. */
  readonly spentPerHour: number
}

/** The state of a payer, for people. */
export interface PayerShare extends StoredPayer {
  readonly price: number
  /** Due sources that wait, in parts. */
  readonly waiting: number
  /** Its part of the budget, per hour. */
  readonly sharePerHour: number
}
