import { type DurationMs, type InstantMs, MINUTE_MS } from '../model/index.ts'
import { pricePeriodMs } from '../refresh/price.ts'
import type { PayerId } from '../refresh/scheduler/payer-shares.ts'
import type { Pricing, SourcesChange, SpendingPeriod } from '../refresh/scheduler/pricing.ts'
import type { Budget, PricedStrategy } from '../refresh/strategy.ts'
import { usualPrice } from './day-prices.ts'
import type { MemberReport, PayerPrice, PayerReport, PostedPrice } from './prices.ts'

/** A price this much lower than at the last sweep makes sleepers late: they are looked at. */
const SWEEP_BELOW = 0.99
/** Whoever moves the price does so every minute at least. */
const MOVED_WITHIN_MS = 5 * MINUTE_MS

type PricingStrategy = Pick<PricedStrategy<never>, 'id' | 'firstPrice'>

/**
 * The common price within one process, for all who pay in it, and the sum of what they see. Somebody brings the price
 * (report-spending.ts, and the lab); until the first comes it is what the strategy would begin with.
 */
export class SharedPrices {
  private posted: PostedPrice | null = null
  private byPayer: ReadonlyMap<PayerId, PayerPrice> = new Map()
  private spent = 0
  /** Moves with what stands on the board, and with what is seen here. */
  revision = 0
  private readonly all = new Set<SharedPricing>()
  /** Called at the end of each period. */
  onPeriod: () => void = () => {}

  constructor(private readonly strategy: PricingStrategy) {}

  /** Makes the price of a payer. */
  readonly newPricing = (budget: Budget, now: InstantMs): Pricing => {
    const pricing = new SharedPricing(this, budget, now)
    this.all.add(pricing)
    return pricing
  }

  /** From the board; that of another strategy means nothing here. Nobody moves it: it is what it was a day ago. */
  announce(posted: PostedPrice | null, now: InstantMs): void {
    if (posted === null || posted.strategy !== this.strategy.id) return
    const usual = posted.ageMs > MOVED_WITHIN_MS ? usualPrice(posted.byHour, now) : null
    const price = usual ?? posted.price
    if (price !== this.posted?.price || posted.revision !== this.posted.revision) this.revision++
    this.posted = { ...posted, price }
    const factor = price / posted.price
    this.byPayer = new Map(posted.payers.map((one) => [one.id, { ...one, price: one.price * factor }]))
    for (const pricing of this.all) pricing.follow()
  }

  /** null: none was announced yet. */
  get price(): number | null {
    return this.posted?.price ?? null
  }

  /** When the period ends that this moment is in: all members end theirs together. */
  endOfPeriod(now: InstantMs, budget: Budget, sources: number): InstantMs {
    const periodMs = this.posted?.periodMs ?? pricePeriodMs(budget, sources)
    return (Math.floor(now / periodMs) + 1) * periodMs
  }

  priceFor(id: PayerId | null, budget: Budget, sources: number): number {
    const own = id === null ? undefined : this.byPayer.get(id)
    return own?.price ?? this.posted?.price ?? this.strategy.firstPrice(Math.max(1, sources), budget)
  }

  isLowFor(id: PayerId | null): boolean {
    return (id === null ? undefined : this.byPayer.get(id))?.isLow ?? this.posted?.isLow ?? false
  }

  /**
   * What comes in here for a payer: of what it may spend in all processes as much as it has of its demand here, or of its sources
   * where that is more: somebody has just handed them over. null: it is the only one, or nobody knows of it yet.
   */
  incomeOf(id: PayerId | null, demand: number, sources: number): number | null {
    const whole = id === null ? undefined : this.byPayer.get(id)
    if (whole === undefined) return null
    const ofDemand = whole.demand > 0 ? demand / whole.demand : 0
    const ofSources = whole.sources > 0 ? sources / whole.sources : 0
    return whole.perMs * Math.min(1, Math.max(ofDemand, ofSources))
  }

