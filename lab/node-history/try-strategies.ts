import type { LabRequest, LabResult } from '../../src/api/services.ts'
import { strategyFor } from '../../src/app/crawling/strategy.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import { type DurationMs, MINUTE_MS } from '../../src/model/index.ts'
import type { SharedModels } from '../../src/refresh/shared-models.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { runScheduled } from '../simulator/scheduled-run.ts'
import type { WindowSight } from '../simulator/source-run.ts'
import { Tally } from '../simulator/tally.ts'
import type { SimSource, SimWorld } from '../simulator/world.ts'

const SEED = 1

export interface TryOptions {
  readonly estimator: string
  readonly minIntervalMs: DurationMs
  readonly maxIntervalMs: DurationMs
}

export type StrategyPoint = LabResult['points'][number]

/** The scheduler of the node over its own history, once for every strategy and budget. */
export function tryOne(
  world: SimWorld,
  strategy: string,
  requestsPerMinute: number,
  options: TryOptions,
  shared?: SharedModels,
): StrategyPoint {
  const tally = new FreshnessTally(world)
  runScheduled(
    {
      world,
      scheduler: {
        strategy: strategyFor({ strategy, estimator: options.estimator }, shared),
        budget: { requests: requestsPerMinute, perMs: MINUTE_MS },
        burst: Math.max(1, Math.round(requestsPerMinute / 60)),
        minIntervalMs: options.minIntervalMs,
        maxIntervalMs: Math.max(options.maxIntervalMs, options.minIntervalMs),
        random: seededRandom(SEED),
      },
    },
    tally,
  )
  return {
    strategy,
    requestsPerMinute,
    meanDelayMs: tally.items === 0 ? null : tally.meanDelayMs,
    completeness: tally.items === 0 ? null : 1 - tally.lost / tally.items,
    freshness: tally.freshness,
    requests: tally.requests,
  }
}

/** Freshness as the live node counts it (src/quality/live.ts): each item makes its window stale by its share of it. */
class FreshnessTally extends Tally {
  private readonly lastAt = new Map<number, number>()
  private readonly startMs: number
  private watchedMs = 0
  private staleMs = 0

  constructor({ startMs, endMs }: SimWorld) {
    super(startMs, endMs)
    this.startMs = startMs
  }

  override refreshed(source: SimSource, at: number, sight: WindowSight): void {
    const sinceMs = at - (this.lastAt.get(source.id) ?? this.startMs)
    let waitedMs = 0
    for (let index = sight.from; index < sight.to; index++) waitedMs += at - entryAt(source.times, index)
    this.watchedMs += sinceMs
    this.staleMs += Math.min(sinceMs, waitedMs / Math.max(1, source.windowSize))
    this.lastAt.set(source.id, at)
    super.refreshed(source, at, sight)
  }

  get freshness(): number | null {
    return this.watchedMs > 0 ? 1 - this.staleMs / this.watchedMs : null
  }
}

export function strategiesAndRates({ strategies, requestsPerMinute }: LabRequest): (readonly [string, number])[] {
  return strategies.flatMap((strategy) => requestsPerMinute.map((rate) => [strategy, rate] as const))
}
