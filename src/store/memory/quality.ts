import {
  addCounts,
  HOUR_MS,
  type InstantMs,
  NO_COUNTS,
  type QualityScope,
  type QualityTally,
  type SourceId,
} from '../../model/index.ts'
import { foldersOf } from '../categories.ts'
import { KEEP_NODE_QUALITY_MS, KEEP_SOURCE_QUALITY_MS } from '../defaults.ts'
import type { QualityRow, World } from './world.ts'

const NOTHING: QualityTally = { ...NO_COUNTS, delays: [] }

export function addQuality(world: World, sourceId: SourceId, at: InstantMs, tally: QualityTally): void {
  const hour = Math.floor(at / HOUR_MS)
  world.quality.push({ hour, sourceId, tally })
  world.nodeQuality.push({ hour, sourceId, tally })
  world.qualityEver = joined(world.qualityEver, tally)
}

export function readQuality(world: World, scope: QualityScope, since: InstantMs, until: InstantMs): QualityTally {
  const from = Math.max(0, Math.ceil(since / HOUR_MS))
  const to = Math.ceil(until / HOUR_MS)
  const rows = scope.kind === 'node' ? world.nodeQuality : world.quality.filter(inScope(world, scope))
  return rows.filter(({ hour }) => hour >= from && hour < to).reduce((sum, { tally }) => joined(sum, tally), NOTHING)
}

function inScope(world: World, scope: Exclude<QualityScope, { kind: 'node' }>): (row: QualityRow) => boolean {
  if (scope.kind === 'sources') return ({ sourceId }) => scope.ids.includes(sourceId)
  return ({ sourceId }) => foldersOf(world.files.get(sourceId)?.source.categories ?? []).includes(scope.category)
}

export function forgetOldQuality(world: World, now: InstantMs): void {
  const keptSince = (keptMs: number) => (row: QualityRow) => row.hour >= Math.floor((now - keptMs) / HOUR_MS)
  world.quality = world.quality.filter(keptSince(KEEP_SOURCE_QUALITY_MS))
  world.nodeQuality = world.nodeQuality.filter(keptSince(KEEP_NODE_QUALITY_MS))
}

function joined(a: QualityTally, b: QualityTally): QualityTally {
  const delays = new Map<number, number>()
  for (const { bucket, items } of [...a.delays, ...b.delays]) delays.set(bucket, (delays.get(bucket) ?? 0) + items)
  return {
    ...addCounts(a, b),
    delays: [...delays].sort(([x], [y]) => x - y).map(([bucket, items]) => ({ bucket, items })),
  }
}