  /** A period of one of the payers has ended. */
  take(spent: number): void {
    this.spent += spent
    this.revision++
    this.onPeriod()
  }

  /** What this process sees, of all who pay. */
  report(): MemberReport {
    const all = [...this.all].map(({ last }) => last).filter(({ sources }) => sources > 0)
    const sum = (of: (one: SeenByPayer) => number) => all.reduce((total, one) => total + of(one), 0)
    return {
      spent: this.spent,
      waiting: sum(({ waiting }) => waiting),
      leastWaiting: sum(({ leastWaiting }) => leastWaiting),
      sources: sum(({ sources }) => sources),
      exploring: all.some(({ exploring }) => exploring),
      payers: [...this.all].flatMap((pricing) => pricing.payerReport ?? []),
    }
  }
}

interface SeenByPayer {
  waiting: number
  leastWaiting: number
  sources: number
  exploring: boolean
  saved: number
}

/** The price of one payer where all processes share one: it comes from outside, and stands still while nobody moves it. */
class SharedPricing implements Pricing {
  endsAt: InstantMs
  /** What it saw in the last period. */
  readonly last: SeenByPayer = { waiting: 0, leastWaiting: 0, sources: 0, exploring: false, saved: 0 }
  private leastWaiting = 0
  private fellFrom: number
  private id: PayerId | null = null
  private part = 1
  private spent = 0
  /** What it has spent in the last period, and would have liked to. */
  private demand = 0

  constructor(
    private readonly shared: SharedPrices,
    private budget: Budget,
    now: InstantMs,
  ) {
    this.endsAt = shared.endOfPeriod(now, budget, 1)
    this.fellFrom = this.price
  }

  get price(): number {
    return this.shared.priceFor(this.id, this.budget, this.last.sources)
  }

  get isLow(): boolean {
    return this.shared.isLowFor(this.id)
  }

  get revision(): number {
    return this.shared.revision
  }

  get incomePerMs(): number | null {
    return this.shared.incomeOf(this.id, this.demand, this.last.sources)
  }

  /** null: nobody says whose it is, or it has nothing. */
  get payerReport(): PayerReport | null {
    const { id, part, spent, last } = this
    return id === null || last.sources === 0 ? null : { id, part, ...last, spent }
  }

  setPayer(id: PayerId | null, part: number): void {
    this.id = id
    this.part = part
  }

  /** The price may have moved. */
  follow(): void {
    this.fellFrom = Math.max(this.fellFrom, this.price)
  }

  takeFall(below = SWEEP_BELOW): boolean {
    const { price } = this
    if (price > this.fellFrom * below) return false
    this.fellFrom = price
    return true
  }

  noteWaiting(waiting: number): void {
    if (waiting < this.leastWaiting) this.leastWaiting = waiting
  }

  endPeriod(now: InstantMs, { spent, waiting, exploring, sources, saved }: SpendingPeriod): void {
    const leastWaiting = Math.min(waiting, this.leastWaiting)
    Object.assign(this.last, { waiting, leastWaiting, exploring, sources, saved })
    this.begin(now, { waiting, sources })
    this.spent += spent
    this.demand = spent + waiting
    this.shared.take(spent)
  }

  begin(now: InstantMs, { waiting, sources }: Pick<SpendingPeriod, 'waiting' | 'sources'>): void {
    this.endsAt = this.shared.endOfPeriod(now, this.budget, sources)
    this.leastWaiting = waiting
  }

  setSources(sources: number, _change: SourcesChange): void {
    this.last.sources = sources
    this.follow()
  }

  setBudget(budget: Budget): void {
    this.budget = budget
    this.follow()
  }

  shift(byMs: DurationMs): void {
    this.endsAt += byMs
  }

  /** Whoever moves the price of all does so; see controller.ts. */
  setPrice(): void {}
  setPayers(): void {}
  resume(): void {}
}
