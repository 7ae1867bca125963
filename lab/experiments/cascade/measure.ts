import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/model/index.ts'
import { type FeedLink, subscriptionGraph } from '../../../src/network/index.ts'
import { uniform } from '../../../src/refresh/strategies/uniform.ts'
import { endToEndDelaysMs, runCascade } from '../../simulator/cascade.ts'
import { poissonTimes } from '../../simulator/poisson.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import { type SimWorld, simSource } from '../../simulator/world.ts'
import { CONFIG } from './config.ts'

/** What one level costs and adds. */
export interface Level {
  readonly level: number
  readonly requestsPerDay: number
  /** Of the items that its inputs showed: fell out of a window before they were read. */
  readonly lostShare: number
  /** Mean wait in the feed of the level before. */
  readonly addedMinutes: number
  /** From publication at the source, of the items that got so far. */
  readonly endToEndMinutes: number
  /** Of all items of the sources. */
  readonly completeness: number
}

export function levelsOf(windowSize: number, seed: number): Level[] {
  const world = worldOf(seed)
  const outcome = runCascade({
    world,
    graph: chain(),
    aggregator: () => ({ strategy: uniform, price: CONFIG.intervalMinutes * MINUTE_MS, windowSize }),
    seed,
  })
  const published = outcome.publishedAt.length
  return Array.from({ length: CONFIG.levels }, (_, index): Level => {
    const number = CONFIG.sources + index
    const feed = entryAt(outcome.feeds, number)
    const items = feed.items.length
    const delays = endToEndDelaysMs(outcome, number)
    return {
      level: index + 1,
      requestsPerDay: feed.requests / CONFIG.days,
      lostShare: feed.fallenOut / (items + feed.fallenOut),
      addedMinutes: feed.delaySumMs / items / MINUTE_MS,
      endToEndMinutes: delays.reduce((sum, delay) => sum + delay, 0) / items / MINUTE_MS,
      completeness: items / published,
    }
  })
}

function worldOf(seed: number): SimWorld {
  const endMs = CONFIG.days * DAY_MS
  const sources = Array.from({ length: CONFIG.sources }, (_, id) => {
    const share = id / (CONFIG.sources - 1)
    const perDay = CONFIG.leastPerDay * (CONFIG.mostPerDay / CONFIG.leastPerDay) ** share
    return simSource(id, poissonTimes(perDay / DAY_MS, 0, endMs, sourceRandom(seed, id)), CONFIG.sourceWindow)
  })
  return { startMs: 0, endMs, sources }
}

function chain() {
  const kinds = [
    ...Array.from({ length: CONFIG.sources }, () => 'source' as const),
    ...Array.from({ length: CONFIG.levels }, () => 'query' as const),
  ]
  const edges: FeedLink[] = Array.from({ length: CONFIG.sources }, (_, from) => ({ from, to: CONFIG.sources }))
  for (let level = 1; level < CONFIG.levels; level++) {
    edges.push({ from: CONFIG.sources + level - 1, to: CONFIG.sources + level })
  }
  const outcome = subscriptionGraph(kinds, edges)
  if (!outcome.ok) throw new Error(outcome.problem.kind)
  return outcome.graph
}

export function meanLevels(runs: readonly (readonly Level[])[]): Level[] {
  return entryAt(runs, 0).map((first, index) => {
    const mean = (key: keyof Level) => runs.reduce((sum, run) => sum + entryAt(run, index)[key], 0) / runs.length
    return {
      level: first.level,
      requestsPerDay: mean('requestsPerDay'),
      lostShare: mean('lostShare'),
      addedMinutes: mean('addedMinutes'),
      endToEndMinutes: mean('endToEndMinutes'),
      completeness: mean('completeness'),
    }
  })
}
