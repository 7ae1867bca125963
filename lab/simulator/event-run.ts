import type { DurationMs, InstantMs, Random } from '../../src/model/index.ts'
import { adjustPrice, recordSpending, startPrice } from '../../src/refresh/price.ts'
import type { Budget, PricedStrategy, SourceFacts } from '../../src/refresh/strategy.ts'
import { EventQueue } from './events.ts'
import { sourceRandom } from './priced-run.ts'
import { type RunOptions, SourceRun } from './source-run.ts'
import type { Tally } from './tally.ts'
import { factsOf, publishedBy, type SimSource, type SimWorld } from './world.ts'

export interface EventRun<Memory> {
  readonly world: SimWorld
  readonly strategy: PricedStrategy<Memory>
  readonly seed: number
  /** A fixed price, or a budget that the price controller of the live node follows. */
  readonly spend: { readonly price: number } | { readonly budget: Budget; readonly adjustEveryMs: DurationMs }
  readonly run?: RunOptions
  readonly onRefresh?: (source: SimSource, at: InstantMs, price: number) => void
}

interface Running<Memory> {
  readonly source: SimSource
  readonly run: SourceRun
  readonly random: Random
  facts: SourceFacts
  memory: Memory
  /** Which of its events is the valid one; older ones are passed over. */
  turn: number
}

const ADJUST_PRIORITY = 0
const REFRESH_PRIORITY = 1

type Happening =
  | { readonly kind: 'adjust' }
  | { readonly kind: 'refresh'; readonly index: number; readonly turn: number }

/** Event-based simulation in continuous time: one queue for all sources, the price fixed or following a budget. */
export function runEvents<Memory>(options: EventRun<Memory>, tally: Tally): { readonly price: number } {
  const { world, strategy, spend } = options
  const queue = new EventQueue<Happening>()
  const controlled = 'budget' in spend ? spend : null
  const first = 'budget' in spend ? strategy.firstPrice(world.sources.length, spend.budget) : spend.price
  let price = startPrice(first, world.startMs)
  const running = world.sources.map((source): Running<Memory> => {
    const random = sourceRandom(options.seed, source.id)
    const facts = factsOf(source, world.startMs, null)
    const memory = strategy.start(facts, random)
    return { source, run: new SourceRun(source, options.run), random, facts, memory, turn: 0 }
  })
  const enqueue = (index: number, now: InstantMs) => {
    const entry = running[index]!
    const due = strategy.dueAt(entry.memory, entry.facts, price.price)
    const soonest = entry.facts.lastRefreshAt === null ? now : Math.max(now, entry.facts.lastRefreshAt + 1_000)
    const at = Math.max(due, soonest)
    entry.turn++
    if (at < world.endMs) queue.add(at, { kind: 'refresh', index, turn: entry.turn }, REFRESH_PRIORITY)
  }
  for (let index = 0; index < running.length; index++) enqueue(index, world.startMs)
  if (controlled) queue.add(world.startMs + controlled.adjustEveryMs, { kind: 'adjust' }, ADJUST_PRIORITY)

  for (let event = queue.next(); event !== undefined; event = queue.next()) {
    const { at, value } = event
    if (value.kind === 'adjust') {
      price = adjustPrice(price, controlled!.budget, at, { periodMs: controlled!.adjustEveryMs, waiting: 0 })
      for (let index = 0; index < running.length; index++) enqueue(index, at)
      if (at + controlled!.adjustEveryMs < world.endMs) {
        queue.add(at + controlled!.adjustEveryMs, { kind: 'adjust' }, ADJUST_PRIORITY)
      }
      continue
    }
    const entry = running[value.index]!
    if (value.turn !== entry.turn) continue
    const observation = entry.run.refresh(at)
    tally.refreshed(entry.source, at, entry.run.met)
    price = recordSpending(price, entry.facts.cost)
    entry.facts = { ...entry.facts, lastRefreshAt: at }
    entry.memory = strategy.observe(entry.memory, observation, entry.facts, entry.random)
    options.onRefresh?.(entry.source, at, price.price)
    enqueue(value.index, at)
  }
  for (const { source, run } of running) {
    tally.ended(source, run.met.to, publishedBy(source.times, world.endMs, run.met.to))
  }
  return { price: price.price }
}
