import { type DurationMs, HOUR_MS, type InstantMs } from '../../model/index.ts'
import type { Budget } from '../strategy.ts'
import type { Allowance, SpendingRate, StoredAllowance } from './allowance.ts'
import { HourlyLimit } from './hourly-limit.ts'
import { TokenBucket } from './token-bucket.ts'

const LIMITED_FROM = 20
/**
 * Where no hour gets more than its budget, more than half of that is not saved up: spent at once, it would leave nothing
 * for the rest of the hour. On rss-2024 at 24 a day a whole hour's cost 31 % of delay beside half of one.
 */
const SAVED_HOURS = 0.5
/** Of the budget of any hour this much is spent while there is a source for it: what an hour leaves is lost to the next. */
const LEAST_SHARE = 0.93

/** What one process may have saved up, beside the most. */
interface SavingTerms {
  /** When it begins; absent: all of the burst. */
  readonly firstSaved?: number | undefined
  /** While the hour has no room for it; absent: all of the burst. */
  readonly savedWhileFull?: (() => number) | undefined
}

/** What one process earns by itself: a token bucket, and no hour with more than its budget where that can be counted. */
export class LocalAllowance implements Allowance {
  budget: Budget
  private readonly bucket: TokenBucket
  /** Without bursts an hour exceeds its budget by less than one request; that matters where it can be counted. */
  private hourlyLimit: HourlyLimit | null
  /** What of the last hour was paid for in advance, by pages and whatever else no refresh asks for; null: nothing ever was. */
  private advance: HourlyLimit | null = null
  /** Of what may be saved up, this much is for refreshes. */
  private savingShare = 1
  /** The budget times its factor. */
  private whole: Budget
  private readonly savedWhileFull: () => number
  /** This much more may be in the bucket than the hour has room for. */
  private beyondRoom = Number.POSITIVE_INFINITY
  /** Requests of any hour, once there was one. */
  private least: number
  private lacksAt = 0
  private begunAt: InstantMs

  /** `wishedBurst`: what the user lets be saved up. */
  constructor(
    { budget, factor }: SpendingRate,
    private readonly wishedBurst: number,
    now: InstantMs,
    { firstSaved, savedWhileFull = () => wishedBurst }: SavingTerms = {},
  ) {
    this.savedWhileFull = savedWhileFull
    this.budget = budget
    this.whole = budgetShare(budget, factor)
    this.bucket = new TokenBucket(this.whole, this.burst, now, firstSaved)
    this.hourlyLimit = this.newLimit(now)
    this.least = leastPerHour(this.whole, wishedBurst)
    this.begunAt = now
  }

  get burst(): number {
    return maxSaved(this.whole, this.wishedBurst)
  }

  saved(now: InstantMs): number {
    this.follow(now)
    return this.bucket.balance(now)
  }

  affordableAt(cost: number, now: InstantMs): InstantMs {
    this.follow(now)
    return Math.max(this.bucket.affordableAt(cost, now), this.hourlyLimit?.allowedAt(cost, now) ?? now)
  }

  overdrawableAt(_cost: number, now: InstantMs): InstantMs {
    return now
  }

  spend(cost: number, now: InstantMs, at?: InstantMs): void {
    this.follow(now)
    this.bucket.spend(cost, now)
    this.hourlyLimit?.spend(cost, now, at)
    if (at === undefined || this.hourlyLimit === null) return
    this.advance ??= new HourlyLimit(Number.MAX_SAFE_INTEGER, now)
    this.advance.spend(cost, now, at)
  }

  delay(cost: number, at: InstantMs, now: InstantMs): void {
    this.hourlyLimit?.delay(cost, at, now)
    this.advance?.delay(cost, at, now)
  }

  refund(cost: number, now: InstantMs): void {
    this.follow(now)
    this.bucket.refund(cost)
    this.hourlyLimit?.refund(cost, now)
    this.lacksAt = 0
  }

  /** When the last hour's budget will not have been made use of, unless something is spent before. */
  lackingAt(now: InstantMs): InstantMs {
    // Whatever is spent meanwhile only puts it off.
    if (this.hourlyLimit !== null && now >= this.lacksAt) this.lacksAt = this.hourlyLimit.lackingAt(this.least, now)
    return this.least > 0 ? Math.max(this.lacksAt, this.begunAt + HOUR_MS) : Number.POSITIVE_INFINITY
  }

