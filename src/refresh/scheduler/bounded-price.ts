import type { Budget, PricedStrategy } from '../strategy.ts'

/** How far the price may be from what the strategy would start with. */
const MOST_OFF = 1_000
const NEAR_LOWEST = 10
/** A price this much lower than at the last sweep makes sleepers late: they are examined. */
const SWEEP_BELOW = 0.99

/** The price of the moment, in proportion to what the strategy would start from with as many sources and as much budget. */
export class BoundedPrice {
  private price: number
  /** At which the due times of all sleepers were right, or early. */
  private sweptAt: number
  private sources = 0

  constructor(
    private readonly strategy: Pick<PricedStrategy<never>, 'firstPrice'>,
    private budget: Budget,
  ) {
    this.price = this.usual
    this.sweptAt = this.price
  }

  get now(): number {
    return this.price
  }

  /** Near the lowest: there is more budget than the sources can take. */
  get isLow(): boolean {
    return this.price <= (NEAR_LOWEST * this.usual) / MOST_OFF
  }

  /** Continues with the price from before a restart, which was that of so many sources. */
  resume(price: number, sources: number): void {
    this.price = price
    this.sweptAt = price
    this.sources = sources
  }

  set(wanted: number): void {
    // Where nothing can be spent (few sources, all at their shortest interval) the price must not fall out of sight.
    this.price = Math.min(this.usual * MOST_OFF, Math.max(this.usual / MOST_OFF, wanted))
    if (this.price > this.sweptAt) this.sweptAt = this.price
  }

  /** With more or fewer sources the same price buys another number of requests: scale it by the strategy's own rule. */
  added(sources: number): void {
    // After a restart the price is that of all the sources, which come in one by one.
    if (sources <= this.sources) return
    this.scaled(() => {
      this.sources = sources
    })
  }

  removed(sources: number): void {
    this.scaled(() => {
      this.sources = sources
    })
  }

  setBudget(budget: Budget): void {
    this.scaled(() => {
      this.budget = budget
    })
  }

  /** Another budget, the price as it is: only what it is held within changes. */
  setLimits(budget: Budget): void {
    this.budget = budget
  }

  /** Others share the same sources: the price stays as it is. */
  setCount(sources: number): void {
    this.sources = sources
  }

  /** True once after each fall to this part of the price, which makes sleepers late. */
  takeFall(below = SWEEP_BELOW): boolean {
    if (this.price > this.sweptAt * below) return false
    this.sweptAt = this.price
    return true
  }

  private get usual(): number {
    return this.strategy.firstPrice(Math.max(1, this.sources), this.budget)
  }

  private scaled(change: () => void): void {
    const before = this.usual
    change()
    this.set((this.price * this.usual) / before)
  }
}
