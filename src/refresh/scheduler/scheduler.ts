import type { DurationMs, InstantMs, Observation, Random, SourceId } from '../../model/index.ts'
import { adjustPrice, type PriceState, recordSpending, startPrice } from '../price.ts'
import type { Budget, PricedStrategy, SourceFacts } from '../strategy.ts'
import { inWords } from '../words.ts'
import { DueHeap } from './due-heap.ts'
import { Purse } from './purse.ts'

/** What the scheduler is told of a source by its owner. */
export interface SchedulerSource {
  readonly facts: SourceFacts
  /** The user's own interval; null: the strategy decides. */
  readonly intervalMs: DurationMs | null
  /** A time that was already decided (before a restart, after a failure); null: decide now. */
  readonly dueAt: InstantMs | null
  /** By the user: refreshed on request only. */
  readonly paused: boolean
  /** The site said 410 Gone: refreshed on request only. */
  readonly retired: boolean
}

export interface NextCheck {
  readonly at: InstantMs
  readonly reason: string
}

export type Taken =
  | { readonly kind: 'refresh'; readonly id: SourceId; readonly manual: boolean }
  /** Nothing to do before `until` unless something changes; Infinity: nothing at all. */
  | { readonly kind: 'wait'; readonly until: InstantMs }

export interface SchedulerOptions<Memory> {
  readonly strategy: PricedStrategy<Memory>
  readonly budget: Budget
  /** Largest number of requests that saved-up budget may buy at once. */
  readonly burst: number
  /** No source is refreshed more often than this by itself, however much budget is left (its own interval may be). */
  readonly minIntervalMs: DurationMs
  readonly random: Random
  readonly now: InstantMs
}

interface Entry<Memory> {
  facts: SourceFacts
  memory: Memory
  intervalMs: DurationMs | null
  paused: boolean
  retired: boolean
  running: boolean
  manual: boolean
  /** A decided time that the price does not move (own interval, backing off, asked for); null: the strategy's. */
  fixedAt: InstantMs | null
}

/** A price this much lower than the one the heap was ordered by makes sleeping sources late: order again. */
const REORDER_BELOW = 0.95
/** How far the price may be from what the strategy would start with. */
const MOST_OFF = 1_000

/**
 * Event-driven scheduling over any priced strategy. Pure: time and randomness come in as arguments, so live node and
 * lab run the same code.
 *
 * A source is *waiting* in the heap by due time, *running* once taken, or *resting* (paused, retired). `take` hands out
 * the earliest due source if the purse can pay; the caller refreshes it, asks `plan` for the next check and says
 * `finish`; or gives it back with `postpone` when its host is busy, which costs nothing. Sources asked for by hand go
 * first and may overdraw the purse. O(log n) per decision; a falling price reorders the heap now and then, O(n).
 */
export class Scheduler<Memory> {
  private readonly entries = new Map<SourceId, Entry<Memory>>()
  private readonly heap = new DueHeap()
  private readonly asked: SourceId[] = []
  private readonly purse: Purse
  private priceState: PriceState
  private orderedAtPrice: number
  private pricedSources = 0
  private readonly options: SchedulerOptions<Memory>

  constructor(options: SchedulerOptions<Memory>) {
    this.options = options
    this.purse = new Purse(options.budget, options.burst, options.now)
    const price = options.strategy.firstPrice(1, options.budget)
    this.priceState = startPrice(price, options.now)
    this.orderedAtPrice = price
  }

  get price(): number {
    return this.priceState.price
  }

  get size(): number {
    return this.entries.size
  }

  /** Adds a source or takes over its changed settings; what was learnt stays. */
  upsert(source: SchedulerSource): void {
    const before = this.entries.get(source.facts.id)
    const fixedAt = source.dueAt ?? this.ownDueAt(source.intervalMs, source.facts)
    if (before === undefined) {
      this.entries.set(source.facts.id, {
        facts: source.facts,
        memory: this.options.strategy.start(source.facts, this.options.random),
        intervalMs: source.intervalMs,
        paused: source.paused,
        retired: source.retired,
        running: false,
        manual: false,
        fixedAt,
      })
    } else {
      before.facts = { ...source.facts, windowSize: before.facts.windowSize }
      before.intervalMs = source.intervalMs
      before.paused = source.paused
      before.retired = source.retired
      before.fixedAt = fixedAt
    }
    this.countPriced()
    this.enqueue(source.facts.id)
  }

  remove(id: SourceId): void {
    this.heap.remove(id)
    if (this.entries.delete(id)) this.countPriced()
  }

  has(id: SourceId): boolean {
    return this.entries.has(id)
  }

  /** Refresh as soon as its host allows, ahead of everything that is merely due. */
  askFor(id: SourceId): void {
    const entry = this.entries.get(id)
    if (entry === undefined || entry.running || entry.manual) return
    entry.manual = true
    this.heap.remove(id)
    this.asked.push(id)
  }

  take(now: InstantMs): Taken {
    this.adjust(now)
    const manual = this.takeAsked()
    if (manual !== null) return this.hand(manual, true)
    for (;;) {
      const earliest = this.heap.peek()
      if (earliest === undefined) return { kind: 'wait', until: Number.POSITIVE_INFINITY }
      if (earliest.dueAt > now) return { kind: 'wait', until: earliest.dueAt }
      const entry = this.entries.get(earliest.id)!
      const dueAt = this.dueAt(entry)
      if (dueAt > now) {
        // The price has risen since it was put there.
        this.heap.set(earliest.id, dueAt)
        continue
      }
      const affordableAt = entry.manual ? now : this.purse.affordableAt(entry.facts.cost, now)
      if (affordableAt > now) return { kind: 'wait', until: affordableAt }
      return this.hand(earliest.id, entry.manual)
    }
  }

