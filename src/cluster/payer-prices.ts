import { HOUR_MS, type InstantMs } from '../model/index.ts'
import { budgetShare } from '../refresh/scheduler/local-allowance.ts'
import type { PayerId } from '../refresh/scheduler/payer-shares.ts'
import { fairPerMs } from '../refresh/scheduler/payers/accounts.ts'
import { PriceControl } from '../refresh/scheduler/price-control.ts'
import type { Budget, PricedStrategy } from '../refresh/strategy.ts'
import type { BudgetTerms } from './grants.ts'
import type { PayerPrice, PayerReport, ReadReport } from './prices.ts'
import { SourceCount } from './source-count.ts'
import { SpendingSince } from './spending-since.ts'

/** Sums of parts are exact up to this. */
const NOTHING = 1e-6

type PayingStrategy = Pick<PricedStrategy<never>, 'firstPrice' | 'timetable'>

interface PeriodOfAll {
  readonly beganAt: InstantMs
  readonly endedAt: InstantMs
  readonly terms: BudgetTerms
  /** What all would pay if there were one price: those begin with it who were there before. */
  readonly price: number
}

/**
 * The prices of those who share the budget of a cluster. Each is moved by the demand of one payer in all processes, as if it were
 * alone with what it gets, by the rule of one process (refresh/scheduler/payers). With one price for all, those whose sources follow
 * the price make room for those whose sources do not: on three days of four members one with ten sources of interval 1 s had
 * 94 % of the requests.
 */
export class PayerPrices {
  private readonly payers = new Map<PayerId, ControlledPayer>()
  private readonly spending = new SpendingSince()

  /** `found`: what stands on the board. */
  constructor(
    private readonly strategy: PayingStrategy,
    private readonly found: readonly PayerPrice[],
  ) {}

  /** The prices from now on; empty: one pays for all. */
  endPeriod(reports: readonly ReadReport[], period: PeriodOfAll): readonly PayerPrice[] {
    const seen = sumByPayer(reports, this.spending)
    if (seen.length < 2) {
      this.payers.clear()
      return []
    }
    const wasShared = this.payers.size > 0
    for (const id of this.payers.keys()) if (!seen.some((one) => one.id === id)) this.payers.delete(id)
    const partSum = seen.reduce((sum, { part }) => sum + part, 0)
    const whole = budgetShare(period.terms.budget, period.terms.factor)
    const claims = seen.map((one) => {
      const payer = this.payers.get(one.id) ?? this.begin(one, whole, period, wasShared)
      payer.take(one, partSum / one.part, period)
      return payer
    })
    const budgetPerMs = whole.requests / whole.perMs
    for (const payer of claims) {
      payer.endPeriod(
        fairPerMs(payer, claims, budgetPerMs, (one) => one.spentPerMs),
        period,
      )
    }
    return claims.map((payer) => payer.posted(fairPerMs(payer, claims, budgetPerMs, (one) => one.spentPerMs)))
  }

  /** Another budget, or a price for all: theirs follow. */
  scale(factor: number): void {
    for (const { control } of this.payers.values()) control.setPrice(control.price * factor)
  }

  private begin(one: SeenPayer, whole: Budget, { endedAt, terms, price }: PeriodOfAll, wasShared: boolean) {
    const control = new PriceControl(this.strategy, whole, endedAt, terms.burst)
    const found = this.found.find(({ id }) => id === one.id)?.price ?? (wasShared ? null : price)
    if (found !== null) control.resume(found, one.sources)
    const payer = new ControlledPayer(control)
    this.payers.set(one.id, payer)
    return payer
  }
}

/** What all members see of one payer. */
type SeenPayer = PayerReport & { readonly demand: number }

function sumByPayer(reports: readonly ReadReport[], spending: SpendingSince): SeenPayer[] {
  const byId = new Map<PayerId, SeenPayer>()
  for (const { memberId, payers } of reports) {
    for (const one of payers) {
      const spent = spending.take(`${one.id} ${memberId}`, one.spent)
      const before = byId.get(one.id)
      byId.set(one.id, {
        id: one.id,
        part: one.part,
        spent: spent + (before?.spent ?? 0),
        waiting: one.waiting + (before?.waiting ?? 0),
        leastWaiting: one.leastWaiting + (before?.leastWaiting ?? 0),
        saved: one.saved + (before?.saved ?? 0),
        sources: one.sources + (before?.sources ?? 0),
        exploring: one.exploring || (before?.exploring ?? false),
        demand: spent + one.waiting + (before?.demand ?? 0),
      })
    }
  }
  return [...byId.values()].filter(({ sources }) => sources > NOTHING)
}

class ControlledPayer {
  part = 1
  isSated = false
  /** Over about an hour, the older the less. */
  spentPerMs = 0
  private seen: SeenPayer | null = null
  private readonly count = new SourceCount()
  private hasBegun = false

  constructor(readonly control: PriceControl) {}

  take(seen: SeenPayer, payers: number, { beganAt, endedAt }: PeriodOfAll): void {
    this.seen = seen
    this.part = seen.part
    this.control.setPayers(payers)
    const change = this.count.take(seen.sources, endedAt)
    if (change !== null) this.control.setSources(seen.sources, change)
    const weight = Math.exp(-(endedAt - beganAt) / HOUR_MS)
    this.spentPerMs = weight * this.spentPerMs + seen.spent / HOUR_MS
    this.isSated = this.control.isLow && !(seen.waiting > NOTHING)
  }

  endPeriod(perMs: number, { endedAt }: PeriodOfAll): void {
    const { seen, control } = this
    if (seen === null) return
    if (this.hasBegun) {
      control.noteWaiting(seen.leastWaiting)
      control.endPeriod(endedAt, { ...seen, perMs })
    } else control.begin(endedAt, seen)
    this.hasBegun = true
  }

  posted(perMs: number): PayerPrice {
    const { price, isLow } = this.control
    const { id = 0, demand = 0, sources = 0 } = this.seen ?? {}
    return { id, price, isLow, perMs, demand, sources }
  }
}
