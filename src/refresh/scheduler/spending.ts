import { type DurationMs, HOUR_MS, type InstantMs, type Observation } from '../../model/index.ts'
import { type BudgetSplit, totalOf } from '../learning/plan.ts'
import type { Budget } from '../strategy.ts'
import { HourlyLimit } from './hourly-limit.ts'
import { TokenBucket } from './token-bucket.ts'
import type { Cause, CostUnit, SchedulerOptions, StoredSchedule } from './types.ts'

const GUARDED_FROM = 20
/**
 * Where no hour gets more than its budget, more than half of that is not saved up: spent at once, it would leave nothing
 * for the rest of the hour. On rss-2024 at 24 a day a whole hour's cost 31 % of delay beside half of one.
 */
const SAVED_HOURS = 0.5
/** Of the budget of any hour this much is spent while there is a source for it: what an hour leaves is lost to the next. */
const LEAST_SHARE = 0.93
/** One unit of the budget in bytes and in time: what a usual answer takes. */
const BYTES_PER_UNIT = 20_000
const MS_PER_UNIT = 500
const LEAST_COST = 0.1
const MOST_COST = 100
/** How much one answer tells about the next. */
const COST_ALPHA = 0.2

type SpendingOptions = Pick<SchedulerOptions<unknown>, 'budget' | 'burst' | 'now' | 'costs'> & {
  /** What of the budget is for what. */
  readonly split: BudgetSplit
  readonly stored?: StoredSchedule | null
  /** By how much the clock was set since it was kept. */
  readonly setByMs?: DurationMs
}

/** The token bucket above every strategy, with the shares of it that are set aside for first looks and for learning. */
export class Spending {
  private readonly bucket: TokenBucket
  private readonly exploring: TokenBucket
  private readonly learning: TokenBucket | null
  /** Nothing is left for what is merely due: all have their turn in learning. */
  readonly isAllForLearning: boolean
  /** Without bursts an hour exceeds its budget by less than one request; that matters where it can be counted. */
  private readonly hourlyLimit: HourlyLimit | null
  private readonly costs: CostUnit
  /** Requests of any hour, once there was one. */
  private readonly least: number
  private lacksAt = 0
  private begunAt: InstantMs

  constructor(options: SpendingOptions) {
    const { now, stored = null, split } = options
    const { exploring, learning } = split
    const budget = shareOf(options.budget, totalOf(split))
    this.hourlyLimit = hourlyLimitFor(budget, options.burst, now)
    const burst = mostSaved(budget, options.burst)
    // After a restart nothing is earned for the time in which this program was not there.
    this.bucket = new TokenBucket(budget, burst, now, stored === null ? burst : Math.min(0, stored.balance))
    const newcomers = shareOf(options.budget, Math.max(1e-6, exploring))
    this.exploring = new TokenBucket(newcomers, Math.max(1, burst * exploring), now)
    this.learning = learning > 0 ? new TokenBucket(shareOf(options.budget, learning), 1, now) : null
    this.isAllForLearning = !(split.refreshing > 0)
    if (stored !== null) this.hourlyLimit?.restore(stored.minutes, now, options.setByMs ?? 0)
    this.costs = options.costs ?? 'requests'
    this.begunAt = now
    this.least = this.hourlyLimit === null || perHour(budget) < GUARDED_FROM ? 0 : LEAST_SHARE * perHour(budget)
  }

  /** The clock was set: what was earned and spent stays as long ago as it was. */
  shift(byMs: DurationMs): void {
    for (const part of [this.bucket, this.exploring, this.learning, this.hourlyLimit]) part?.shift(byMs)
    this.lacksAt += byMs
    this.begunAt += byMs
  }

  /** What could be spent at once. */
  saved(now: InstantMs): number {
    return this.bucket.balance(now)
  }

  /** When the last hour's budget will not have been made use of, unless something is spent before; Infinity: never. */
  lackingAt(now: InstantMs): InstantMs {
    // Whatever is spent meanwhile only puts it off.
    if (this.hourlyLimit !== null && now >= this.lacksAt) this.lacksAt = this.hourlyLimit.lackingAt(this.least, now)
    return this.least > 0 ? Math.max(this.lacksAt, this.begunAt + HOUR_MS) : Number.POSITIVE_INFINITY
  }

  affordableAt(cost: number, now: InstantMs): InstantMs {
    return Math.max(this.bucket.affordableAt(cost, now), this.hourlyLimit?.allowedAt(cost, now) ?? now)
  }

  spend(cost: number, now: InstantMs, cause: Cause): void {
    this.bucket.spend(cost, now)
    this.hourlyLimit?.spend(cost, now)
    if (cause === 'new') this.exploring.spend(cost, now)
    // A first look is paid from what is set aside for learning as far as there is some, and beyond that from its own share.
    if (cause === 'learning' || (cause === 'new' && this.learningDue(now))) this.learning?.spend(cost, now)
  }

  refund(cost: number, now: InstantMs, wasForLearning: boolean): void {
    this.bucket.refund(cost)
    this.hourlyLimit?.refund(cost, now)
    if (wasForLearning) this.learning?.refund(cost)
    this.lacksAt = 0
  }

  mayExplore(now: InstantMs): boolean {
    return this.exploring.affordableAt(1, now) <= now || this.learningDue(now)
  }

  learningDue(now: InstantMs): boolean {
    return this.learningAt(now) <= now
  }

  /** When the next learning request can be paid from its share. */
  learningAt(now: InstantMs): InstantMs {
    return this.learning?.affordableAt(1, now) ?? Number.POSITIVE_INFINITY
  }

  /** What the next request to the source will cost, from what this one took. */
  costAfter(cost: number, observation: Observation): number {
    return costAfter(this.costs, cost, observation)
  }

  snapshot(now: InstantMs): Pick<StoredSchedule, 'balance' | 'minutes'> {
    return { balance: this.bucket.balance(now), minutes: this.hourlyLimit?.minutes(now) ?? [] }
  }
}

/** What the next request to a source will cost, from what this one took. */
export function costAfter(unit: CostUnit, cost: number, { bytes, latencyMs }: Observation): number {
  if (unit === 'requests') return cost
  const seen = unit === 'bytes' ? bytes / BYTES_PER_UNIT : latencyMs / MS_PER_UNIT
  return Math.min(MOST_COST, Math.max(LEAST_COST, cost + COST_ALPHA * (seen - cost)))
}

/** What may really be saved up. */
export function mostSaved(budget: Budget, burst: number): number {
  return isGuarded(budget, burst) ? Math.min(burst, Math.max(1, SAVED_HOURS * perHour(budget))) : burst
}

function perHour({ requests, perMs }: Budget): number {
  return (HOUR_MS * requests) / perMs
}

function shareOf(budget: Budget, share: number): Budget {
  return { requests: budget.requests * share, perMs: budget.perMs }
}

/**
 * No hour gets more than its budget, where that can be counted. A user who allows bursts of more than an hour's budget wants
 * the rate to breathe: then the bucket alone holds it, one burst beyond the budget at most over any time. A limit of a day's
 * budget in any 24 hours besides cost 20 % of delay: Mondays have more news than Sundays.
 */
function hourlyLimitFor(budget: Budget, burst: number, now: InstantMs): HourlyLimit | null {
  if (!isGuarded(budget, burst)) return null
  const limit = perHour(budget)
  return new HourlyLimit(limit >= GUARDED_FROM ? limit : Math.ceil(limit), now)
}

function isGuarded(budget: Budget, burst: number): boolean {
  const limit = perHour(budget)
  return burst <= Math.max(1, limit) && (burst > 1 || limit >= GUARDED_FROM)
}