  /** Gives a taken source back unspent, to be tried again at `until` (its host is busy or resting). */
  postpone(id: SourceId, until: InstantMs): void {
    const entry = this.entries.get(id)
    if (entry === undefined) return
    this.purse.refund(entry.facts.cost)
    this.priceState = recordSpending(this.priceState, -entry.facts.cost)
    entry.running = false
    entry.fixedAt = until
    this.heap.set(id, until)
  }

  /** Learns from a refresh and says when the next is due and why; the caller stores that, then calls `finish`. */
  plan(observation: Observation): NextCheck {
    const entry = this.entries.get(observation.sourceId)
    if (entry === undefined) return { at: Number.POSITIVE_INFINITY, reason: 'removed' }
    const { strategy, random } = this.options
    entry.facts = {
      ...entry.facts,
      lastRefreshAt: observation.at,
      windowSize: observation.windowSize || entry.facts.windowSize,
    }
    entry.memory = strategy.observe(entry.memory, observation, entry.facts, random)
    if (entry.intervalMs !== null) {
      return { at: observation.at + entry.intervalMs, reason: `every ${inWords(entry.intervalMs)} (its own interval)` }
    }
    const at = this.pricedAt(entry)
    if (at > strategy.dueAt(entry.memory, entry.facts, this.price)) {
      return {
        at,
        reason: `not more often than every ${inWords(this.options.minIntervalMs)}, though the budget would allow it`,
      }
    }
    return { at, reason: strategy.reason(entry.memory, entry.facts, this.price) }
  }

  /** Ends a refresh. `fixedAt`: a time that the price must not move (a failure's retry); null: as planned. */
  finish(id: SourceId, fixedAt: InstantMs | null, retired = false): void {
    const entry = this.entries.get(id)
    if (entry === undefined) return
    entry.running = false
    entry.manual = false
    entry.retired = retired
    entry.fixedAt = fixedAt ?? this.ownDueAt(entry.intervalMs, entry.facts)
    this.enqueue(id)
  }

  private hand(id: SourceId, manual: boolean): Taken {
    const entry = this.entries.get(id)!
    this.heap.remove(id)
    entry.running = true
    this.purse.spend(entry.facts.cost)
    this.priceState = recordSpending(this.priceState, entry.facts.cost)
    return { kind: 'refresh', id, manual }
  }

  private takeAsked(): SourceId | null {
    for (let id = this.asked.shift(); id !== undefined; id = this.asked.shift()) {
      const entry = this.entries.get(id)
      if (entry?.manual && !entry.running) return id
    }
    return null
  }

  private enqueue(id: SourceId): void {
    const entry = this.entries.get(id)!
    if (entry.running || entry.manual) return
    if (entry.paused || entry.retired) this.heap.remove(id)
    else this.heap.set(id, this.dueAt(entry))
  }

  private dueAt(entry: Entry<Memory>): InstantMs {
    return entry.fixedAt ?? this.pricedAt(entry)
  }

  private pricedAt({ memory, facts }: Entry<Memory>): InstantMs {
    const worthItAt = this.options.strategy.dueAt(memory, facts, this.price)
    return facts.lastRefreshAt === null
      ? worthItAt
      : Math.max(worthItAt, facts.lastRefreshAt + this.options.minIntervalMs)
  }

  private ownDueAt(intervalMs: DurationMs | null, facts: SourceFacts): InstantMs | null {
    return intervalMs === null || facts.lastRefreshAt === null ? null : facts.lastRefreshAt + intervalMs
  }

  /** With more or fewer sources the same price buys another number of requests: scale it by the strategy's own rule. */
  private countPriced(): void {
    const { strategy, budget } = this.options
    const before = strategy.firstPrice(Math.max(1, this.pricedSources), budget)
    this.pricedSources = this.entries.size
    const after = strategy.firstPrice(Math.max(1, this.pricedSources), budget)
    this.setPrice({ ...this.priceState, price: (this.price * after) / before })
  }

  private adjust(now: InstantMs): void {
    const { budget } = this.options
    // Long enough that chance does not steer: a hundred requests, and never less than a minute.
    const periodMs = Math.max(60_000, (100 * budget.perMs) / budget.requests)
    if (now - this.priceState.since < periodMs && now >= this.priceState.since) return
    this.setPrice(adjustPrice(this.priceState, budget, now, { periodMs, waiting: this.overdue(now) }))
  }

  /** Known sources that became worth the price but wait for the budget. O(n), once in a period. */
  private overdue(now: InstantMs): number {
    let waiting = 0
    for (const entry of this.entries.values()) {
      if (
        entry.running ||
        entry.paused ||
        entry.retired ||
        entry.facts.lastRefreshAt === null ||
        entry.fixedAt !== null
      )
        continue
      if (this.dueAt(entry) < now) waiting += entry.facts.cost
    }
    return waiting
  }

  private setPrice(wanted: PriceState): void {
    // Where nothing can be spent (few sources, all at their shortest interval) the price must not fall out of sight.
    const usual = this.options.strategy.firstPrice(Math.max(1, this.pricedSources), this.options.budget)
    const state = { ...wanted, price: Math.min(usual * MOST_OFF, Math.max(usual / MOST_OFF, wanted.price)) }
    this.priceState = state
    if (state.price > this.orderedAtPrice) {
      this.orderedAtPrice = state.price
      return
    }
    if (state.price >= this.orderedAtPrice * REORDER_BELOW) return
    this.orderedAtPrice = state.price
    for (const [id, entry] of this.entries) if (this.heap.has(id)) this.heap.set(id, this.dueAt(entry))
  }
}
