import type { DurationMs, InstantMs } from '../model/index.ts'
import type { Allowance, SpendingRate, StoredAllowance } from '../refresh/scheduler/allowance.ts'
import type { Budget } from '../refresh/strategy.ts'
import { grantLimits, isSameTerms } from './grant-limits.ts'
import type { BudgetTerms, GrantAnswer, GrantRequest } from './grants.ts'
import { SpendingPace } from './spending-pace.ts'

const NEVER = Number.POSITIVE_INFINITY
/** Sums of parts are exact up to this. */
const ROUNDING = 1e-6
/** So much sooner than whoever granted it a grant is void here: what is paid for goes out a little later. */
const MARGIN_MS = 500
/** Not more often: with fifty crawlers 200 draws a second. */
const LEAST_PAUSE_MS = 250
/** What was spent is accounted for, and what is not needed given back, so soon at the latest. */
const SETTLE_MS = 1_000
/** So much is kept ready, by what was spent of late: a crawl that waits for the database is a crawl that stands still. */
const STOCK_MS = 500
/** Drawn at once however little was spent so far; beyond that twice of what went out since the last draw. */
const FIRST_DRAW = 8

export interface GrantedAllowanceOptions {
  /** What is believed before the first grant. */
  readonly terms: BudgetTerms
  /** Never set, unlike the clock that decisions are made by. */
  readonly monotonicMs: () => DurationMs
  /** Due sources that wait for the budget. */
  readonly waiting?: () => number
  /** Since when the first of them waits. */
  readonly waitingSince?: () => InstantMs
}

/**
 * What was granted to this process and is still valid, and nothing else: no debts, nothing earned by the clock. Says what to
 * draw and when; whoever draws (draw-grants.ts, and the lab) takes `request` there and brings the answer to `accept`.
 */
export class GrantedAllowance implements Allowance {
  budget: Budget
  /** Called when something cannot be paid for, or paid for again: it may be time to draw. */
  onChange: () => void = () => {}
  private terms: BudgetTerms
  /** May be spent until `until`. */
  private left = 0
  private until: DurationMs = Number.NEGATIVE_INFINITY
  /** By the clock that may be set, for a machine that slept: its other clock may have stood still. */
  private untilInstant: InstantMs = NEVER
  /** Will not be spent, and was not said yet. */
  private back = 0
  /** Spent since the last request: this much may be refunded. */
  private spentSince = 0
  /** As it was said last: what whoever grants has accounted for otherwise is not there any more. */
  private leftSaid = 0
  /** What could not be paid for. */
  private lacking = 0
  private number = 0
  private talkedAt: DurationMs = Number.NEGATIVE_INFINITY
  private retryAt: DurationMs = Number.NEGATIVE_INFINITY
  private readonly pace: SpendingPace

  constructor(private readonly options: GrantedAllowanceOptions) {
    this.terms = options.terms
    this.budget = options.terms.budget
    this.pace = new SpendingPace(options.monotonicMs())
  }

  get burst(): number {
    return grantLimits(this.terms).burst
  }

  saved(now: InstantMs): number {
    return this.isValid(now) ? this.left : 0
  }

  affordableAt(cost: number, now: InstantMs): InstantMs {
    if (this.saved(now) >= cost - ROUNDING) return now
    if (cost > this.lacking) {
      this.lacking = cost
      this.onChange()
    }
    return NEVER
  }

  /** What nobody has granted is not there, for a person neither; but it is the first for which something is drawn. */
  overdrawableAt(cost: number, now: InstantMs): InstantMs {
    return this.affordableAt(cost, now)
  }

  spend(cost: number, now: InstantMs): void {
    this.expire(now)
    const paid = Math.min(cost, this.left)
    this.left -= paid
    this.spentSince += paid
    this.lacking = 0
    this.pace.add(cost, this.options.monotonicMs())
    if (this.left < this.stock / 2) this.onChange()
  }

  /** Nothing is paid for here that does not go out at once. */
  delay(): void {}

  /** To the grant that it was paid from; what was accounted for, or is void, is lost. */
  refund(cost: number, now: InstantMs): void {
    this.expire(now)
    const returned = Math.min(cost, this.spentSince)
    this.spentSince -= returned
    this.left += returned
    this.pace.add(-cost, this.options.monotonicMs())
  }

