import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, MINUTE_MS, type SourceId } from '../../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../../src/refresh/default-limits.ts'
import { foresight, learnTables } from '../../../src/refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { type BundledUse, runBundled } from '../../simulator/bundled-run.ts'
import { Tally } from '../../simulator/tally.ts'
import { countPublishedBy, type SimWorld } from '../../simulator/world.ts'
import { CONFIG, PARTS, type Part } from './config.ts'

export interface BundleRow extends BundledUse {
  readonly perDay: number
  readonly part: Part
  readonly sharedWindow: number
  readonly delayMinutes: number
  readonly lostShare: number
  readonly requests: number
}

export interface BundleCase {
  readonly perDay: number
  readonly days: number
  readonly oneIn: number
  readonly part: Part
  readonly sharedWindow: number
}

export function measureBundles(
  whole: SimWorld,
  { perDay, part, sharedWindow, ...cut }: BundleCase,
  seed: number,
): BundleRow {
  const sources = whole.sources.filter((_, index) => index % cut.oneIn === 0)
  const world = { ...whole, sources, endMs: whole.startMs + cut.days * DAY_MS }
  const fromMs = world.startMs + CONFIG.learningMs
  const requests = perDay * world.sources.length
  const tally = new Tally(fromMs, world.endMs)
  const past = world.sources.map(({ times }) => times.subarray(0, countPublishedBy(times, fromMs - 1)))
  const scheduler = {
    strategy: foresight({ tables: learnTables(past, seededRandom(seed)) }),
    budget: { requests, perMs: DAY_MS },
    burst: requests,
    minIntervalMs: CONFIG.minIntervalMs,
    maxIntervalMs: MAX_INTERVAL_MS,
    random: seededRandom(seed),
  }
  const limits = { mostMembers: CONFIG.mostMembers, windowSize: sharedWindow }
  const use = runBundled({ world, scheduler, composable: drawSources(world, PARTS[part], seed), limits }, tally)
  return {
    perDay,
    part,
    sharedWindow,
    delayMinutes: tally.meanDelayMs / MINUTE_MS,
    lostShare: tally.lost / tally.items,
    requests: tally.requests,
    ...use,
  }
}

function drawSources({ sources }: SimWorld, share: number, seed: number): ReadonlySet<SourceId> {
  const random = seededRandom(seed)
  const order = sources.map(({ id }) => ({ id, by: random() })).sort((a, b) => a.by - b.by)
  return new Set(order.slice(0, Math.round(share * sources.length)).map((_, index) => entryAt(order, index).id))
}
