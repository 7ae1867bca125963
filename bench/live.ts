import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calibratedWorld } from '../lab/live/calibrated-world.ts'
import { documentFetcher, feedUrl } from '../lab/live/feed-documents.ts'
import { runLive } from '../lab/live/run-live.ts'
import { VirtualClock } from '../lab/live/virtual-clock.ts'
import { SourceRun } from '../lab/simulator/source-run.ts'
import { Tally } from '../lab/simulator/tally.ts'
import { itemCount, publishedBy, type SimWorld } from '../lab/simulator/world.ts'
import { readTrace } from '../lab/worlds/trace.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { rounded } from './rounds.ts'

export interface BenchLiveOptions {
  readonly trace?: string
  readonly feeds?: number
  readonly days?: number
  readonly seed?: number
}

const TRACE = '../shared/traces/rss-2024/trace.csv.gz'
const WINDOW = 20
/** After which hours and delays count. */
const WARM_UP_MS = 3 * DAY_MS

interface Figures {
  readonly strategy: string
  readonly perDay: number
  readonly requests: number
  readonly meanDelayMinutes: number
  readonly medianDelayMinutes: number
  readonly p95DelayMinutes: number
  readonly lostShare: number
  /** Of what was published and not lost, what the archive holds. */
  readonly archivedShare: number
  /** Share of an hour's budget spent, in the hours after warm-up. */
  readonly hours: { readonly least: number; readonly most: number; readonly mean: number }
  readonly realSeconds: number
}

/**
 * A node in virtual time: real crawler, parser, dedup, archive and scheduler, feeds in this process. The default strategy
 * beside uniform and Miniflux's entry_frequency, all under the same token bucket.
 */
export async function benchLive(options: BenchLiveOptions = {}): Promise<object> {
  const path = options.trace ?? TRACE
  if (!existsSync(path)) throw new HeadwaterError('FILE_UNREADABLE', `${path}: name a trace with --trace`)
  const { feeds = 2_000, days = 14, seed = 1 } = options
  const world = calibratedWorld(await readTrace(path), { feeds, days, windowSize: WINDOW, seed })
  const run = (strategy: string, perDay: number) => runOne(world, strategy, perDay, seed)
  const often = {
    twoSteps: await run('two-steps', 24),
    uniform: await run('uniform', 24),
    miniflux: await run('miniflux', 24),
  }
  const rarely = { twoSteps: await run('two-steps', 4), uniform: await run('uniform', 4) }
  const { hours } = often.twoSteps
  const ofUniform = often.twoSteps.meanDelayMinutes / often.uniform.meanDelayMinutes
  const ofMiniflux = often.twoSteps.meanDelayMinutes / often.miniflux.meanDelayMinutes
  return {
    bench: 'live',
    world: { trace: path, feeds, days, items: itemCount(world), window: WINDOW, warmUpDays: WARM_UP_MS / DAY_MS },
    runs: [...Object.values(often), ...Object.values(rarely)],
    hourlySpending: { ...hours, atLeast: 0.9, atMost: 1, ok: hours.least >= 0.9 && hours.most <= 1 },
    delayOfUniform: { ratio: rounded(ofUniform), atMost: 0.6, ok: ofUniform <= 0.6 },
    delayOfMiniflux: { ratio: rounded(ofMiniflux), atMost: 0.75, ok: ofMiniflux <= 0.75 },
    lossAtFourADay: {
      twoSteps: rarely.twoSteps.lostShare,
      uniform: rarely.uniform.lostShare,
      ok: rarely.twoSteps.lostShare < 0.01 && rarely.uniform.lostShare > 0.1,
    },
  }
}

export async function runOne(world: SimWorld, strategy: string, perDay: number, seed: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-live-'))
  const clock = new VirtualClock(world.startMs)
  const startedAt = systemClock.monotonicMs()
  const data = await openSqliteStore({ path: join(folder, 'headwater.db'), clock })
  const seen = new Seen(world, perDay)
  try {
    await runLive({
      clock,
      data,
      fetcher: documentFetcher(world.sources, clock),
      urls: world.sources.map((_, index) => feedUrl(index)),
      endMs: world.endMs,
      seed,
      writesUnderWay: 32,
      flags: { strategy, budget: `${perDay * world.sources.length}/day` },
      onRefresh: (id, at) => seen.refreshed(id, at),
    })
    const { items } = await data.store.counts()
    return {
      strategy,
      perDay,
      ...seen.figures(items),
      realSeconds: rounded((systemClock.monotonicMs() - startedAt) / 1000),
    }
  } finally {
    await data.store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the refreshes mean against the truth of the world. */
class Seen {
  private readonly runs: readonly SourceRun[]
  private readonly tally: Tally
  private readonly hours: Float64Array
  private fetched = 0

  constructor(
    private readonly world: SimWorld,
    private readonly perDay: number,
  ) {
    this.runs = world.sources.map((source) => new SourceRun(source))
    this.tally = new Tally(world.startMs + WARM_UP_MS, world.endMs, itemCount(world))
    this.hours = new Float64Array(Math.ceil((world.endMs - world.startMs) / HOUR_MS))
  }

  refreshed(id: number, at: number): void {
    const run = this.runs[id - 1]!
    this.fetched += run.refresh(at).newItems
    this.tally.refreshed(this.world.sources[id - 1]!, at, run.met)
    const hour = Math.floor((at - this.world.startMs) / HOUR_MS)
    this.hours[hour] = this.hours[hour]! + 1
  }

  figures(archived: number) {
    const { tally, world } = this
    for (const [index, { met }] of this.runs.entries()) {
      const source = world.sources[index]!
      tally.ended(source, met.to, publishedBy(source.times, world.endMs, met.to))
    }
    const [median, p95] = tally.quantilesMs([0.5, 0.95])
    const perHour = (this.perDay * world.sources.length) / 24
    const shares = [...this.hours].slice(WARM_UP_MS / HOUR_MS).map((count) => count / perHour)
    return {
      requests: tally.requests,
      meanDelayMinutes: rounded(tally.meanDelayMs / MINUTE_MS),
      medianDelayMinutes: rounded(median! / MINUTE_MS),
      p95DelayMinutes: rounded(p95! / MINUTE_MS),
      lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
      archivedShare: archived / this.fetched,
      hours: {
        least: Math.min(...shares),
        most: Math.max(...shares),
        mean: rounded(shares.reduce((sum, share) => sum + share, 0) / shares.length),
      },
    }
  }
}
