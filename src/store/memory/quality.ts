import type { InstantMs, QualityScope, QualityTally, SourceId } from '../../model/index.ts'
import { foldersOf } from '../rules/categories.ts'
import { addTallies, hourOf, hoursWithin, NO_TALLY } from '../rules/quality.ts'
import type { Cutoffs } from '../rules/retention.ts'
import type { MemoryTables, QualityRow } from './tables.ts'

export function addQuality(world: MemoryTables, sourceId: SourceId, at: InstantMs, tally: QualityTally): void {
  const hour = hourOf(at)
  world.quality.push({ hour, sourceId, tally })
  world.nodeQuality.push({ hour, sourceId, tally })
  world.qualityEver = addTallies(world.qualityEver, tally)
}

export function readQuality(
  world: MemoryTables,
  scope: QualityScope,
  since: InstantMs,
  until: InstantMs,
): QualityTally {
  const { from, to } = hoursWithin(since, until)
  const rows = scope.kind === 'node' ? world.nodeQuality : world.quality.filter(inScope(world, scope))
  return rows
    .filter(({ hour }) => hour >= from && hour < to)
    .reduce((sum, { tally }) => addTallies(sum, tally), NO_TALLY)
}

function inScope(world: MemoryTables, scope: Exclude<QualityScope, { kind: 'node' }>): (row: QualityRow) => boolean {
  if (scope.kind === 'sources') return ({ sourceId }) => scope.ids.includes(sourceId)
  return ({ sourceId }) => foldersOf(world.files.get(sourceId)?.source.categories ?? []).includes(scope.category)
}

export function forgetOldQuality(
  world: MemoryTables,
  { sourceQualityBeforeHour, nodeQualityBeforeHour }: Cutoffs,
): void {
  world.quality = world.quality.filter(({ hour }) => hour >= sourceQualityBeforeHour)
  world.nodeQuality = world.nodeQuality.filter(({ hour }) => hour >= nodeQualityBeforeHour)
}
