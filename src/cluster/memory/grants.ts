import { HOUR_MS, type InstantMs } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type GrantLimits, grantLimits } from '../grant-limits.ts'
import {
  type BudgetTerms,
  GRANT_WINDOW_MS,
  type GrantAnswer,
  type GrantRequest,
  type GrantStanding,
  type GrantStore,
} from '../grants.ts'
import { SpentSlots } from './spent-slots.ts'

interface Holding {
  number: number
  /** What it would have needed and did not get, and since when; null: it got what it wanted. */
  lack: { readonly least: number; readonly since: InstantMs; readonly saidAt: InstantMs } | null
  /** Granted, and not accounted for. */
  amount: number
  until: InstantMs
}

/** Sums of parts are exact up to this. */
const ROUNDING = 1e-9
/** Where only others can make room, nobody knows when they will. */
const SOON_MS = 100
const LONGEST_RETRY_MS = 5_000
/** Whoever waits asks again until then, or is not there any more. */
const PATIENCE_MS = LONGEST_RETRY_MS + 1_000

/**
 * The token bucket of a cluster within one process: for the lab and for tests. What is granted and not accounted for takes
 * room in the bucket as if it were still there, because it may all be spent in the next moment: so in no time more is
 * spent than the budget of that time and one burst.
 */
export class MemoryGrants implements GrantStore {
  private readonly holdings = new Map<string, Holding>()
  private readonly slots = new SpentSlots(HOUR_MS)
  private terms: BudgetTerms | null = null
  private limits: GrantLimits = { ratePerMs: 0, burst: 0, limit: null }
  private balance = 0
  private earnedUntil: InstantMs = 0

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  async draw(memberId: string, request: GrantRequest): Promise<GrantAnswer | null> {
    return this.drawNow(memberId, request)
  }

  async setTerms(terms: BudgetTerms): Promise<void> {
    this.setTermsNow(terms)
  }

  async standing(): Promise<GrantStanding | null> {
    return this.standingNow()
  }

  /** The same at once, for whoever keeps virtual time. */
  setTermsNow(terms: BudgetTerms): void {
    const now = this.clock.now()
    const limits = grantLimits(terms)
    if (this.terms === null) {
      // What a cluster begins with: a full bucket, as one process does.
      this.balance = limits.burst
      this.earnedUntil = now
    } else this.follow(now)
    this.terms = terms
    this.limits = limits
    this.balance = Math.min(this.balance, limits.burst - this.outstanding)
    if (this.limits.limit !== null) this.slots.setSpan(this.limits.limit.spanMs)
  }

  standingNow(): GrantStanding | null {
    if (this.terms === null) return null
    const now = this.clock.now()
    this.follow(now)
    const { terms, balance, limits } = this
    const outstanding = new Map([...this.holdings].map(([memberId, { amount }]) => [memberId, amount]))
    return { terms, balance, outstanding, spent: this.slots.sum(now), limit: limits.limit }
  }

  drawNow(memberId: string, request: GrantRequest): GrantAnswer | null {
    if (this.terms === null) return null
    const now = this.clock.now()
    this.follow(now)
    const mine = this.holdings.get(memberId) ?? { number: -1, amount: 0, until: now, lack: null }
    const answer = { windowMs: GRANT_WINDOW_MS, terms: this.terms }
    if (request.number <= mine.number) return { ...answer, left: 0, amount: 0, retryAfterMs: 0 }
    this.account(mine, request, now)
    const left = mine.amount
    this.holdings.set(memberId, mine)
    const before = this.neededBefore(memberId, now - request.waitedMs, now)
    const amount = this.grantable(request, before, now)
    this.balance -= amount
    mine.amount += amount
    mine.number = request.number
    mine.until = now + GRANT_WINDOW_MS
    const { least, want, waitedMs } = request
    mine.lack = amount < want ? { least, since: now - waitedMs, saidAt: now } : null
    const retryAfterMs = amount < want ? this.retryAfterMs(least + before, now) : 0
    return { ...answer, left, amount, retryAfterMs }
  }

  private get outstanding(): number {
    let sum = 0
    for (const { amount } of this.holdings.values()) sum += amount
    return sum
  }

  private earn(now: InstantMs): void {
    const earned = Math.max(0, now - this.earnedUntil) * this.limits.ratePerMs
    this.balance = Math.min(this.balance + earned, this.limits.burst - this.outstanding)
    this.earnedUntil = Math.max(this.earnedUntil, now)
  }

  /** What nobody has accounted for in time was spent; from then on it takes no room in the bucket. */
  private follow(now: InstantMs): void {
    const over = [...this.holdings].filter(([, { until }]) => until <= now).sort(([, a], [, b]) => a.until - b.until)
    for (const [memberId, holding] of over) {
      if (holding.amount > 0) {
        this.earn(holding.until)
        this.slots.add(holding.until, holding.amount)
        holding.amount = 0
      }
      if (holding.until + HOUR_MS <= now) this.holdings.delete(memberId)
    }
    this.earn(now)
  }

  private account(mine: Holding, { left, back }: GrantRequest, now: InstantMs): void {
    const stays = Math.min(left, mine.amount)
    const returned = Math.min(back, mine.amount - stays)
    this.slots.add(now, mine.amount - stays - returned)
    this.balance += returned
    mine.amount = stays
  }

  /** Something dearer than all that may be saved up is paid from a full bucket, and owed. */
  private grantable({ want, least }: GrantRequest, before: number, now: InstantMs): number {
    const { burst, limit } = this.limits
    const balance = this.balance - before
    const room = this.room(now) - before
    if (!(want > 0) || balance < Math.min(least, burst) - ROUNDING) return 0
    if (room < Math.min(least, limit?.amount ?? least) - ROUNDING) return 0
    return Math.max(Math.min(least, want), wholeTimes(least, Math.min(want, balance, room)))
  }

  /** What those need who have waited longer. */
  private neededBefore(memberId: string, since: InstantMs, now: InstantMs): number {
    let sum = 0
    for (const [id, { lack }] of this.holdings) {
      if (lack !== null && id !== memberId && lack.since < since && lack.saidAt > now - PATIENCE_MS) sum += lack.least
    }
    return sum
  }

  private room(now: InstantMs): number {
    const { limit } = this.limits
    return limit === null ? Number.POSITIVE_INFINITY : limit.amount - this.slots.sum(now) - this.outstanding
  }

  private retryAfterMs(least: number, now: InstantMs): number {
    const { ratePerMs, burst, limit } = this.limits
    const lacking = Math.min(least, burst) - this.balance
    const earnedMs = lacking > ROUNDING ? lacking / ratePerMs : 0
    const over = Math.min(least, limit?.amount ?? least) - this.room(now)
    const roomMs = over > ROUNDING ? this.slots.lessAt(over) - now : 0
    const waitMs = Math.max(earnedMs, Number.isFinite(roomMs) ? roomMs : SOON_MS)
    return Math.min(LONGEST_RETRY_MS, Math.ceil(Math.max(1, waitMs)))
  }
}

/** Parts of what is of use are left to others. */
function wholeTimes(least: number, amount: number): number {
  return least > 0 ? least * Math.floor(amount / least + 1e-6) : amount
}
