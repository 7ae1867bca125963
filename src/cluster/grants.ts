import type { DurationMs } from '../model/index.ts'
import type { SpendingRate } from '../refresh/scheduler/allowance.ts'

/** So long a grant is valid, by the clock of whoever grants. Whoever is cut off spends nothing more after it. */
export const GRANT_WINDOW_MS: DurationMs = 4_000

/** What all members together may spend. */
export interface BudgetTerms extends SpendingRate {
  /** What the user lets be saved up. */
  readonly burst: number
}

/** What a member says of the grant that it has, and what it would like to have beside. */
export interface GrantRequest {
  /** Grows with each request of a member: one that comes late, after a newer one, changes nothing. */
  readonly number: number
  /** Of what it was granted, this much it may still spend. Whatever is neither left nor given back counts as spent. */
  readonly left: number
  /** This much it will not spend. */
  readonly back: number
  /** This much more would be of use now; 0: nothing. */
  readonly want: number
  /** Less than this would be of no use. */
  readonly least: number
  /** What it wants it for has waited so long: who has waited longer comes first, as with one scheduler. */
  readonly waitedMs: DurationMs
}

export interface GrantAnswer {
  /** Of what was left, so much is still valid: less where the request came too late. */
  readonly left: number
  /** What it may spend beside what is left, all of it for `windowMs` from now on; 0: nothing more. */
  readonly amount: number
  readonly windowMs: DurationMs
  /** After so long it is worth asking again; 0: all was granted. */
  readonly retryAfterMs: DurationMs
  readonly terms: BudgetTerms
}

/** How the common budget stands, for people and for whoever moves the price. */
export interface GrantStanding {
  readonly terms: BudgetTerms
  /** What could be granted by the token bucket; below 0: what is owed. */
  readonly balance: number
  /** What is granted and may still be spent, by member. */
  readonly outstanding: ReadonlyMap<string, number>
  /** Over the time that `limit` is about, what was spent or lost. */
  readonly spent: number
  /** Never more than this in any such time; null: the token bucket alone holds the rate. */
  readonly limit: { readonly amount: number; readonly spanMs: DurationMs } | null
}

/**
 * One token bucket from which all crawlers of a cluster draw. What is drawn is a *grant*: so much, for so long. A grant that
 * is not accounted for in time counts as spent: less may be spent than the budget, never more.
 */
export interface GrantStore {
  /** null: nobody has said yet what may be spent. */
  draw(memberId: string, request: GrantRequest): Promise<GrantAnswer | null>
  /** Another budget from now on, for all. What was saved stays, as far as there is room for it; so does what was spent. */
  setTerms(terms: BudgetTerms): Promise<void>
  /** null: there are no terms yet. */
  standing(): Promise<GrantStanding | null>
}
