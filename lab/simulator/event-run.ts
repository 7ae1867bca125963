import { entryAt } from '../../src/model/entry-at.ts'
import type { InstantMs, Random } from '../../src/model/index.ts'
import type { PricedStrategy, SourceFacts } from '../../src/refresh/strategy.ts'
import { EventQueue } from './events.ts'
import { sourceRandom } from './priced-run.ts'
import { SourceRun, type SourceRunOptions } from './source-run.ts'
import type { Tally } from './tally.ts'
import { countPublishedBy, factsOf, type SimSource, type SimWorld } from './world.ts'

export interface EventRun<Memory> {
  readonly world: SimWorld
  readonly strategy: PricedStrategy<Memory>
  readonly seed: number
  readonly price: number
  readonly run?: SourceRunOptions
  readonly onRefresh?: (source: SimSource, at: InstantMs) => void
}

interface Running<Memory> {
  readonly source: SimSource
  readonly run: SourceRun
  readonly random: Random
  facts: SourceFacts
  memory: Memory
  /** Which of its events is the valid one; older ones are skipped. */
  turn: number
}

/** Event-based simulation in continuous time at one price: one queue for all sources. With a budget: scheduled-run.ts. */
export function runEvents<Memory>(options: EventRun<Memory>, tally: Tally): void {
  const { world, strategy, price } = options
  const queue = new EventQueue<{ readonly index: number; readonly turn: number }>()
  const running = world.sources.map((source): Running<Memory> => {
    const random = sourceRandom(options.seed, source.id)
    const facts = factsOf(source, world.startMs, null)
    const memory = strategy.start(facts, random)
    return { source, run: new SourceRun(source, options.run), random, facts, memory, turn: 0 }
  })
  const enqueue = (index: number, now: InstantMs) => {
    const entry = entryAt(running, index)
    const due = strategy.dueAt(entry.memory, entry.facts, price)
    const soonest = entry.facts.lastRefreshAt === null ? now : Math.max(now, entry.facts.lastRefreshAt + 1_000)
    const at = Math.max(due, soonest)
    entry.turn++
    if (at < world.endMs) queue.add(at, { index, turn: entry.turn })
  }
  for (let index = 0; index < running.length; index++) enqueue(index, world.startMs)

  for (let event = queue.next(); event !== undefined; event = queue.next()) {
    const { at, value } = event
    const entry = entryAt(running, value.index)
    if (value.turn !== entry.turn) continue
    const observation = entry.run.refresh(at)
    tally.refreshed(entry.source, at, entry.run.sight)
    entry.facts = { ...entry.facts, lastRefreshAt: at }
    entry.memory = strategy.observe(entry.memory, observation, entry.facts, entry.random)
    options.onRefresh?.(entry.source, at)
    enqueue(value.index, at)
  }
  for (const { source, run } of running) {
    tally.ended(source, run.sight.to, countPublishedBy(source.times, world.endMs, run.sight.to))
  }
}
