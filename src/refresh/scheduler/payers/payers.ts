import { type DurationMs, HOUR_MS, type InstantMs } from '../../../model/index.ts'
import type { Budget } from '../../strategy.ts'
import { maxSaved } from '../local-allowance.ts'
import type { PayerId, PayerShare, StoredPayer } from '../payer-shares.ts'
import type { NewPricing, Pricing } from '../pricing.ts'
import type { SchedulerOptions } from '../types.ts'
import { fairPerMs, fill, fillApart, Income } from './accounts.ts'
import { Payer } from './payer.ts'

/** Who pays for a source; all sources with the same payers have one. */
interface Group {
  readonly key: string
  readonly payers: readonly Payer[]
  rows: number
  price: number
  /** The version of the prices from which `price` was computed. */
  version: number
}

type PayersOptions = Pick<SchedulerOptions<never>, 'budget' | 'burst' | 'now'> & {
  readonly newPricing: NewPricing
}

/** Sums of parts are exact up to this. */
const NOTHING = 1e-6
/**
 * So many refreshes may be requested by hand beyond one's share. All others wait until they are earned: a person is not
 * kept waiting for one or two, and no more than that is taken from others.
 */
const MOST_OVERDRAWN = 2
/** Times what may be saved up. */
const MOST_DEBT = 4

/**
 * Who pays for what. The budget comes in evenly to all payers; what one has no room for goes to the others. Each has a price
 * that its own demand moves, as if it were alone with what it gets; the lowest is *the* price, and the others are multiples
 * of it. With one payer there is nothing to share: its price is the price, and no account is stored.
 *
 * A source costs the lowest price among its payers, so that nobody makes it more expensive by following it, too. They
 * pay in equal parts; one whose share is used up, and whose price is higher for it, pays less by the root of that, which
 * is how much less often it alone would have the source refreshed. So nobody pays more for a source than it would alone.
 */
export class Payers {
  private all: Payer[]
  private readonly byIndex: (Payer | undefined)[]
  private readonly groups = new Map<string, Group>()
  private readonly byRow: (Group | undefined)[] = []
  /** Moves with every price. */
  version = 0
  private lowest: number | null = null
  /** Of those who do not get the usual part. */
  private parts: ReadonlyMap<PayerId, number> = new Map()
  private before: { readonly price: number; readonly payers: ReadonlyMap<PayerId, StoredPayer> } | null = null
  private budget: Budget
  private income: Income
  /** Of the budget, what comes in here: all of it, or what is meant for this process's payers where others share it. */
  private fraction = 1
  /** Others share the budget elsewhere: accounts are kept for one payer, too. */
  private isDivided = false
  /** Of the prices and incomes that somebody else decides. */
  private revision = 0
  private now: InstantMs

  constructor(private readonly options: PayersOptions) {
    this.budget = options.budget
    this.income = new Income(unitMs(this.budget))
    this.now = options.now
    this.byIndex = [new Payer(null, 0, this.newPricing())]
    this.all = [this.byIndex[0]!]
  }

  /** There is more than one, here or elsewhere. */
  get isShared(): boolean {
    return this.isDivided || this.all.length > 1
  }

  /** The first; where only one pays, that one. */
  get only(): Payer {
    return this.all[0]!
  }

  get list(): readonly Payer[] {
    return this.all
  }

  get price(): number {
    if (!this.isShared) return this.only.price
    this.lowest ??= least(this.all.filter(({ sources }) => sources > NOTHING))
    return Number.isFinite(this.lowest) ? this.lowest : this.only.price
  }

  /** What a request to the source has to be worth. */
  priceOf(row: number): number {
    if (!this.isShared) return this.only.price
    const group = this.byRow[row]!
    if (group.version !== this.version) {
      group.version = this.version
      group.price = least(group.payers)
    }
    return group.price
  }

  of(row: number): readonly Payer[] {
    return this.byRow[row]!.payers
  }

  /** Prices have moved. */
  touch(): void {
    this.version++
    this.lowest = null
  }

  canPay(row: number): boolean {
    return this.of(row).some((payer) => payer.hasCredit)
  }

  /** The payer to whom a source is worth most. */
  keenest(row: number): Payer {
    const isKeener = (a: Payer, b: Payer) => a.price < b.price || (a.price === b.price && a.balance > b.balance)
    return this.of(row).reduce((best, payer) => (isKeener(payer, best) ? payer : best))
  }

  charge(row: number, cost: number, now: InstantMs): void {
    const payers = this.of(row)
    if (payers.length === 1) {
      this.chargeOne(payers[0]!, cost, now)
      return
    }
    const price = this.priceOf(row)
    const weights = payers.map((payer) => Math.sqrt(price / payer.price))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    for (const [index, payer] of payers.entries()) this.chargeOne(payer, (cost * weights[index]!) / sum, now)
  }

