import type { InstantMs } from '../../src/model/index.ts'
import type { StoredMemory } from '../../src/refresh/scheduler/types.ts'
import { SourceRun, type SourceRunOptions } from './source-run.ts'
import type { SimSource, SimWorld } from './world.ts'

/** What a store has of a source that was refreshed before a run begins. */
export interface KnownSource {
  readonly lastRefreshAt: InstantMs
  readonly memory: StoredMemory
}

/** null: it is new. */
export type KnownOf = (source: SimSource) => KnownSource | null

/** A source with what is stored of it. */
export interface StoredSource {
  readonly source: SimSource
  readonly run: SourceRun
  readonly memory: StoredMemory | null
}

/** All sources of a world as they are stored when a run begins. */
export function beginSources(
  { sources }: SimWorld,
  knownOf: KnownOf = () => null,
  options: SourceRunOptions = {},
): StoredSource[] {
  return sources.map((source) => {
    const known = knownOf(source)
    const run = new SourceRun(source, { emptyIsFirst: true, ...options })
    if (known !== null) run.refresh(known.lastRefreshAt)
    return { source, run, memory: known?.memory ?? null }
  })
}
