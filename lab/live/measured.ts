import { entryAt } from '../../src/model/entry-at.ts'
import type { InstantMs, SourceId } from '../../src/model/index.ts'
import { SourceRun } from '../simulator/source-run.ts'
import { Tally } from '../simulator/tally.ts'
import { publishedBy, type SimWorld } from '../simulator/world.ts'

export interface Measured {
  readonly requests: number
  readonly completeness: number
  /** Share of the time in which a source has nothing that was not fetched, over all sources. */
  readonly freshness: number
  readonly meanDelayMs: number
}

/** What refreshes at these moments are worth against the truth of a world, from a moment on. */
export function measure(
  world: SimWorld,
  refreshes: readonly (readonly [id: SourceId, at: InstantMs])[],
  fromMs: InstantMs,
): Measured {
  const tally = new Tally(fromMs, world.endMs)
  const runs = new Map(world.sources.map((source) => [source.id, { source, run: new SourceRun(source) }]))
  let staleMs = 0
  for (const [id, at] of refreshes) {
    const { source, run } = runs.get(id)!
    run.refresh(at)
    tally.refreshed(source, at, run.met)
    if (run.met.to > run.met.from) staleMs += overlapMs(entryAt(source.times, run.met.from), at, fromMs, world.endMs)
  }
  for (const { source, run } of runs.values()) {
    const published = publishedBy(source.times, world.endMs, run.met.to)
    tally.ended(source, run.met.to, published)
    if (published > run.met.to)
      staleMs += overlapMs(entryAt(source.times, run.met.to), world.endMs, fromMs, world.endMs)
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
