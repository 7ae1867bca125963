import { valueAt } from '../../model/entry-at.ts'
import type { Item, ItemKey, ItemSeq, ParsedItem } from '../../model/index.ts'
import { foldersOf } from '../categories.ts'
import { HEAD_CHARACTERS, type ItemHead } from '../item-heads.ts'
import { mixedWindow } from '../mixed-window.ts'
import type { ChangedItem, ItemQuery, ItemScope, NewItem, RefreshRecord } from '../store.ts'
import { matchesText } from '../text/match.ts'
import { parseTextQuery } from '../text/query.ts'
import { addIntake } from './intake.ts'
import { addQuality } from './quality.ts'
import { moveSource } from './sources.ts'
import type { SourceFile, World } from './world.ts'

export function recordRefresh(world: World, record: RefreshRecord): { added: number; changed: number } {
  const file = world.files.get(record.sourceId)
  if (file === undefined) return { added: 0, changed: 0 }
  const { observation, quality } = record
  const { lastCheckAt } = file.source.state
  const isNew = observation === null ? lastCheckAt !== record.state.lastCheckAt : !file.observations.has(observation.at)
  const window = observation?.notModified === true ? file.source.state.window : record.state.window
  file.source = { ...file.source, state: { ...record.state, window } }
  if (record.movedTo !== null) moveSource(world, file, record.movedTo)
  for (const { from, to } of record.renamedItems) rename(world, file, from, to)
  if (isNew && observation !== null) {
    file.observations.set(observation.at, observation)
    if (record.decision !== undefined) file.decisions.set(observation.at, record.decision)
  }
  if (isNew && quality !== undefined) {
    addQuality(world, file.source.id, observation?.at ?? record.state.lastCheckAt ?? 0, quality)
  }
  if (isNew && record.intake !== null) addIntake(file, record.intake)
  return {
    added: record.newItems.filter((item) => addItem(world, file, item)).length,
    changed: record.changedItems.filter((item) => changeItem(world, file, item)).length,
  }
}

/** Archived or remembered; a key that is taken already stays with what has it. */
function rename(world: World, file: SourceFile, from: ItemKey, to: ItemKey): void {
  if (file.seqByKey.has(to) || file.removedItems.has(to)) return
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

function addItem(world: World, file: SourceFile, item: NewItem): boolean {
  const { key, contentHash, firstSeenAt, sortAt } = item
  if (file.seqByKey.has(key) || file.removedItems.has(key)) return false
  const seq = ++world.lastSeq
  const identity = { seq, sourceId: file.source.id, key, firstSeenAt, sortAt }
  world.items.set(seq, { ...said(item), ...identity, contentHash, changedAt: firstSeenAt })
  file.seqByKey.set(key, seq)
  world.entries.push({ cursor: ++world.lastCursor, kind: 'new', seq })
  return true
}

/** An edit older than what is stored is a repetition of the past, not news. */
function changeItem(world: World, file: SourceFile, item: ChangedItem): boolean {
  const seq = file.seqByKey.get(item.key)
  if (seq === undefined) return false
  const before = valueAt(world.items, seq)
  if (before.contentHash === item.contentHash || before.changedAt > item.changedAt) return false
  world.items.set(seq, {
    ...before,
    ...said(item),
    id: before.id ?? item.id,
    contentHash: item.contentHash,
    changedAt: item.changedAt,
  })
  world.entries.push({ cursor: ++world.lastCursor, kind: 'changed', seq })
  return true
}

/** What the document says, without whatever else the caller's object holds. */
function said(item: ParsedItem): ParsedItem {
  const { id, title, link, published, updated, authors, categories, summary, content, enclosures } = item
  const { language, commentsUrl, image, extensions } = item
  const texts = { id, title, link, published, updated, authors, categories, summary, content, enclosures }
  return { ...texts, language, commentsUrl, image, extensions }
}

export function readItems(world: World, query: ItemQuery): Item[] {
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

export function readArrivals(world: World, scope: ItemScope, limit: number): Item[] {
  return [...world.items.values()]
    .filter(inScope(world, scope))
    .sort((a, b) => b.seq - a.seq)
    .slice(0, Math.max(0, limit))
}

export function readMixedArrivals(world: World, scope: ItemScope, limit: number): Item[] {
  if (scope.kind === 'source') return readArrivals(world, scope, limit)
  const everything = [...world.items.values()].sort((a, b) => b.seq - a.seq)
  return mixedWindow(everything, inScope(world, scope), limit)
}

export function seqsIn(world: World, scope: ItemScope): ItemSeq[] {
  return [...world.items.values()].filter(inScope(world, scope)).map(({ seq }) => seq)
}

function inScope(world: World, scope: ItemScope): (item: Item) => boolean {
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

export function readHeads(world: World, seqs: readonly ItemSeq[]): ItemHead[] {
  return seqs.flatMap((seq) => {
    const item = world.items.get(seq)
    if (item === undefined) return []
    const { sourceId, sortAt, firstSeenAt, changedAt, published, title, link, authors } = item
    const { url, name, state } = valueAt(world.files, sourceId).source
    const text = [...(item.summary ?? item.content ?? '')].slice(0, HEAD_CHARACTERS).join('')
    const shown = { firstSeenAt, changedAt, published, title, link, authors }
    const source = { url, name, title: state.title }
    return [{ seq, sourceId, sortAt, ...shown, text, isCut: text.length >= HEAD_CHARACTERS, source }]
  })
}