  chargeOne(payer: Payer, cost: number, now: InstantMs): void {
    payer.spent += cost
    // What others make it pay for a source that it follows, too, is forgiven beyond some debt.
    if (this.isShared)
      payer.pay(cost, now, -(MOST_DEBT * Math.max(MOST_OVERDRAWN, this.most * payer.part) + Math.abs(cost)))
    else payer.pay(cost, now, payer.balance)
  }

  /** What a payer with a part of 1 may save up. */
  private get most(): number {
    return maxSaved(this.budget, this.options.burst) / this.partSum
  }

  private get partSum(): number {
    return this.all.reduce((sum, { part }) => sum + part, 0)
  }

  /** Of the budget, 0 to 1. */
  private shareOf(payer: Payer): number {
    return payer.part / this.partSum
  }

  /**
   * Which parts of the budget the payers get, in relation to each other, because of what they wish for; those that are not named
   * get 1. What one does not use goes to the others, as before.
   */
  setParts(parts: ReadonlyMap<PayerId, number>): void {
    this.parts = parts
    this.shareAnew()
  }

  private shareAnew(): void {
    for (const payer of this.all) {
      payer.part = this.parts.get(payer.id ?? 0) ?? 1
      payer.pricing.setPayer(payer.id, payer.part)
    }
    for (const payer of this.all) payer.pricing.setPayers(1 / this.shareOf(payer))
    this.divide()
    this.touch()
  }

  /** Where processes share the budget each payer has its income here; it takes the place of its part. */
  private divide(): void {
    const perMs = this.all.map(({ pricing }) => pricing.incomePerMs)
    const sum = perMs.reduce<number>((total, one) => total + (one ?? 0), 0)
    this.isDivided = perMs.some((one) => one !== null) && sum > 0
    this.fraction = this.isDivided ? sum * unitMs(this.budget) : 1
    if (!this.isDivided) return
    for (const [index, payer] of this.all.entries()) payer.part = ((perMs[index] ?? 0) * this.all.length) / sum
  }

  /** Whether it may ask for a refresh by hand now: a person may overdraw, and it is earned back. */
  mayRequest(payer: Payer): boolean {
    return payer.balance > -MOST_OVERDRAWN
  }

  /** Shares out what came in; false: nothing did. */
  earn(now: InstantMs): boolean {
    const amount = this.income.take(now)
    if (amount === 0) return false
    if (this.isDivided) fillApart(this.all, amount * this.fraction, this.most)
    else fill(this.all, amount, this.most)
    this.dropIdle()
    return true
  }

  /** What a payer may spend in the long run. */
  perMs(payer: Payer, now: InstantMs): number {
    return fairPerMs(payer, this.all, 1 / unitMs(this.budget), (one) => one.spentPerHour(now) / HOUR_MS)
  }

  /** The earliest moment at which one with such a balance could pay, if all that comes in came to it. */
  earliestCredit(balance: number, now: InstantMs): InstantMs {
    return this.income.nextAt(now + Math.max(0, -balance) * unitMs(this.budget))
  }

  /** When its part of the budget will have paid for what it owes. */
  usualCredit(payer: Payer, now: InstantMs): InstantMs {
    return now + Math.ceil((Math.max(0, -payer.balance) * unitMs(this.budget)) / (this.fraction * this.shareOf(payer)))
  }

  /** The payer, with an account from now on. */
  find(id: PayerId): Payer {
    const known = this.all.find((payer) => payer.id === id)
    if (known !== undefined) return known
    return this.only.id === null ? this.claim(this.only, id) : this.add(id, null)
  }

  /** `isNew`: the source was not there before, so the prices of its payers follow, as with one payer. */
  assign(row: number, ids: readonly PayerId[], isNew: boolean): void {
    const before = isNew ? null : this.byRow[row]!
    const group = this.groupFor(ids, before === null ? null : this.priceOf(row))
    if (group === before) return
    this.byRow[row] = group
    group.rows++
    for (const payer of group.payers) {
      payer.sources += 1 / group.payers.length
      payer.pricing.setSources(payer.sources, isNew ? 'added' : 'reassigned')
    }
    if (before !== null) this.leave(before, false)
    this.touch()
  }

  unassign(row: number): void {
    this.leave(this.byRow[row]!, true)
    this.byRow[row] = undefined
    this.touch()
  }

  setBudget(budget: Budget, price: number | null): void {
    this.budget = budget
    this.income = new Income(unitMs(budget))
    for (const payer of this.all) payer.pricing.setBudget(budget)
    const factor = price === null ? 1 : price / this.price
    if (price !== null)
      for (const { pricing } of this.all) pricing.setPrice(this.isShared ? pricing.price * factor : price)
    this.touch()
  }