  setRate({ budget, factor }: SpendingRate, now: InstantMs): void {
    this.follow(now)
    this.budget = budget
    this.whole = budgetShare(budget, factor)
    this.bucket.setRate(this.whole, this.burst, now)
    this.savingShare = 1
    const limit = hourlyLimitOf(this.whole, this.wishedBurst)
    if (limit === null || this.hourlyLimit === null) this.hourlyLimit = this.newLimit(now)
    else this.hourlyLimit.setLimit(limit)
    // Another limit takes nothing away of what is saved.
    this.beyondRoom = Number.POSITIVE_INFINITY
    this.follow(now)
    this.least = leastPerHour(this.whole, this.wishedBurst)
    this.lacksAt = 0
    this.begunAt = now
  }

  dropSaved(now: InstantMs): void {
    this.follow(now)
    this.bucket.setBalance(Math.min(0, this.bucket.balance(now)), now)
  }

  shift(byMs: DurationMs): void {
    this.bucket.shift(byMs)
    this.hourlyLimit?.shift(byMs)
    this.advance?.shift(byMs)
    this.lacksAt += byMs
    this.begunAt += byMs
  }

  snapshot(now: InstantMs): StoredAllowance {
    this.follow(now)
    return { balance: this.bucket.balance(now), minutes: this.hourlyLimit?.minutes(now) ?? [] }
  }

  resume(stored: StoredAllowance, now: InstantMs, setByMs: DurationMs): void {
    this.bucket.setBalance(Math.min(0, stored.balance), now)
    this.hourlyLimit?.restore(stored.minutes, now, setByMs)
    this.lacksAt = 0
    this.begunAt = now
  }

  private newLimit(now: InstantMs): HourlyLimit | null {
    const limit = hourlyLimitOf(this.whole, this.wishedBurst)
    if (limit === null) return null
    const hourlyLimit = new HourlyLimit(limit, now)
    hourlyLimit.onLeaving = (room, at) => this.stopEarning(room, at)
    return hourlyLimit
  }

  /** What has left the hour meanwhile made room only then: what could be saved until then is decided by the room of that time. */
  private follow(now: InstantMs): void {
    if (this.hourlyLimit !== null) this.stopEarning(this.hourlyLimit.room(now), now)
  }

  private stopEarning(room: number, at: InstantMs): void {
    const share = this.advance === null ? 1 : Math.max(0, 1 - this.advance.spentUntil(at) / perHour(this.whole))
    // What pages have spends itself evenly: refreshes save up of what is left, as if that were all.
    const most = Math.max(1, share * this.burst)
    if (share !== this.savingShare) this.bucket.setRate(this.whole, most, at)
    this.savingShare = share
    const inHour = Math.max(0, room)
    const beyond = Math.max(1, Math.min(most, this.savedWhileFull()))
    this.bucket.limitTo(inHour + Math.max(beyond, this.beyondRoom), at)
    this.beyondRoom = Math.max(beyond, this.bucket.balance(at) - inHour)
  }
}

/** What may really be saved up. */
export function maxSaved(budget: Budget, burst: number): number {
  return isLimited(budget, burst) ? Math.min(burst, Math.max(1, SAVED_HOURS * perHour(budget))) : burst
}

export function budgetShare(budget: Budget, share: number): Budget {
  return { requests: budget.requests * share, perMs: budget.perMs }
}

/**
 * No hour gets more than its budget, where that can be counted. A user who allows bursts of more than an hour's budget wants
 * the rate to breathe: then the bucket alone holds it, one burst beyond the budget at most over any time. A limit of a day's
 * budget in any 24 hours besides cost 20 % of delay: Mondays have more news than Sundays.
 */
export function hourlyLimitOf(budget: Budget, burst: number): number | null {
  return isLimited(budget, burst) ? wholeRequests(perHour(budget)) : null
}

/** Where few are counted, part of a request counts as one. */
export function wholeRequests(requests: number): number {
  return requests >= LIMITED_FROM ? requests : Math.ceil(requests)
}

function leastPerHour(budget: Budget, burst: number): number {
  return !isLimited(budget, burst) || perHour(budget) < LIMITED_FROM ? 0 : LEAST_SHARE * perHour(budget)
}

function isLimited(budget: Budget, burst: number): boolean {
  const limit = perHour(budget)
  return burst <= Math.max(1, limit) && (burst > 1 || limit >= LIMITED_FROM)
}

function perHour({ requests, perMs }: Budget): number {
  return (HOUR_MS * requests) / perMs
}
