import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calibratedWorld } from '../lab/live/calibrated-world.ts'
import { documentFetcher, feedUrl } from '../lab/live/feed-documents.ts'
import { runLive } from '../lab/live/run-live.ts'
import { VirtualClock } from '../lab/live/virtual-clock.ts'
import { countWorldItems, type SimWorld } from '../lab/simulator/world.ts'
import { readTrace } from '../lab/worlds/trace.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { DAY_MS } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { type Figures, LiveFigures, WARM_UP_MS } from './live-figures.ts'
import { roundToPrecision } from './rounds.ts'

export interface BenchLiveOptions {
  readonly trace?: string
  readonly feeds?: number
  readonly days?: number
  readonly seed?: number
  /** Budgets, as refreshes per source and day. */
  readonly perDay?: readonly number[]
  readonly strategies?: readonly string[]
  readonly onProgress?: (line: string) => void
}

const TRACE = '../shared/traces/rss-2024/trace.csv.gz'
const WINDOW = 20

export interface Run extends Figures {
  readonly strategy: string
  readonly perDay: number
  readonly realSeconds: number
  readonly cpuSeconds: number
}

/** What a rich budget gives in delay, and a poor one in loss. */
const OFTEN = 24
const RARELY = 4

/**
 * A node in virtual time: real crawler, parser, dedup, archive and scheduler, feeds in this process. The default strategy
 * beside uniform and Miniflux's entry_frequency, all under the same token bucket.
 */
export async function benchLive(options: BenchLiveOptions = {}): Promise<object> {
  const path = options.trace ?? TRACE
  if (!existsSync(path)) throw new HeadwaterError('FILE_UNREADABLE', `${path}: name a trace with --trace`)
  const { feeds = 2_000, days = 14, seed = 1, perDay = [OFTEN, RARELY] } = options
  const ours = loadConfig('none', {}, {}).strategy
  const world = calibratedWorld(await readTrace(path), { feeds, days, windowSize: WINDOW, seed })
  const runs: Run[] = []
  for (const often of perDay) {
    for (const strategy of options.strategies ?? [ours, 'uniform', 'miniflux']) {
      const reportShare = (share: number) =>
        options.onProgress?.(`${strategy}, ${often} a day: ${Math.floor(100 * share)} %`)
      const run = await runOne(world, strategy, often, seed, reportShare)
      options.onProgress?.(JSON.stringify(run))
      runs.push(run)
    }
  }
  return {
    bench: 'live',
    world: { trace: path, feeds, days, items: countWorldItems(world), window: WINDOW, warmUpDays: WARM_UP_MS / DAY_MS },
    runs,
    ...verdicts(runs, ours),
  }
}

/** What the runs that were made say about the limits; a limit without its runs is left out. */
function verdicts(runs: readonly Run[], ours: string): object {
  const of = (strategy: string, perDay: number) =>
    runs.find((run) => run.strategy === strategy && run.perDay === perDay)
  const mine = of(ours, OFTEN)
  const others = {
    delayOfUniform: [of('uniform', OFTEN), 0.6],
    delayOfMiniflux: [of('miniflux', OFTEN), 0.75],
  } as const
  const delays = Object.entries(others).flatMap(([name, [other, atMost]]) => {
    if (mine === undefined || other === undefined) return []
    const ratio = mine.meanDelayMinutes / other.meanDelayMinutes
    return [
      [
        name,
        {
          ratio: roundToPrecision(ratio),
          requests: roundToPrecision(mine.requests / other.requests, 4),
          atMost,
          ok: ratio <= atMost,
        },
      ],
    ]
  })
  const [lost, uniformLost] = [of(ours, RARELY)?.lostShare, of('uniform', RARELY)?.lostShare]
  return {
    ...(mine === undefined ? {} : { hourlySpending: spendingOf(mine) }),
    ...Object.fromEntries(delays),
    ...(lost === undefined || uniformLost === undefined
      ? {}
      : { lossAtFourADay: { [ours]: lost, uniform: uniformLost, ok: lost < 0.01 && uniformLost > 0.1 } }),
  }
}

function spendingOf({ hours }: Run): object {
  return { ...hours, atLeast: 0.9, atMost: 1, ok: hours.least >= 0.9 && hours.most <= 1 }
}

async function runOne(
  world: SimWorld,
  strategy: string,
  perDay: number,
  seed: number,
  report: (share: number) => void = () => {},
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-live-'))
  const clock = new VirtualClock(world.startMs)
  const startedAt = systemClock.monotonicMs()
  const cpu = process.cpuUsage()
  let saidAt = world.startMs
  const data = await openSqliteStore({ path: join(folder, 'headwater.db'), clock })
  const figures = new LiveFigures(world, perDay)
  try {
    await runLive({
      clock,
      data,
      fetcher: documentFetcher(world.sources, clock),
      urls: world.sources.map((_, index) => feedUrl(index)),
      endMs: world.endMs,
      seed,
      writesUnderWay: 64,
      sharedTables: true,
      flags: { strategy, budget: `${(perDay * world.sources.length) / 24}/h` },
      onRefresh(id, at) {
        figures.refreshed(id, at)
        if (at < saidAt + DAY_MS) return
        saidAt = at
        report((at - world.startMs) / (world.endMs - world.startMs))
      },
    })
    const { items } = await data.store.counts()
    const { user, system } = process.cpuUsage(cpu)
    return {
      strategy,
      perDay,
      ...figures.figures(items),
      realSeconds: roundToPrecision((systemClock.monotonicMs() - startedAt) / 1000),
      cpuSeconds: roundToPrecision((user + system) / 1e6),
    }
  } finally {
    await data.store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
