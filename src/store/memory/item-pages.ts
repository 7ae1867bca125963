import { valueAt } from '../../model/entry-at.ts'
import type { Item, ItemPage } from '../../model/index.ts'
import type { ItemPageStore, PageRecord } from '../item-pages.ts'
import { pageToFetch } from '../rules/page-queue.ts'
import type { RefreshRecord } from '../store.ts'
import { type MemoryTables, nextEntryCursor, type StoredPage } from './tables.ts'

export function itemPageVerbs(world: MemoryTables, bufferChanged: () => void): ItemPageStore {
  const { pages } = world
  return {
    async duePages(now, { limit, part, without }) {
      return [...pages.values()]
        .filter(({ dueAt }) => dueAt !== null && dueAt <= now)
        .filter(({ shard }) => part?.shards.has(shard) !== false && without?.has(shard) !== true)
        .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || a.seq - b.seq)
        .slice(0, Math.max(0, limit))
        .map(({ seq, sourceId, url, shard, attempts }) => ({ seq, sourceId, url, shard, attempts }))
    },
    async recordPage(record) {
      const before = pages.get(record.seq)
      if (before === undefined || before.dueAt === null) return false
      writePage(world, before, record)
      if (record.article !== null) bufferChanged()
      return true
    },
    async itemPage(seq) {
      const page = pages.get(seq)
      return page === undefined ? null : shownPage(page)
    },
    pageBody: async (seq) => pages.get(seq)?.body ?? null,
    async pageSums(sourceId) {
      const own = [...pages.values()].filter((page) => page.sourceId === sourceId)
      const settled = own.filter(({ dueAt }) => dueAt === null)
      const failed = settled.filter(({ failure }) => failure !== null).length
      return {
        waiting: own.length - settled.length,
        fetched: settled.length - failed,
        failed,
        bodyBytes: own.reduce((sum, { body }) => sum + (body?.length ?? 0), 0),
      }
    },
  }
}

export function queuePage(world: MemoryTables, record: RefreshRecord, item: Item): void {
  const page = pageToFetch(record, item)
  if (page === null) return
  const { seq, sourceId, firstSeenAt } = item
  const nothing = { fetchedAt: null, status: null, finalUrl: null, failure: null, facts: null, body: null }
  world.pages.set(seq, { seq, sourceId, ...page, attempts: 0, dueAt: firstSeenAt, ...nothing })
}

function writePage(world: MemoryTables, before: StoredPage, { article, ...record }: PageRecord): void {
  const { seq, fetchedAt } = record
  world.pages.set(seq, { ...before, ...record })
  if (article === null) return
  const item = valueAt(world.items, seq)
  world.items.set(seq, { ...item, article, changedAt: Math.max(item.changedAt, fetchedAt) })
  world.entries.push({ cursor: nextEntryCursor(world), kind: 'changed', seq })
}

function shownPage({ body, ...page }: StoredPage): ItemPage {
  return { ...page, bodyBytes: body?.length ?? 0 }
}
