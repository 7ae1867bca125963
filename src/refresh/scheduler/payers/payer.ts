import { type DurationMs, HOUR_MS, type InstantMs, type SourceId } from '../../../model/index.ts'
import type { PayerId } from '../payer-shares.ts'
import type { Pricing, SpendingPeriod } from '../pricing.ts'
import type { Account } from './accounts.ts'

/**
 * One of those who share the budget: what it may spend, and a price of its own, which its own demand moves. Counts are in
 * parts: a source of three payers is a third of one to each.
 */
export class Payer implements Account {
  id: PayerId | null
  readonly index: number
  readonly pricing: Pricing
  balance = 0
  part = 1
  /** Since its price was last moved. */
  spent = 0
  /** Due, whether or not it can pay for them. */
  waiting = 0
  /** Never refreshed. */
  fresh = 0
  sources = 0
  /** Let go of those that wait for its share, and not yet taken; −1: none. */
  released = -1
  /** What it requested by hand beyond its share. */
  readonly requested = new Set<SourceId>()
  private recent = 0
  private recentAt: InstantMs = Number.NEGATIVE_INFINITY

  constructor(id: PayerId | null, index: number, pricing: Pricing) {
    this.id = id
    this.index = index
    this.pricing = pricing
  }

  get price(): number {
    return this.pricing.price
  }

  get isWanting(): boolean {
    return this.waiting > 1e-6
  }

  /** All its sources are refreshed as often as they may be, and it has more. */
  get isSated(): boolean {
    return this.pricing.isLow && !this.isWanting
  }

  get hasCredit(): boolean {
    return this.balance > 1e-9
  }

  /** Over about an hour, the older the less. */
  spentPerHour(now: InstantMs): number {
    return this.recent * Math.exp(-Math.max(0, now - this.recentAt) / HOUR_MS)
  }

  pay(cost: number, now: InstantMs, lowest: number): void {
    this.balance = Math.max(lowest, this.balance - cost)
    this.recent = cost + (this.recentAt === Number.NEGATIVE_INFINITY ? 0 : this.spentPerHour(now))
    this.recentAt = now
  }

  /** Takes over what was spent before a restart. */
  resume(spentPerHour: number, now: InstantMs): void {
    this.recent = spentPerHour
    this.recentAt = now
  }

  shift(byMs: DurationMs): void {
    this.recentAt += byMs
    this.pricing.shift(byMs)
  }

  /** `perMs`: what it may spend. `alone`: its state where it is the only one, and no account is stored. */
  endPeriod(now: InstantMs, perMs: number, alone: Omit<SpendingPeriod, 'spent'> | null): void {
    const { spent } = this
    const { balance: saved, waiting, sources } = this
    this.spent = 0
    this.pricing.endPeriod(
      now,
      alone === null ? { spent, waiting, perMs, saved, exploring: this.fresh > 1e-6, sources } : { spent, ...alone },
    )
  }

  beginPeriod(now: InstantMs, alone: Pick<SpendingPeriod, 'waiting' | 'sources'> | null): void {
    this.spent = 0
    this.pricing.begin(now, alone ?? this)
  }
}
