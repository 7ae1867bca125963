import type { InstantMs, Random } from '../../src/model/index.ts'
import type { PricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type RunOptions, SourceRun } from './source-run.ts'
import type { Tally } from './tally.ts'
import { factsOf, publishedBy, type SimSource, type SimWorld } from './world.ts'

/** The seed of one source's own stream of chance: what happens to one source never moves another. */
export function sourceRandom(seed: number, sourceId: number): Random {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(sourceId + 1, 0x85ebca6b))
  for (let k = 0; k < 4; k++) random()
  return random
}

// Two refreshes of a source at one instant would learn nothing; also what keeps a price of 0 from running for ever.
const SHORTEST_MS = 1_000

export interface PricedRun<Memory> {
  readonly world: SimWorld
  readonly strategy: PricedStrategy<Memory>
  readonly price: number
  readonly seed: number
  readonly run?: RunOptions
  /** Gives up once this many requests were counted; for calibration. */
  readonly mostRequests?: number
}

/**
 * Continuous time at one price. Since only the price is global, sources can be run one after the other, which is much
 * faster than an event queue and gives the same refreshes (events.ts; the test compares the two).
 */
export function runPriced<Memory>(options: PricedRun<Memory>, tally: Tally): void {
  const { world } = options
  for (const source of world.sources) {
    runSource(options, source, tally)
    if (options.mostRequests !== undefined && tally.requests > options.mostRequests) return
  }
}

function runSource<Memory>(options: PricedRun<Memory>, source: SimSource, tally: Tally): void {
  const { strategy, world, price } = options
  const random = sourceRandom(options.seed, source.id)
  const run = new SourceRun(source, options.run)
  // One object that is moved on; strategies must not keep it.
  const facts = { ...factsOf(source, world.startMs, null) } as { lastRefreshAt: InstantMs | null } & ReturnType<
    typeof factsOf
  >
  let memory = strategy.start(facts, random)
  for (;;) {
    const due = strategy.dueAt(memory, facts, price)
    const at = facts.lastRefreshAt === null ? due : Math.max(due, facts.lastRefreshAt + SHORTEST_MS)
    if (!(at < world.endMs)) break
    const observation = run.refresh(at)
    tally.refreshed(source, at, run.met)
    facts.lastRefreshAt = at
    memory = strategy.observe(memory, observation, facts, random)
  }
  tally.ended(source, run.met.to, publishedBy(source.times, world.endMs, run.met.to))
}
