import { valueAt } from '../../model/entry-at.ts'
import type { InstantMs, SourceId } from '../../model/index.ts'
import { type Asker, askerOf, numberOfAsker } from '../askers.ts'
import type { RefreshRequest } from '../scheduling.ts'
import { isInPart, type SourcePart } from '../shards.ts'
import type { MemoryTables } from './tables.ts'

export function requestRefresh(world: MemoryTables, sourceId: SourceId, now: InstantMs, asker: Asker): void {
  const by = numberOfAsker(asker)
  const key = `${sourceId} ${by}`
  const at = Math.max(now, world.requests.get(key)?.at ?? now)
  if (world.files.has(sourceId)) world.requests.set(key, { sourceId, by, at })
}

export function takeRefreshRequests(world: MemoryTables, part: SourcePart | undefined): RefreshRequest[] {
  const requests = [...world.requests]
    .filter(([, { sourceId }]) => isInPart(valueAt(world.files, sourceId).source.url, part))
    .sort(([, a], [, b]) => a.at - b.at || a.sourceId - b.sourceId || a.by - b.by)
  for (const [key] of requests) world.requests.delete(key)
  return requests.map(([, { sourceId, by, at }]) => ({ sourceId, by: askerOf(by), at }))
}