  /** Before any source is added. */
  resume(price: number, sources: number, stored: readonly StoredPayer[], now: InstantMs): void {
    this.now = now
    this.before = { price, payers: new Map(stored.map((one) => [one.id, one])) }
    this.only.pricing.resume(price, sources)
  }

  isPaidBy(row: number, ids: readonly PayerId[]): boolean {
    const payers = this.of(row)
    return payers.length === new Set(ids).size && payers.every(({ id }) => id !== null && ids.includes(id))
  }

  follow(now: InstantMs): void {
    this.now = now
    const { revision } = this.only.pricing
    if (revision === this.revision) return
    this.revision = revision
    this.shareAnew()
  }

  shift(byMs: DurationMs): void {
    this.now += byMs
    this.income.shift(byMs)
    for (const payer of this.all) payer.shift(byMs)
  }

  shares(now: InstantMs): readonly PayerShare[] {
    const { price, all } = this
    return all.flatMap((payer) => {
      const { id, balance, sources, waiting } = payer
      if (id === null) return []
      const multiplier = sources > NOTHING ? payer.price / price : 1
      const spentPerHour = payer.spentPerHour(now)
      const sharePerHour = (HOUR_MS / unitMs(this.budget)) * this.fraction * this.shareOf(payer)
      return [{ id, multiplier, balance, sources, spentPerHour, price: payer.price, waiting, sharePerHour }]
    })
  }

  /** What must survive a restart. */
  snapshot(now: InstantMs): readonly StoredPayer[] {
    return this.shares(now).map(({ id, multiplier, balance, sources, spentPerHour }) => ({
      id,
      multiplier,
      balance,
      sources,
      spentPerHour,
    }))
  }

  private groupFor(ids: readonly PayerId[], price: number | null): Group {
    const sorted = [...new Set(ids)].sort((a, b) => a - b)
    const key = sorted.join()
    const known = this.groups.get(key)
    if (known !== undefined) return known
    // The first payer takes over the present price; so does the next where the first has no source any more.
    if (!this.isShared && this.only.sources < NOTHING) this.claim(this.only, sorted[0]!)
    const payers = sorted.map((id) => this.all.find((payer) => payer.id === id) ?? this.add(id, price))
    const group = { key, payers, rows: 0, price: 0, version: -1 }
    this.groups.set(key, group)
    return group
  }

  private claim(payer: Payer, id: PayerId): Payer {
    payer.id = id
    this.shareAnew()
    const stored = this.before?.payers.get(id)
    if (stored !== undefined) this.goOn(payer, stored)
    return payer
  }

  /** `price`: that of the source which it begins with, where others pay for it already. */
  private add(id: PayerId, price: number | null): Payer {
    const free = this.byIndex.indexOf(undefined)
    const payer = new Payer(id, free < 0 ? this.byIndex.length : free, this.newPricing())
    this.byIndex[payer.index] = payer
    this.all.push(payer)
    this.shareAnew()
    const stored = this.before?.payers.get(id)
    if (stored !== undefined) this.goOn(payer, stored)
    else if (price !== null) payer.pricing.resume(price, 0)
    this.touch()
    return payer
  }

  private goOn(payer: Payer, { multiplier, balance, sources, spentPerHour }: StoredPayer): void {
    payer.pricing.resume(this.before!.price * multiplier, sources)
    payer.balance = Math.min(0, balance)
    payer.resume(spentPerHour, this.now)
  }

  private leave(group: Group, isGone: boolean): void {
    group.rows--
    if (group.rows === 0) this.groups.delete(group.key)
    for (const payer of group.payers) {
      payer.sources -= 1 / group.payers.length
      if (payer.sources < NOTHING) payer.sources = 0
      payer.pricing.setSources(payer.sources, isGone ? 'removed' : 'reassigned')
    }
    this.dropIdle()
  }

  /** A payer without sources that owes nothing needs no account. */
  private dropIdle(): void {
    const isIdle = ({ sources, requested, balance }: Payer) => sources === 0 && requested.size === 0 && balance >= 0
    if (!this.isShared || !this.all.some(isIdle)) return
    const active = this.all.filter((payer) => !isIdle(payer))
    const stay = active.length === 0 ? [this.only] : active
    if (stay.length === this.all.length) return
    for (const payer of this.all) if (!stay.includes(payer)) this.byIndex[payer.index] = undefined
    this.all = stay
    this.shareAnew()
  }

  private newPricing(): Pricing {
    return this.options.newPricing(this.budget, this.now)
  }
}

function unitMs({ requests, perMs }: Budget): number {
  return perMs / requests
}

function least(payers: readonly Payer[]): number {
  return payers.reduce((lowest, { price }) => Math.min(lowest, price), Number.POSITIVE_INFINITY)
}
