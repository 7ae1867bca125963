import type { BudgetTerms } from '../../../src/cluster/grants.ts'
import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../../src/model/index.ts'
import type { AnyPricedStrategy } from '../../../src/refresh/strategy.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { runCluster } from '../../cluster/cluster-run.ts'
import type { Membership } from '../../cluster/cluster-setup.ts'
import type { HandOverCounts } from '../../cluster/hand-overs.ts'
import { mostWithin } from '../../cluster/spending-peaks.ts'
import type { KnownOf } from '../../simulator/known-sources.ts'
import { runScheduled } from '../../simulator/scheduled-run.ts'
import { Tally } from '../../simulator/tally.ts'
import type { SimWorld } from '../../simulator/world.ts'
import { CONFIG } from './config.ts'
import { DayRows, type RowsOfSource } from './day-rows.ts'

/** A world, its budget and its crawlers. */
export interface ScaleScene {
  readonly name: string
  readonly world: SimWorld
  readonly strategy: AnyPricedStrategy
  readonly knownOf?: KnownOf
  readonly membership: Pick<Membership, 'shardOf' | 'siteOf'>
  readonly crawlers: number
  readonly perDay: number
  readonly learningMs: DurationMs
  readonly seed: number
}

export interface SceneFigures {
  readonly delayMinutes: number
  readonly lostShare: number
  /** Of the budget. */
  readonly spent: number
  readonly busiestHour: number
  readonly busiestDay: number
  readonly rows: RowsOfSource
}

export interface ClusterSceneFigures extends SceneFigures {
  readonly drawsPerSecond: number
  readonly handOvers: HandOverCounts
  readonly schedulerBytesPerSource: number
}

/** One scheduler and several crawlers in the same world. */
export interface SceneRun {
  readonly scene: ScaleScene
  readonly one: SceneFigures
  readonly crawlers: ClusterSceneFigures
}

export function ratioOf({ one, crawlers }: SceneRun): number {
  return crawlers.delayMinutes / one.delayMinutes
}

export function measureOne(scene: ScaleScene): SceneFigures {
  const { world, strategy, knownOf, seed } = scene
  const { budget, burst } = termsOf(scene)
  const meter = new Meter(scene)
  const random = seededRandom(seed)
  runScheduled(
    {
      world,
      scheduler: { strategy, budget, burst, minIntervalMs: CONFIG.minIntervalMs, random },
      ...(knownOf === undefined ? {} : { knownOf }),
      onRefresh: (_id, at) => meter.requests.push(at),
    },
    meter,
  )
  return meter.figures()
}

export function measureCrawlers(scene: ScaleScene): ClusterSceneFigures {
  const { world, strategy, knownOf, seed, crawlers, membership, learningMs } = scene
  const { minIntervalMs, latencyMs, handOverMs, takeOverMs, spacingMs } = CONFIG
  const meter = new Meter(scene)
  const absences = CONFIG.absences.map(({ member, afterMs, forMs, isKilled }) => {
    const fromMs = world.startMs + learningMs + afterMs
    return { member, fromMs, toMs: fromMs + forMs, isKilled }
  })
  const run = runCluster(
    {
      world,
      // It holds nothing, so that one does for all.
      newStrategy: () => strategy,
      terms: termsOf(scene),
      minIntervalMs,
      members: crawlers,
      memberOf: { ...membership, absences, handOverMs, takeOverMs, spacingMs },
      latencyMs,
      ...(knownOf === undefined ? {} : { knownOf }),
      seed,
    },
    meter,
  )
  for (const at of run.requests) meter.requests.push(at)
  return {
    ...meter.figures(),
    drawsPerSecond: run.draws / ((world.endMs - world.startMs) / SECOND_MS),
    handOvers: run.handOvers,
    schedulerBytesPerSource: run.schedulerBytes / world.sources.length,
  }
}

function termsOf({ world, perDay }: ScaleScene): BudgetTerms {
  const requests = perDay * world.sources.length
  return {
    budget: { requests, perMs: DAY_MS },
    factor: 1,
    burst: Math.max(1, Math.round(requests / CONFIG.burstsPerDay)),
  }
}

/** Delay, spending and rows of the time after learning. */
class Meter {
  readonly requests: number[] = []
  private readonly tally: Tally
  private readonly rows: DayRows
  private readonly fromMs: InstantMs

  constructor(private readonly scene: ScaleScene) {
    const { world, learningMs } = scene
    this.fromMs = world.startMs + learningMs
    this.tally = new Tally(this.fromMs, world.endMs)
    this.rows = new DayRows(world.sources.length, this.fromMs, world.endMs)
  }

  refreshed: Tally['refreshed'] = (source, at, sight) => {
    this.tally.refreshed(source, at, sight)
    this.rows.refreshed(source, at, sight)
  }

  ended: Tally['ended'] = (source, reached, published) => this.tally.ended(source, reached, published)

  figures(): SceneFigures {
    const { world, perDay } = this.scene
    const { tally } = this
    const times = Float64Array.from(this.requests).sort()
    const perMs = (perDay * world.sources.length) / DAY_MS
    return {
      delayMinutes: tally.meanDelayMs / MINUTE_MS,
      lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
      spent: tally.requests / ((world.endMs - this.fromMs) * perMs),
      busiestHour: mostWithin(times, HOUR_MS) / (HOUR_MS * perMs),
      busiestDay: mostWithin(times, DAY_MS) / (DAY_MS * perMs),
      rows: this.rows.perDay,
    }
  }
}
