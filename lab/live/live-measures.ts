import { entryAt } from '../../src/model/entry-at.ts'
import type { InstantMs, SourceId } from '../../src/model/index.ts'
import { SourceRun } from '../simulator/source-run.ts'
import { Tally } from '../simulator/tally.ts'
import { countPublishedBy, type SimWorld } from '../simulator/world.ts'

export interface LiveMeasures {
  readonly requests: number
  readonly completeness: number
  /** Share of the time in which a source has nothing that was not fetched, over all sources. */
  readonly freshness: number
  readonly meanDelayMs: number
}

/** What refreshes at these moments are worth against the truth of a world, from a moment on. */
export function measureRefreshes(
  world: SimWorld,
  refreshes: readonly (readonly [id: SourceId, at: InstantMs])[],
  fromMs: InstantMs,
): LiveMeasures {
  const tally = new Tally(fromMs, world.endMs)
  const runs = new Map(world.sources.map((source) => [source.id, { source, run: new SourceRun(source) }]))
  let staleMs = 0
  for (const [id, at] of refreshes) {
    const { source, run } = runs.get(id)!
    run.refresh(at)
    tally.refreshed(source, at, run.sight)
    if (run.sight.to > run.sight.from)
      staleMs += overlapMs(entryAt(source.times, run.sight.from), at, fromMs, world.endMs)
  }
  for (const { source, run } of runs.values()) {
    const published = countPublishedBy(source.times, world.endMs, run.sight.to)
    tally.ended(source, run.sight.to, published)
    if (published > run.sight.to)
      staleMs += overlapMs(entryAt(source.times, run.sight.to), world.endMs, fromMs, world.endMs)
  }
  return {
    requests: tally.requests,
    completeness: tally.items > 0 ? 1 - tally.lost / tally.items : 1,
    freshness: 1 - staleMs / (world.sources.length * (world.endMs - fromMs)),
    meanDelayMs: tally.meanDelayMs,
  }
}

function overlapMs(from: InstantMs, to: InstantMs, least: InstantMs, most: InstantMs): number {
  return Math.max(0, Math.min(to, most) - Math.max(from, least))
}
