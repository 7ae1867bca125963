import { DAY_MS, type DurationMs, type InstantMs, type Random } from '../../src/model/index.ts'
import type { PricedStrategy } from '../../src/refresh/strategy.ts'
import { sourceRandom } from './priced-run.ts'
import { SourceRun } from './source-run.ts'
import type { Tally } from './tally.ts'
import { countPublishedBy, factsOf, type SimSource, type SimWorld } from './world.ts'

export interface FollowedRun<Memory> {
  readonly world: SimWorld
  readonly strategy: PricedStrategy<Memory>
  readonly requestsPerDay: number
  readonly firstPrice: number
  /** No source is refreshed less often; absent: there is no such limit. */
  readonly maxIntervalMs?: DurationMs
  /** Until then the price is only looked for; from then on what was spent too much is saved again. */
  readonly measureFromMs: InstantMs
  readonly seed: number
}

export interface BudgetFollowing {
  /** At the beginning of the measure and at its end. */
  readonly firstPrice: number
  readonly lastPrice: number
}

/**
 * A price that follows the budget day by day, from what was spent before and nothing else. A price found on the learning
 * days cannot hold for months: a third of the sources of a real trace publish their first item after them.
 */
export function runFollowed<Memory>(options: FollowedRun<Memory>, tally: Tally): BudgetFollowing {
  const { world, measureFromMs } = options
  const sources = world.sources.map((source) => new FollowedSource(options, source))
  const control = new Control(options.firstPrice, options.requestsPerDay)
  let measuredAt = options.firstPrice
  for (let from = world.startMs; from < world.endMs; from += DAY_MS) {
    const to = Math.min(world.endMs, from + DAY_MS)
    if (from <= measureFromMs) measuredAt = control.price
    let spent = 0
    for (const source of sources) spent += source.run(from, to, control.price, tally)
    if (to < measureFromMs) control.searched(spent)
    else if (from >= measureFromMs) control.spent(spent)
  }
  for (const source of sources) source.end(world.endMs, tally)
  return { firstPrice: measuredAt, lastPrice: control.price }
}

// Requests fall with the root of the price, so half of an error is taken back each day while searching.
const SEARCH_GAIN = 1
const MOST_STEP = 2
/** About a week to follow a change, whose days are weighed together: weekends ask for less. */
const GAIN = 0.3
const DAYS = 7
/** And some weeks to save again what was spent too much, or to spend what was left. */
const DEBT_GAIN = 0.01

class Control {
  price: number
  private readonly perDay: number
  private readonly lastDays: number[] = []
  private debt = 0

  constructor(price: number, perDay: number) {
    this.price = price
    this.perDay = perDay
  }

  searched(spent: number): void {
    this.move(SEARCH_GAIN * Math.log(Math.max(0.1, spent) / this.perDay))
  }

  spent(spent: number): void {
    this.lastDays.push(spent)
    if (this.lastDays.length > DAYS) this.lastDays.shift()
    this.debt += spent / this.perDay - 1
    const mean = this.lastDays.reduce((sum, day) => sum + day, 0) / this.lastDays.length
    // The first days of a week that is not yet full may all be weekdays.
    const known = this.lastDays.length / DAYS
    this.move(GAIN * known * (mean / this.perDay - 1) + DEBT_GAIN * this.debt)
  }

  private move(step: number): void {
    this.price *= Math.exp(Math.min(MOST_STEP, Math.max(-MOST_STEP, step)))
  }
}

class FollowedSource<Memory> {
  private readonly strategy: PricedStrategy<Memory>
  private readonly source: SimSource
  private readonly random: Random
  private readonly sourceRun: SourceRun
  private readonly facts: { lastRefreshAt: InstantMs | null } & ReturnType<typeof factsOf>
  private readonly maxIntervalMs: DurationMs
  private memory: Memory

  constructor(options: FollowedRun<Memory>, source: SimSource) {
    const { strategy, world, seed } = options
    this.strategy = strategy
    this.maxIntervalMs = options.maxIntervalMs ?? Number.POSITIVE_INFINITY
    this.source = source
    this.random = sourceRandom(seed, source.id)
    this.sourceRun = new SourceRun(source)
    this.facts = { ...factsOf(source, world.startMs, null) }
    this.memory = strategy.start(this.facts, this.random)
  }

  run(from: InstantMs, to: InstantMs, price: number, tally: Tally): number {
    const { facts, strategy } = this
    for (let refreshes = 0; ; refreshes++) {
      const soonest = Math.max(from, (facts.lastRefreshAt ?? from - 1_000) + 1_000)
      const latest = (facts.lastRefreshAt ?? from) + this.maxIntervalMs
      const at = Math.max(Math.min(strategy.dueAt(this.memory, facts, price), latest), soonest)
      if (!(at < to)) return refreshes
      const observation = this.sourceRun.refresh(at)
      tally.refreshed(this.source, at, this.sourceRun.sight)
      facts.lastRefreshAt = at
      this.memory = strategy.observe(this.memory, observation, facts, this.random)
    }
  }

  end(endMs: InstantMs, tally: Tally): void {
    const reached = this.sourceRun.sight.to
    tally.ended(this.source, reached, countPublishedBy(this.source.times, endMs, reached))
  }
}
