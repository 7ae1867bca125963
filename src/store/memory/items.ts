import { valueAt } from '../../model/entry-at.ts'
import type { Item, ItemKey, ItemSeq } from '../../model/index.ts'
import { HEAD_CHARACTERS, type ItemHead } from '../item-heads.ts'
import { mediaOf, withLeadImage } from '../item-media.ts'
import { foldersOf } from '../rules/categories.ts'
import { mixedWindow } from '../rules/mixed-window.ts'
import {
  addIntake,
  countedAt,
  hasWindow,
  idAfterEdit,
  isNews,
  isRepeated,
  itemsToAdd,
  parsedPartOf,
  renamingsToMake,
} from '../rules/refreshes.ts'
import type { ChangedItem, ItemQuery, ItemScope, NewItem, RefreshRecord } from '../store.ts'
import { matchesText } from '../text/match.ts'
import { parseTextQuery } from '../text/query.ts'
import { queuePage } from './item-pages.ts'
import { addQuality } from './quality.ts'
import { moveSource } from './sources.ts'
import { type MemoryTables, nextEntryCursor, type SourceFile } from './tables.ts'

export function recordRefresh(world: MemoryTables, record: RefreshRecord): { added: number; changed: number } {
  const file = world.files.get(record.sourceId)
  if (file === undefined) return { added: 0, changed: 0 }
  const { observation } = record
  const { lastCheckAt, window } = file.source.state
  const hasObservation = observation !== null && file.observations.has(observation.at)
  const isFirst = !isRepeated(record, { lastCheckAt, hasObservation })
  file.source = { ...file.source, state: hasWindow(record) ? record.state : { ...record.state, window } }
  moveSource(world, file, record.movedTo)
  if (isFirst) count(world, file, record)
  const isKnown = (key: ItemKey) => file.seqByKey.has(key) || file.removedItems.has(key)
  for (const { from, to } of renamingsToMake(record.renamedItems, isKnown)) rename(world, file, from, to)
  const added = itemsToAdd(record.newItems, isKnown)
  for (const item of added) queuePage(world, record, addItem(world, file, item))
  return {
    added: added.length,
    changed: record.changedItems.filter((item) => changeItem(world, file, item)).length,
  }
}

function count(world: MemoryTables, file: SourceFile, record: RefreshRecord): void {
  const { observation, decision, quality, intake } = record
  if (observation !== null) {
    file.observations.set(observation.at, observation)
    if (decision !== undefined) file.decisions.set(observation.at, decision)
  }
  if (quality !== undefined) addQuality(world, file.source.id, countedAt(record), quality)
  if (intake !== null) file.days.set(intake.day, addIntake(file.days.get(intake.day), intake))
}

/** Archived or remembered. */
function rename(world: MemoryTables, file: SourceFile, from: ItemKey, to: ItemKey): void {
  const seq = file.seqByKey.get(from)
  if (seq !== undefined) {
    file.seqByKey.delete(from)
    file.seqByKey.set(to, seq)
    world.items.set(seq, { ...valueAt(world.items, seq), key: to })
  }
  const removed = file.removedItems.get(from)
  if (removed !== undefined) {
    file.removedItems.delete(from)
    file.removedItems.set(to, removed)
  }
}

function addItem(world: MemoryTables, file: SourceFile, item: NewItem): Item {
  const { key, contentHash, firstSeenAt, sortAt } = item
  const seq = ++world.lastSeq
  const identity = { seq, sourceId: file.source.id, key, firstSeenAt, sortAt }
  const stored: Item = { ...parsedPartOf(item), ...identity, contentHash, changedAt: firstSeenAt }
  world.items.set(seq, stored)
  file.seqByKey.set(key, seq)
  world.entries.push({ cursor: nextEntryCursor(world), kind: 'new', seq })
  return stored
}

function changeItem(world: MemoryTables, file: SourceFile, edit: ChangedItem): boolean {
  const seq = file.seqByKey.get(edit.key)
  if (seq === undefined) return false
  const before = valueAt(world.items, seq)
  if (!isNews(before, edit)) return false
  const { contentHash, changedAt } = edit
  world.items.set(seq, { ...before, ...parsedPartOf(edit), id: idAfterEdit(before, edit), contentHash, changedAt })
  world.entries.push({ cursor: nextEntryCursor(world), kind: 'changed', seq })
  return true
}

export function readItems(world: MemoryTables, query: ItemQuery): Item[] {
  const text = query.text === undefined || query.text.trim() === '' ? undefined : parseTextQuery(query.text)
  if (text === null) return []
  return [...world.items.values()]
    .filter(inScope(world, query.scope))
    .filter((item) => item.sortAt >= (query.since ?? Number.NEGATIVE_INFINITY))
    .filter((item) => item.sortAt < (query.until ?? Number.POSITIVE_INFINITY))
    .filter((item) => query.after === undefined || newestFirst(query.after, item) < 0)
    .filter((item) => text === undefined || matchesText(text, item))
    .sort(newestFirst)
    .slice(0, Math.max(0, query.limit))
}

export function readArrivals(world: MemoryTables, scope: ItemScope, limit: number): Item[] {
  return [...world.items.values()]
    .filter(inScope(world, scope))
    .sort((a, b) => b.seq - a.seq)
    .slice(0, Math.max(0, limit))
}

export function readMixedArrivals(world: MemoryTables, scope: ItemScope, limit: number): Item[] {
  if (scope.kind === 'source') return readArrivals(world, scope, limit)
  const everything = [...world.items.values()].sort((a, b) => b.seq - a.seq)
  return mixedWindow(everything, inScope(world, scope), limit)
}

export function seqsIn(world: MemoryTables, scope: ItemScope): ItemSeq[] {
  return [...world.items.values()].filter(inScope(world, scope)).map(({ seq }) => seq)
}

function inScope(world: MemoryTables, scope: ItemScope): (item: Item) => boolean {
  if (scope.kind === 'all') return () => true
  if (scope.kind === 'source') return (item) => item.sourceId === scope.sourceId
  const members = new Set<number>()
  for (const [id, { source }] of world.files) {
    if (foldersOf(source.categories).includes(scope.category)) members.add(id)
  }
  return (item) => members.has(item.sourceId)
}

export function newestFirst(a: Pick<Item, 'sortAt' | 'seq'>, b: Pick<Item, 'sortAt' | 'seq'>): number {
  return b.sortAt - a.sortAt || b.seq - a.seq
}

export function readHeads(world: MemoryTables, seqs: readonly ItemSeq[]): ItemHead[] {
  return seqs.flatMap((seq) => {
    const item = world.items.get(seq)
    if (item === undefined) return []
    const { sourceId, sortAt, firstSeenAt, changedAt, published, title, link, authors } = item
    const { url, name, state } = valueAt(world.files, sourceId).source
    const text = [...(item.summary ?? item.content ?? '')].slice(0, HEAD_CHARACTERS).join('')
    const media = withLeadImage(mediaOf(item), world.pages.get(seq)?.facts?.leadImage?.url ?? null)
    const head = { firstSeenAt, changedAt, published, title, link, authors, ...media }
    const source = { url, name, title: state.title }
    return [{ seq, sourceId, sortAt, ...head, text, isCut: text.length >= HEAD_CHARACTERS, source }]
  })
}
