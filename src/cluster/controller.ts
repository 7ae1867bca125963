import type { DurationMs, InstantMs } from '../model/index.ts'
import { pricePeriodMs } from '../refresh/price.ts'
import { budgetShare } from '../refresh/scheduler/local-allowance.ts'
import { PriceControl } from '../refresh/scheduler/price-control.ts'
import type { SpendingPeriod } from '../refresh/scheduler/pricing.ts'
import type { PricedStrategy } from '../refresh/strategy.ts'
import { DayPrices } from './day-prices.ts'
import { grantLimits, isSameTerms } from './grant-limits.ts'
import type { BudgetTerms, GrantStanding } from './grants.ts'
import { PayerPrices } from './payer-prices.ts'
import type { CommonPrice, MemberReport, PayerPrice, PostedPrice, ReadReport } from './prices.ts'
import { SourceCount } from './source-count.ts'
import { SpendingSince } from './spending-since.ts'

export interface ControllerOptions {
  readonly strategy: Pick<PricedStrategy<never>, 'id' | 'firstPrice' | 'timetable'>
  readonly terms: BudgetTerms
  /** What stands on the board: another controller has found it. */
  readonly posted: PostedPrice | null
  readonly now: InstantMs
}

/** Moves the price of a cluster by the rule of one process (price-control.ts), from the sum of what all members see. */
export class Controller {
  private readonly control: PriceControl
  private readonly spending = new SpendingSince()
  private readonly payerPrices: PayerPrices
  private payers: readonly PayerPrice[] = []
  private terms: BudgetTerms
  private readonly count = new SourceCount()
  private hasBegun = false
  private beganAt: InstantMs
  private endsAt: InstantMs
  /** Another controller has found one for the same strategy. */
  private readonly foundPrice: number | null
  private readonly dayPrices: DayPrices

  constructor(private readonly options: ControllerOptions) {
    const { strategy, terms, posted, now } = options
    this.terms = terms
    const whole = budgetShare(terms.budget, terms.factor)
    this.control = new PriceControl(strategy, whole, now, terms.burst)
    const found = posted?.strategy === strategy.id ? posted : null
    this.foundPrice = found?.price ?? null
    this.dayPrices = new DayPrices(found?.byHour)
    this.payerPrices = new PayerPrices(strategy, found?.payers ?? [])
    this.beganAt = now
    this.endsAt = nextEnd(now, posted?.periodMs ?? this.periodMs)
  }

  /** When the present period of all members ends. */
  get periodEndsAt(): InstantMs {
    return this.endsAt
  }

  /** Of several payers the lowest is the price; those who have sources elsewhere alone follow it, too. */
  get price(): CommonPrice {
    const { payers } = this
    const { price, isLow } = payers.reduce((low, one) => (one.price < low.price ? one : low), payers[0] ?? this.control)
    const strategy = this.options.strategy.id
    return { price, isLow, strategy, periodMs: this.periodMs, byHour: this.dayPrices.all, payers }
  }

  /** Sources of all members. */
  get sourceCount(): number {
    return this.count.sources
  }

  /** Other terms, and the price that is believed to spend the budget where one is known. */
  setTerms(terms: BudgetTerms, price: number | null): void {
    this.follow(terms)
    if (price === null) return
    this.payerPrices.scale(price / this.price.price)
    this.control.setPrice(price)
  }

  /** What all members have reported by now of the period that has ended; the price from now on. */
  endPeriod(now: InstantMs, standing: GrantStanding, reports: readonly ReadReport[]): CommonPrice {
    const endedAt = this.endsAt
    this.follow(standing.terms)
    this.countSources(reports, now)
    const period = this.periodOf(reports, savedOf(standing))
    if (this.hasBegun) {
      this.control.noteWaiting(reports.reduce((sum, { leastWaiting }) => sum + leastWaiting, 0))
      this.control.endPeriod(endedAt, period)
    } else this.control.begin(endedAt, period)
    const { beganAt, terms } = this
    this.payers = this.payerPrices.endPeriod(reports, { beganAt, endedAt, terms, price: this.control.price })
    this.beganAt = endedAt
    this.hasBegun = this.hasBegun || reports.length > 0
    this.endsAt = nextEnd(now, this.periodMs)
    this.dayPrices.note(this.price.price, now)
    return this.price
  }

  /**
   * Where more waited all the time than the period could have paid for, what went out says nothing about what is wanted: it
   * was the hourly limit that stopped it. Without this the price fell while everything waited, until all sources did.
   */
  private periodOf(reports: readonly ReadReport[], saved: number): SpendingPeriod {
    const payable = (this.endsAt - this.beganAt) * grantLimits(this.terms).ratePerMs
    const seen = sumReports(reports, this.takeSpent(reports), saved)
    const isStalled = reports.reduce((sum, { leastWaiting }) => sum + leastWaiting, 0) > payable
    return isStalled ? { ...seen, spent: Math.max(seen.spent, payable) } : seen
  }

  /** Each payer needs some requests to tell its price by. */
  private get periodMs(): DurationMs {
    const payers = Math.max(1, this.payers.length)
    const whole = budgetShare(this.terms.budget, this.terms.factor / payers)
    return pricePeriodMs(whole, Math.max(1, this.count.sources / payers))
  }

  private follow(terms: BudgetTerms): void {
    if (isSameTerms(terms, this.terms)) return
    this.terms = terms
    this.control.setBudget(budgetShare(terms.budget, terms.factor))
  }

  private countSources(reports: readonly MemberReport[], now: InstantMs): void {
    const sources = reports.reduce((sum, report) => sum + report.sources, 0)
    if (this.foundPrice !== null && !this.hasBegun) this.control.resume(this.foundPrice, sources)
    const change = this.count.take(sources, now)
    if (change !== null) this.control.setSources(sources, change)
  }

  private takeSpent(reports: readonly ReadReport[]): number {
    return reports.reduce((sum, { memberId, spent }) => sum + this.spending.take(memberId, spent), 0)
  }
}

/** What all members see together. */
function sumReports(reports: readonly MemberReport[], spent: number, saved: number): SpendingPeriod {
  const sum = (of: (report: MemberReport) => number) => reports.reduce((total, report) => total + of(report), 0)
  return {
    spent,
    waiting: sum(({ waiting }) => waiting),
    saved,
    exploring: reports.some(({ exploring }) => exploring),
    sources: sum(({ sources }) => sources),
  }
}

/** What members hold and have not spent could be spent at once, too. */
function savedOf({ balance, outstanding }: GrantStanding): number {
  return [...outstanding.values()].reduce((sum, amount) => sum + amount, balance)
}

function nextEnd(now: InstantMs, periodMs: DurationMs): InstantMs {
  return (Math.floor(now / periodMs) + 1) * periodMs
}