  /** What an hour uses is for those to see who grant. */
  lackingAt(): InstantMs {
    return NEVER
  }

  /** The budget is not this process's to change: whoever decides it sets the terms of all. */
  setRate(_rate: SpendingRate): void {}

  /** A grant is for whatever there is to do. */
  dropSaved(): void {}

  /** Put forward, the clock may be that of a machine that slept: what was granted is void then, and lost. */
  shift(byMs: DurationMs): void {
    if (byMs > 0) this.discard()
    else this.untilInstant += byMs
  }

  snapshot(): StoredAllowance {
    return { balance: 0, minutes: [] }
  }

  /** What was granted before is not known to be unspent. */
  resume(): void {
    this.discard()
  }

  /** When there is something to say to whoever grants, by the monotonic clock; Infinity: not before something changes. */
  get talkAt(): DurationMs {
    const isShort = this.lacking > this.left || this.left < this.stock / 2
    const hasNews = this.left + this.back + this.spentSince > 0
    return Math.min(
      isShort ? Math.max(this.talkedAt + LEAST_PAUSE_MS, this.retryAt) : NEVER,
      hasNews ? this.talkedAt + SETTLE_MS : NEVER,
    )
  }

  /**
   * What to say to whoever grants. Given back is what no one has needed since the last time. `isLast`: nothing more is spent,
   * and all of it is.
   */
  request(now: InstantMs, isLast = false): GrantRequest {
    if (isLast) this.discard()
    else this.expire(now)
    const idle = this.idle
    const want = isLast ? 0 : Math.max(0, this.wished - this.left + idle)
    const request = {
      number: ++this.number,
      left: this.left - idle,
      back: this.back + idle,
      want,
      least: Math.min(want, this.lacking > 0 ? this.lacking : 1),
      waitedMs: this.lacking > 0 ? Math.max(0, now - (this.options.waitingSince?.() ?? now)) : 0,
    }
    this.left -= idle
    this.leftSaid = this.left
    this.back = 0
    this.spentSince = 0
    this.talkedAt = this.options.monotonicMs()
    return request
  }

  /** `sentAt`: by the monotonic clock, before it was asked for: the window began then or later. */
  accept({ left, amount, windowMs, retryAfterMs, terms }: GrantAnswer, sentAt: DurationMs, now: InstantMs): void {
    const takenMs = this.options.monotonicMs() - sentAt
    this.left = Math.max(0, this.left - (this.leftSaid - left)) + amount
    this.until = sentAt + windowMs - MARGIN_MS
    this.untilInstant = now - takenMs + windowMs - MARGIN_MS
    this.retryAt = sentAt + retryAfterMs
    if (amount > 0) this.lacking = 0
    if (!isSameTerms(terms, this.terms)) this.follow(terms)
  }

  private follow(terms: BudgetTerms): void {
    const { budget } = this.terms
    this.terms = terms
    if (terms.budget.requests !== budget.requests || terms.budget.perMs !== budget.perMs) this.budget = terms.budget
  }

  /** What nothing can be paid with, and what no one has needed since the last time. */
  private get idle(): number {
    if (this.lacking > 0) return this.lacking > this.left ? this.left : 0
    return this.spentSince > 0 ? 0 : Math.max(0, this.left - this.stock)
  }

  private get stock(): number {
    const stock = this.pace.perMs(this.options.monotonicMs()) * STOCK_MS
    return stock < 1 ? 0 : stock
  }

  private get wished(): number {
    const waiting = this.lacking > 0 ? Math.max(this.lacking, this.options.waiting?.() ?? 0) : 0
    const most = Math.max(FIRST_DRAW, this.lacking, 2 * this.spentSince, 2 * this.stock)
    return Math.min(Math.max(waiting, this.stock), most)
  }

  private isValid(now: InstantMs): boolean {
    return this.options.monotonicMs() < this.until && now < this.untilInstant
  }

  private expire(now: InstantMs): void {
    if (!this.isValid(now)) this.discard()
  }

  /** It will not be spent any more; whoever granted it may still hear of that. */
  private discard(): void {
    this.back += this.left
    this.left = 0
    this.spentSince = 0
  }
}
