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

/** What one process earns by itself: a token bucket, and no hour with more than its budget where that can be counted. */
export class LocalAllowance implements Allowance {
  budget: Budget
  private readonly bucket: TokenBucket
  /** Without bursts an hour exceeds its budget by less than one request; that matters where it can be counted. */
  private hourlyLimit: HourlyLimit | null
  /** The budget times its factor. */
  private whole: Budget
  /** Requests of any hour, once there was one. */
  private least: number
  private lacksAt = 0
  private begunAt: InstantMs

  /** `wishedBurst`: what the user lets be saved up; `firstSaved`: what is there at the start, absent: all of that. */
  constructor(
    { budget, factor }: SpendingRate,
    private readonly wishedBurst: number,
    now: InstantMs,
    firstSaved?: number,
  ) {
    this.budget = budget
    this.whole = budgetShare(budget, factor)
    this.bucket = new TokenBucket(this.whole, this.burst, now, firstSaved)
    const limit = hourlyLimitOf(this.whole, wishedBurst)
    this.hourlyLimit = limit === null ? null : new HourlyLimit(limit, now)
    this.least = leastPerHour(this.whole, wishedBurst)
    this.begunAt = now
  }

  get burst(): number {
    return maxSaved(this.whole, this.wishedBurst)
  }

  saved(now: InstantMs): number {
    return this.bucket.balance(now)
  }

  affordableAt(cost: number, now: InstantMs): InstantMs {
    return Math.max(this.bucket.affordableAt(cost, now), this.hourlyLimit?.allowedAt(cost, now) ?? now)
  }

  overdrawableAt(_cost: number, now: InstantMs): InstantMs {
    return now
  }

  spend(cost: number, now: InstantMs, at: InstantMs = now): void {
    this.bucket.spend(cost, now)
    this.hourlyLimit?.spend(cost, now, at)
  }

  delay(cost: number, at: InstantMs, now: InstantMs): void {
    this.hourlyLimit?.delay(cost, at, now)
  }

  refund(cost: number, now: InstantMs): void {
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
    this.budget = budget
    this.whole = budgetShare(budget, factor)
    this.bucket.setRate(this.whole, this.burst, now)
    const limit = hourlyLimitOf(this.whole, this.wishedBurst)
    if (limit === null) this.hourlyLimit = null
    else if (this.hourlyLimit === null) this.hourlyLimit = new HourlyLimit(limit, now)
    else this.hourlyLimit.setLimit(limit)
    this.least = leastPerHour(this.whole, this.wishedBurst)
    this.lacksAt = 0
    this.begunAt = now
  }

  dropSaved(now: InstantMs): void {
    this.bucket.setBalance(Math.min(0, this.bucket.balance(now)), now)
  }

  shift(byMs: DurationMs): void {
    this.bucket.shift(byMs)
    this.hourlyLimit?.shift(byMs)
    this.lacksAt += byMs
    this.begunAt += byMs
  }

  snapshot(now: InstantMs): StoredAllowance {
    return { balance: this.bucket.balance(now), minutes: this.hourlyLimit?.minutes(now) ?? [] }
  }

  resume(stored: StoredAllowance, now: InstantMs, setByMs: DurationMs): void {
    this.bucket.setBalance(Math.min(0, stored.balance), now)
    this.hourlyLimit?.restore(stored.minutes, now, setByMs)
    this.lacksAt = 0
    this.begunAt = now
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
