import { type DurationMs, HOUR_MS, type InstantMs } from '../../model/index.ts'
import { type Demand, levelPrice, nextPrice, pricePeriodMs } from '../price.ts'
import { savingPrice } from '../saving-price.ts'
import type { Budget, PricedStrategy } from '../strategy.ts'
import { BoundedPrice } from './bounded-price.ts'
import type { Pricing, SourcesChange, SpendingPeriod } from './pricing.ts'

/**
 * Moves the price period by period. Two rules (price.ts): where due times follow the price smoothly, so that a little always
 * waits; for timetables, whose due times come in bunches, so that what becomes due in the long run is what the budget pays.
 */
export class PriceControl implements Pricing {
  private readonly bounded: BoundedPrice
  endsAt: InstantMs
  private beganAt: InstantMs
  private leastWaiting = 0
  /** What the budget would have paid for beyond what became due, requests. */
  private level = 0
  private waitingBefore = 0
  /** What was saved, less what waited, over the last hour. */
  private saved = 0
  /** The price comes from what was seen; before that it is the strategy's first. */
  private isSettled = false
  private payers = 1
  readonly incomePerMs = null
  readonly revision = 0

  constructor(
    private readonly strategy: Pick<PricedStrategy<never>, 'firstPrice' | 'timetable'>,
    private whole: Budget,
    now: InstantMs,
    private readonly wholeBurst: number,
  ) {
    this.bounded = new BoundedPrice(strategy, whole)
    this.beganAt = now
    this.endsAt = now + pricePeriodMs(whole, 1)
  }

  get price(): number {
    return this.bounded.now
  }

  get isLow(): boolean {
    return this.bounded.isLow
  }

  takeFall(below?: number): boolean {
    return this.bounded.takeFall(below)
  }

  noteWaiting(waiting: number): void {
    if (waiting < this.leastWaiting) this.leastWaiting = waiting
  }

  setBudget(budget: Budget): void {
    this.whole = budget
    this.bounded.setBudget(this.budget)
  }

  setPrice(price: number): void {
    this.bounded.set(price)
  }

  setSources(sources: number, change: SourcesChange): void {
    if (change === 'added') this.bounded.added(sources)
    else if (change === 'removed') this.bounded.removed(sources)
    else this.bounded.setCount(sources)
  }

  /** A first price follows; one that was found stays, for nobody knows what the others need. */
  setPayers(payers: number): void {
    this.payers = payers
    if (this.isSettled) this.bounded.setLimits(this.budget)
    else this.bounded.setBudget(this.budget)
  }

  /** Whoever it is, its own demand moves it. */
  setPayer(): void {}

  resume(price: number, sources: number): void {
    this.isSettled = true
    this.bounded.resume(price, sources)
  }

  shift(byMs: DurationMs): void {
    this.beganAt += byMs
    this.endsAt += byMs
  }

  endPeriod(now: InstantMs, period: SpendingPeriod): void {
    const periodMs = now - this.beganAt
    const target =
      period.perMs === undefined ? (periodMs * this.budget.requests) / this.budget.perMs : periodMs * period.perMs
    const waiting = Math.min(this.leastWaiting, period.waiting)
    const demand = period.spent + period.waiting - this.waitingBefore
    this.begin(now, period)
    this.isSettled = true
    if (waiting === 0 && period.exploring) return
    if (this.strategy.timetable) {
      const seen = { level: this.level, target, demand, sources: period.sources }
      if (this.mayBreathe) this.save(seen, period, periodMs)
      else this.keepLevel(seen)
    } else this.bounded.set(nextPrice(this.price, { spent: period.spent, target, waiting, sources: period.sources }))
  }

  begin(now: InstantMs, { waiting, sources }: Pick<SpendingPeriod, 'waiting' | 'sources'>): void {
    this.beganAt = now
    this.endsAt = now + this.periodMs(sources)
    this.leastWaiting = waiting
    this.waitingBefore = waiting
  }

  private save(seen: Demand, { saved: inBucket, waiting }: SpendingPeriod, periodMs: DurationMs): void {
    const savings = { ...seen, saved: this.saved, inBucket, waiting, burst: this.burst, periodMs }
    const { price, saved, level } = savingPrice(this.price, savings)
    this.saved = saved
    this.level = level
    this.bounded.set(price)
  }

  private keepLevel(seen: Demand): void {
    const { price, level } = levelPrice(this.price, seen)
    this.level = level
    this.bounded.set(price)
  }

  private get budget(): Budget {
    return { requests: this.whole.requests / this.payers, perMs: this.whole.perMs }
  }

  private get burst(): number {
    return this.wholeBurst / this.payers
  }

  /** More than an hour's budget may be saved up. */
  private get mayBreathe(): boolean {
    return this.burst > Math.max(1 / this.payers, (HOUR_MS * this.budget.requests) / this.budget.perMs)
  }

  private periodMs(sources: number): DurationMs {
    return pricePeriodMs(this.budget, sources)
  }
}
