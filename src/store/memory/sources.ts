import { valueAt } from '../../model/entry-at.ts'
import type { InstantMs, Source, SourceId, SourceSettings, UserId } from '../../model/index.ts'
import { withLogInApart, withoutLogIn } from '../address-log-in.ts'
import { NEW_SOURCE_STATE, stateAtNewUrl } from '../defaults.ts'
import { addressToMoveTo, formerAfterMove, formerWithout, refuseTaken } from '../rules/addresses.ts'
import { foldersOf, normalCategories } from '../rules/categories.ts'
import { isReadOtherwise, withOwnListing } from '../rules/listings.ts'
import { matchesFilter } from '../rules/source-filter.ts'
import { compareText } from '../rules/text-order.ts'
import { isInPart, type SourcePart } from '../shards.ts'
import type { ScheduleChanges, ScheduleEntry, SourceFilter } from '../store.ts'
import { dropItems, type MemoryTables, type SourceFile } from './tables.ts'

export function addSource(
  world: MemoryTables,
  newSettings: SourceSettings,
  now: InstantMs,
  by: UserId | null,
): { source: Source; added: boolean } {
  const settings = withLogInApart(newSettings)
  const known = findByUrl(world, settings.url)
  if (known !== null) return { source: known, added: false }
  world.lastSourceId += world.step
  const id = world.lastSourceId
  const categories = normalCategories(settings.categories)
  const source: Source = {
    ...withLimits(withOwnListing(settings)),
    categories,
    id,
    addedAt: now,
    isLocked: false,
    state: NEW_SOURCE_STATE,
  }
  world.files.set(id, {
    source,
    revision: nextRevision(world),
    seqByKey: new Map(),
    removedItems: new Map(),
    observations: new Map(),
    decisions: new Map(),
    days: new Map(),
    model: null,
  })
  world.idByUrl.set(settings.url, id)
  if (by !== null) world.adders.set(id, by)
  return { source, added: true }
}

export function findByUrl(world: MemoryTables, soughtUrl: string): Source | null {
  const url = withoutLogIn(soughtUrl)
  const id = world.idByUrl.get(url)
  if (id !== undefined) return valueAt(world.files, id).source
  const files = [...world.files.values()]
  return files.find(({ source }) => source.formerUrls?.includes(url))?.source ?? null
}

export function listSources(world: MemoryTables, filter: SourceFilter): Source[] {
  const found: Source[] = []
  for (const { source } of world.files.values()) {
    if (found.length >= (filter.limit ?? Number.POSITIVE_INFINITY)) break
    if (source.id <= (filter.afterId ?? 0)) continue
    if (filter.category !== undefined && !foldersOf(source.categories).includes(filter.category)) continue
    if (filter.status !== undefined && source.state.status !== filter.status) continue
    if (filter.names !== undefined && (source.name === null || !filter.names.includes(source.name))) continue
    if (matchesFilter(filter, { name: source.name, title: source.state.title, url: source.url })) found.push(source)
  }
  return found
}

export function changeSource(world: MemoryTables, id: SourceId, changes: Partial<SourceSettings>): Source | null {
  const file = world.files.get(id)
  if (file === undefined) return null
  const patch = withLogInApart(changes)
  const before = file.source
  const after: Source = withOwnListing({ ...before, ...patch })
  refuseTaken(id, after.url, (url) => world.idByUrl.get(url))
  const moved = after.url !== before.url
  if (moved) replaceUrl(world, file, after.url)
  file.source = {
    ...(moved ? withoutFormer(after, after.url) : after),
    categories: normalCategories(after.categories),
    state: stateAfter(before, after),
  }
  file.revision = nextRevision(world)
  return file.source
}

function stateAfter(before: Source, after: Source): Source['state'] {
  if (after.url !== before.url) return stateAtNewUrl(before.state)
  return isReadOtherwise(before, after) ? { ...stateAtNewUrl(before.state), window: [] } : before.state
}

/** Moves a source to its new address, if it may. */
export function moveSource(world: MemoryTables, file: SourceFile, movedTo: string | null): void {
  const url = addressToMoveTo(file.source, movedTo, (one) => world.idByUrl.get(one))
  if (url === null) return
  const { url: before, formerUrls = [] } = file.source
  replaceUrl(world, file, url)
  file.source = { ...file.source, formerUrls: formerAfterMove(formerUrls, before, url) }
  file.revision = nextRevision(world)
}

function replaceUrl(world: MemoryTables, file: SourceFile, url: string): void {
  world.idByUrl.delete(file.source.url)
  world.idByUrl.set(url, file.source.id)
  file.source = { ...file.source, url }
  for (const other of world.files.values()) other.source = withoutFormer(other.source, url)
}

function withoutFormer(source: Source, url: string): Source {
  if (!source.formerUrls?.includes(url)) return source
  const { formerUrls, ...rest } = source
  const remaining = formerWithout(formerUrls, url)
  return remaining.length === 0 ? rest : { ...rest, formerUrls: remaining }
}

export function dropSource(world: MemoryTables, id: SourceId, now: InstantMs): boolean {
  const file = world.files.get(id)
  if (file === undefined) return false
  world.files.delete(id)
  world.idByUrl.delete(file.source.url)
  for (const [key, { sourceId }] of world.requests) if (sourceId === id) world.requests.delete(key)
  world.adders.delete(id)
  world.pushes.delete(id)
  world.icons.delete(id)
  world.removedSources.push({ id, revision: nextRevision(world), removedAt: now })
  dropItems(world, new Set(file.seqByKey.values()))
  world.queries.itemCounts.delete(id)
  for (const shares of world.queries.matchShares.values()) shares.delete(id)
  return true
}

export function nextRevision(world: MemoryTables): number {
  world.revision += world.step
  return world.revision
}

export function listCategories(world: MemoryTables): { category: string; sources: number }[] {
  const counts = new Map<string, number>()
  for (const { source } of world.files.values()) {
    for (const folder of foldersOf(source.categories)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .map(([category, sources]) => ({ category, sources }))
    .sort((a, b) => compareText(a.category, b.category))
}

export function scheduleChanges(world: MemoryTables, since: number, part?: SourcePart): ScheduleChanges {
  const changed = [...world.files.values()].filter((file) => file.revision > since)
  const inPart = changed.filter(({ source }) => isInPart(source.url, part))
  const outside = changed.filter(({ source }) => !isInPart(source.url, part)).map(({ source }) => source.id)
  const gone = world.removedSources.filter(({ revision }) => revision > since).map(({ id }) => id)
  const removed = since === 0 ? [] : [...gone, ...outside].sort((a, b) => a - b)
  return { revision: world.revision, changed: inPart.map(entryOf), removed }
}

function entryOf({ source, model }: SourceFile): ScheduleEntry {
  const { id, url, weight, intervalMs, paused, addedAt, state } = source
  const { minIntervalMs, maxIntervalMs } = withLimits(source)
  const { status, failureCount, lastCheckAt, lastSuccessAt, nextCheckAt } = state
  const intervals = { intervalMs, minIntervalMs, maxIntervalMs }
  const times = { addedAt, lastCheckAt, lastSuccessAt, nextCheckAt }
  return { id, url, weight, ...intervals, paused, status, failureCount, ...times, model }
}

function withLimits<Settings extends SourceSettings>(settings: Settings) {
  return {
    ...settings,
    minIntervalMs: settings.minIntervalMs ?? null,
    maxIntervalMs: settings.maxIntervalMs ?? null,
    dailyAllowance: settings.dailyAllowance ?? null,
    pages: settings.pages ?? ('off' as const),
  }
}
