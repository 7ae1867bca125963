import type { InstantMs, Item, ItemSeq, Mark, SourceId, UserId } from '../../model/index.ts'
import type { ReadingScope, ReadingStore } from '../reading.ts'
import { foldersOf } from '../rules/categories.ts'
import { isRead } from '../rules/marks.ts'
import { compareText } from '../rules/text-order.ts'
import { newestFirst } from './items.ts'
import type { MemoryTables } from './tables.ts'

interface Reading {
  readonly read: Map<ItemSeq, boolean>
  readonly starred: Set<ItemSeq>
  /** All items of a source up to there are read, unless `read` says otherwise. */
  readonly upTo: Map<SourceId, ItemSeq>
  everythingUpTo: ItemSeq
  readonly trust: Map<SourceId, number>
  readonly follows: Map<string, InstantMs>
}

export function readingVerbs(
  world: MemoryTables,
  users: () => Promise<readonly UserId[]>,
): ReadingStore & { forgetUser(id: UserId): void } {
  const readings = new Map<UserId, Reading>()
  const of = (id: UserId): Reading => {
    const known = readings.get(id)
    if (known !== undefined) return known
    const fresh = {
      ...{ read: new Map(), starred: new Set<ItemSeq>(), upTo: new Map(), everythingUpTo: 0 },
      ...{ trust: new Map(), follows: new Map() },
    }
    readings.set(id, fresh)
    return fresh
  }
  const markOf = (id: UserId, { seq, sourceId }: Item): Mark => {
    const { read, starred, upTo, everythingUpTo } = of(id)
    const readUpTo = { everything: everythingUpTo, itsSource: upTo.get(sourceId) ?? 0 }
    return { isRead: isRead(read.get(seq) ?? null, seq, readUpTo), isStarred: starred.has(seq) }
  }
  const trusted = (id: UserId) => [...of(id).trust].filter(([sourceId]) => world.files.has(sourceId))

  return {
    forgetUser: (id) => void readings.delete(id),
    async marks(userId, seqs) {
      const items = seqs.flatMap((seq) => world.items.get(seq) ?? [])
      return new Map(items.map((item) => [item.seq, markOf(userId, item)]))
    },
    async markItems(userId, seqs, { isRead: hasRead, isStarred }) {
      const { read, starred } = of(userId)
      const known = seqs.filter((seq) => world.items.has(seq))
      for (const seq of known) {
        if (hasRead !== undefined) read.set(seq, hasRead)
        if (isStarred === true) starred.add(seq)
        else if (isStarred === false) starred.delete(seq)
      }
      return known.length
    },
    async markAllRead(userId, scope, last) {
      const reading = of(userId)
      const feeds = scope.kind === 'feed' ? [scope.id] : scope.kind === 'sources' ? scope.feeds : []
      for (const { feedId, itemSeq } of world.queries.publications.values()) {
        if (feeds.includes(feedId) && itemSeq <= last) reading.read.set(itemSeq, true)
      }
      if (scope.kind === 'feed') return
      const isInScope = (sourceId: SourceId) => {
        if (scope.kind === 'all') return true
        if (scope.kind === 'sources') return scope.ids.includes(sourceId)
        if (scope.kind === 'source') return sourceId === scope.sourceId
        return foldersOf(world.files.get(sourceId)?.source.categories ?? []).includes(scope.category)
      }
      if (scope.kind === 'all') reading.everythingUpTo = Math.max(reading.everythingUpTo, last)
      for (const id of world.files.keys()) {
        if (isInScope(id)) reading.upTo.set(id, Math.max(last, reading.upTo.get(id) ?? 0))
      }
      for (const seq of reading.read.keys()) {
        const item = world.items.get(seq)
        if (item !== undefined && seq <= last && isInScope(item.sourceId)) reading.read.delete(seq)
      }
    },
    async seqsToRead(userId, { scope, isRead: wantsRead, isStarred, after = 0, before, oldestFirst, limit }) {
      const isInScope = scopeTest(scope, world)
      const found = [...world.items.values()].filter((item) => {
        const mark = markOf(userId, item)
        if (wantsRead !== undefined && mark.isRead !== wantsRead) return false
        if (isStarred !== undefined && mark.isStarred !== isStarred) return false
        return item.seq > after && item.seq < (before ?? Number.POSITIVE_INFINITY) && isInScope(item)
      })
      const seqs = found.map(({ seq }) => seq).sort((a, b) => (oldestFirst === true ? a - b : b - a))
      return seqs.slice(0, Math.max(0, limit))
    },
    async starred(userId, { before, limit }) {
      return [...of(userId).starred]
        .filter((seq) => seq < (before ?? Number.POSITIVE_INFINITY) && world.items.has(seq))
        .sort((a, b) => b - a)
        .slice(0, Math.max(0, limit))
    },
    async unread(userId, among) {
      const counts = new Map<SourceId, number>()
      const newest = [...world.items.values()].sort(newestFirst).slice(0, among)
      for (const item of newest) {
        if (!markOf(userId, item).isRead) counts.set(item.sourceId, (counts.get(item.sourceId) ?? 0) + 1)
      }
      return counts
    },

    async follows(userId) {
      const all = [...readings].filter(([id]) => id === (userId ?? id)).sort(([a], [b]) => a - b)
      return all.flatMap(([id, { follows }]) =>
        [...follows].map(([feed, since]) => ({ userId: id, feed, since })).sort((a, b) => compareText(a.feed, b.feed)),
      )
    },
    async follow({ userId, feed, since }) {
      const isThere = (await users()).includes(userId)
      if (isThere && !of(userId).follows.has(feed)) of(userId).follows.set(feed, since)
    },
    unfollow: async (userId, feed) => of(userId).follows.delete(feed),

    async setTrust(userId, sourceId, trust) {
      if (trust === 1) of(userId).trust.delete(sourceId)
      else if (world.files.has(sourceId)) of(userId).trust.set(sourceId, trust)
    },
    trust: async (userId) => new Map(trusted(userId)),
    async meanTrust() {
      const lacking = new Map<SourceId, number>()
      for (const id of readings.keys()) {
        for (const [sourceId, trust] of trusted(id)) lacking.set(sourceId, (lacking.get(sourceId) ?? 0) + 1 - trust)
      }
      const { length } = await users()
      return new Map([...lacking].map(([id, sum]) => [id, 1 - sum / length]))
    },
  }
}

function scopeTest(scope: ReadingScope, world: MemoryTables): (item: Item) => boolean {
  if (scope.kind === 'all') return () => true
  if (scope.kind === 'source') return ({ sourceId }) => sourceId === scope.sourceId
  if (scope.kind === 'category') {
    return ({ sourceId }) => foldersOf(world.files.get(sourceId)?.source.categories ?? []).includes(scope.category)
  }
  const feeds = new Set(scope.kind === 'feed' ? [scope.id] : scope.feeds)
  const ids = new Set(scope.kind === 'feed' ? [] : scope.ids)
  const entries = [...world.queries.publications.values()].filter(({ feedId }) => feeds.has(feedId))
  const published = new Set(entries.map(({ itemSeq }) => itemSeq))
  return ({ seq, sourceId }) => ids.has(sourceId) || published.has(seq)
}
