import { type DurationMs, HOUR_MS, type InstantMs } from '../../model/index.ts'
import { levelPrice, nextPrice, pricePeriodMs } from '../price.ts'
import { savingPrice } from '../saving-price.ts'
import type { Budget, PricedStrategy } from '../strategy.ts'
import { BoundedPrice } from './bounded-price.ts'

/** What the price is decided from at the end of a period. */
export interface Period {
  readonly spent: number
  /** Due sources that wait for the budget, now. */
  readonly waiting: number
  /** What could be spent at once. */
  readonly saved: number
  /** What may be spent; absent: the budget. */
  readonly perMs?: number
  /** Some are new: while they are looked at, an empty queue says nothing about the price. */
  readonly exploring: boolean
  readonly sources: number
}

/**
 * Moves the price period by period. Two rules (price.ts): where due times follow the price smoothly, so that a little always
 * waits; for timetables, whose due times come in bunches, so that what becomes due in the long run is what the budget pays.
 */
export class PriceControl {
  readonly held: BoundedPrice
  /** When the present period ends. */
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

  constructor(
    private readonly strategy: Pick<PricedStrategy<never>, 'firstPrice' | 'timetable'>,
    private whole: Budget,
    now: InstantMs,
    private readonly wholeBurst: number,
  ) {
    this.held = new BoundedPrice(strategy, whole)
    this.beganAt = now
    this.endsAt = now + pricePeriodMs(whole, 1)
  }

  get price(): number {
    return this.held.now
  }

  /** So few waited at some moment of the period: a queue that ran empty is not seen at its end. */
  noteWaiting(waiting: number): void {
    if (waiting < this.leastWaiting) this.leastWaiting = waiting
  }

  setBudget(budget: Budget): void {
    this.whole = budget
    this.held.setBudget(this.budget)
  }

  /** The budget is shared with others: it is one of so many, as it were. A first price follows; one that was found stays, for nobody knows what they need. */
  setPayers(payers: number): void {
    this.payers = payers
    if (this.isSettled) this.held.setLimits(this.budget)
    else this.held.setBudget(this.budget)
  }

  /** Goes on with a price that was found before. */
  resume(price: number, sources: number): void {
    this.isSettled = true
    this.held.resume(price, sources)
  }

  isOver(now: InstantMs): boolean {
    return now >= this.endsAt
  }

  /** The clock was set: the period goes on. */
  shift(byMs: DurationMs): void {
    this.beganAt += byMs
    this.endsAt += byMs
  }

  endPeriod(now: InstantMs, period: Period): void {
    const periodMs = now - this.beganAt
    const target =
      period.perMs === undefined ? (periodMs * this.budget.requests) / this.budget.perMs : periodMs * period.perMs
    const waiting = Math.min(this.leastWaiting, period.waiting)
    const demand = period.spent + period.waiting - this.waitingBefore
    this.begin(now, period)
    this.isSettled = true
    if (waiting === 0 && period.exploring) return
    if (this.strategy.timetable && this.mayBreathe) {
      const savedNow = period.saved - period.waiting
      const { price, saved } = savingPrice(this.price, {
        saved: this.saved,
        savedNow,
        burst: this.burst,
        target,
        periodMs,
      })
      this.saved = saved
      this.held.set(price)
    } else if (this.strategy.timetable) {
      const { price, level } = levelPrice(this.price, { level: this.level, target, demand, sources: period.sources })
      this.level = level
      this.held.set(price)
    } else this.held.set(nextPrice(this.price, { spent: period.spent, target, waiting, sources: period.sources }))
  }

  begin(now: InstantMs, { waiting, sources }: Pick<Period, 'waiting' | 'sources'>): void {
    this.beganAt = now
    this.endsAt = now + this.periodMs(sources)
    this.leastWaiting = waiting
    this.waitingBefore = waiting
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
