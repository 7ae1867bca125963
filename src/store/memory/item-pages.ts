import { valueAt } from '../../model/entry-at.ts'
import type { DuePage, InstantMs, Item, ItemPage, PageSums } from '../../model/index.ts'
import type { ItemPageStore, PageRecord } from '../item-pages.ts'
import { pageToFetch } from '../rules/page-queue.ts'
import type { RefreshRecord } from '../store.ts'
import { type MemoryTables, nextEntryCursor, type StoredPage } from './tables.ts'

export function itemPageVerbs(world: MemoryTables, bufferChanged: () => void): ItemPageStore {
  const { pages } = world
  return {
    async queuePages(items, dueAt) {
      for (const item of items) {
        if (!pages.has(item.seq) && world.items.has(item.seq)) addPage(world, item, dueAt)
      }
    },
    async duePages(now, { limit, part, without }) {
      return [...pages.values()]
        .filter(({ dueAt }) => dueAt !== null && dueAt <= now)
        .filter(({ shard }) => part?.shards.has(shard) !== false && without?.has(shard) !== true)
        .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || a.seq - b.seq)
        .slice(0, Math.max(0, limit))
        .map(duePageOf)
    },
    async recordPage(record) {
      const before = pages.get(record.seq)
      if (before === undefined || before.dueAt === null) return false
      if (writePage(world, before, record)) bufferChanged()
      return true
    },
    async holdForPages(holds) {
      const waiting = holds.filter(({ seq }) => isFirstAwaited(pages.get(seq)))
      for (const { seq, until } of waiting) {
        const page = valueAt(pages, seq)
        pages.set(seq, { ...page, heldUntil: Math.min(until, page.heldUntil ?? until) })
      }
      return new Set(waiting.map(({ seq }) => seq))
    },
    async endHolds(now) {
      const over = [...pages.values()].filter(({ heldUntil }) => heldUntil !== null && heldUntil <= now)
      for (const page of over) {
        pages.set(page.seq, { ...page, heldUntil: null })
        addEntry(world, page.seq)
      }
      if (over.length > 0) bufferChanged()
      return over.length
    },
    async askAgain(seqs, dueAt) {
      const settled = seqs.flatMap((seq) => pages.get(seq) ?? []).filter((page) => page.dueAt === null)
      for (const page of settled) pages.set(page.seq, { ...page, dueAt, attempts: 0 })
      return settled.length
    },
    async itemPage(seq) {
      const page = pages.get(seq)
      return page === undefined ? null : shownPage(page)
    },
    pageBody: async (seq) => pages.get(seq)?.body ?? null,
    async storedPages({ sourceId, after, limit }) {
      return [...pages.values()]
        .filter((page) => page.body !== null && page.seq > after && (sourceId ?? page.sourceId) === page.sourceId)
        .sort((a, b) => a.seq - b.seq)
        .slice(0, Math.max(0, limit))
        .map(shownPage)
    },
    pageSums: async (sourceId) => sumsOf([...pages.values()].filter((page) => page.sourceId === sourceId)),
  }
}

function sumsOf(own: readonly StoredPage[]): PageSums {
  const fetched = own.filter(({ facts }) => facts !== null).length
  const failed = own.filter(({ facts, dueAt }) => facts === null && dueAt === null).length
  const bodyBytes = own.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
  return { waiting: own.length - fetched - failed, fetched, failed, bodyBytes }
}

function duePageOf({ seq, sourceId, url, shard, attempts, known }: StoredPage): DuePage {
  return { seq, sourceId, url, shard, attempts, known }
}

/** Nothing was requested yet. */
function isFirstAwaited(page: StoredPage | undefined): boolean {
  return page !== undefined && page.dueAt !== null && page.attempts === 0 && page.facts === null
}

export function queuePage(world: MemoryTables, record: RefreshRecord, item: Item): void {
  if (record.fetchesPages === true) addPage(world, item, item.firstSeenAt)
}

function addPage(world: MemoryTables, item: Pick<Item, 'seq' | 'sourceId' | 'link'>, dueAt: InstantMs): void {
  const page = pageToFetch(item)
  if (page === null) return
  const { seq, sourceId } = item
  const nothing = { fetchedAt: null, status: null, finalUrl: null, contentType: null, failure: null, facts: null }
  const row = { seq, sourceId, ...page, attempts: 0, dueAt, known: null, heldUntil: null, body: null, ...nothing }
  world.pages.set(seq, row)
}

/** Whether there is a new buffer entry. */
function writePage(world: MemoryTables, before: StoredPage, { found, ...record }: PageRecord): boolean {
  const { seq, fetchedAt, attempts } = record
  const isReleased = before.heldUntil !== null && attempts > 0
  const merged = { ...before, ...record, heldUntil: isReleased ? null : before.heldUntil }
  const item = valueAt(world.items, seq)
  if (found === null) world.pages.set(seq, merged)
  else {
    const { article: _article, etag, lastModified, ...page } = found
    world.pages.set(seq, { ...merged, ...page, known: page.facts === null ? null : { etag, lastModified } })
  }
  const article = found?.article ?? item.article
  const isEdit = article !== undefined && article !== item.article
  if (isEdit) world.items.set(seq, { ...item, article, changedAt: Math.max(item.changedAt, fetchedAt) })
  if (isEdit || isReleased) addEntry(world, seq)
  return isEdit || isReleased
}

function addEntry(world: MemoryTables, seq: number): void {
  world.entries.push({ cursor: nextEntryCursor(world), kind: 'changed', seq })
}

function shownPage({ body, heldUntil: _heldUntil, ...page }: StoredPage): ItemPage {
  return { ...page, bodyBytes: body?.length ?? 0 }
}
