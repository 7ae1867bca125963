import type { ItemSeq, UserId } from '../../../model/index.ts'
import type { ReadingQuery, ReadingScope } from '../../reading.ts'
import type { Connection } from '../database/connection.ts'
import { IS_READ, ITS_MARK, readUpToEverything } from './marks.ts'

/** Sources with a smaller share of all items are read one by one and sorted, instead of walking through everything. */
const RARE_SHARE = 1 / 8

type Values = Readonly<Record<string, number | string>>

/** Where numbers are taken from: tables, the column that they are in, and what holds for all of them. */
interface Place {
  readonly from: string
  readonly seq: string
  readonly conditions: readonly string[]
  readonly values: Values
}

/** Numbers of items for a reader app, by arrival. */
export function readSeqsToRead(connection: Connection, user: UserId, query: ReadingQuery): ItemSeq[] {
  if (query.limit <= 0) return []
  if (query.isStarred !== true && query.isRead === false && isWalk(query.scope)) {
    return unreadOfWalk(connection, user, query)
  }
  return numbersIn(connection, user, placeOf(connection, query), query)
}

function isWalk({ kind }: ReadingScope): boolean {
  return kind === 'all' || kind === 'category' || kind === 'sources'
}

/**
 * Where everything was marked read up to an item, what is unread below it was said of single items, which an index knows: the
 * walk ends at that item, and not at the beginning of the archive.
 */
function unreadOfWalk(connection: Connection, user: UserId, query: ReadingQuery): ItemSeq[] {
  const upTo = readUpToEverything(connection, user)
  const { after = 0, before = Number.MAX_SAFE_INTEGER, limit } = query
  const above = () => {
    const bounded = { ...query, after: Math.max(after, upTo) }
    return (left: number) => numbersIn(connection, user, placeOf(connection, query), { ...bounded, limit: left })
  }
  const below = () => {
    const bounded = { ...query, before: Math.min(before, upTo + 1) }
    return (left: number) => numbersIn(connection, user, markedUnread(query.scope), { ...bounded, limit: left })
  }
  const parts = query.oldestFirst === true ? [below(), above()] : [above(), below()]
  const found: ItemSeq[] = []
  for (const part of parts) if (found.length < limit) found.push(...part(limit - found.length))
  return found
}

function numbersIn({ sql }: Connection, user: UserId, place: Place, query: ReadingQuery): ItemSeq[] {
  const { isRead, isStarred, after = 0, before = Number.MAX_SAFE_INTEGER, limit } = query
  const conditions = [
    ...place.conditions,
    `${place.seq} > :after AND ${place.seq} < :before`,
    ...(isRead === undefined ? [] : [isRead ? IS_READ : `NOT ${IS_READ}`]),
    ...(isStarred === undefined ? [] : [`coalesce(m.starred, 0) = ${isStarred ? 1 : 0}`]),
  ]
  const order = query.oldestFirst === true ? 'ASC' : 'DESC'
  const text = `SELECT ${place.seq} FROM ${place.from} WHERE ${conditions.join(' AND ')} ORDER BY ${place.seq} ${order} LIMIT :limit`
  return sql<ItemSeq>(text)
    .pluck()
    .all({ user, after, before, limit, ...place.values })
}

/** The fewest rows to look at. */
function placeOf(connection: Connection, { scope, isStarred }: ReadingQuery): Place {
  const { condition, values } = inScope(scope)
  if (isStarred === true) {
    const from = 'item_mark m INDEXED BY item_mark_starred JOIN item i ON i.seq = m.seq'
    return { from, seq: 'm.seq', conditions: ['m.user_id = :user AND m.starred = 1', ...condition], values }
  }
  if (scope.kind === 'feed') {
    const from = `publication p INDEXED BY publication_once JOIN item i ON i.seq = p.item_seq ${ITS_MARK}`
    return { from, seq: 'p.item_seq', conditions: ['p.feed_id = :feed'], values }
  }
  const index = isRare(connection, scope) ? 'item_by_source' : 'item_arrival'
  return { from: `item i INDEXED BY ${index} ${ITS_MARK}`, seq: 'i.seq', conditions: condition, values }
}

/** What was marked unread one by one. */
function markedUnread(scope: ReadingScope): Place {
  const { condition, values } = inScope(scope)
  const from = 'item_mark m INDEXED BY item_mark_unread JOIN item i ON i.seq = m.seq'
  return { from, seq: 'm.seq', conditions: ['m.user_id = :user AND m.read = 0', ...condition], values }
}

function inScope(scope: ReadingScope): { readonly condition: readonly string[]; readonly values: Values } {
  switch (scope.kind) {
    case 'all':
      return { condition: [], values: {} }
    case 'source':
      return { condition: ['i.source_id = :source'], values: { source: scope.sourceId } }
    case 'category':
      return { condition: [`i.source_id IN (${OF_FOLDER})`], values: { folder: scope.category } }
    case 'feed':
      return { condition: [publishedIn('= :feed')], values: { feed: scope.id } }
    case 'sources': {
      const { ids, feeds } = scope
      const sources = `i.source_id IN (${LISTED})`
      if (feeds.length === 0) return { condition: [sources], values: { ids: JSON.stringify(ids) } }
      const either = `(${sources} OR ${publishedIn('IN (SELECT value FROM json_each(:feeds))')})`
      return { condition: [either], values: { ids: JSON.stringify(ids), feeds: JSON.stringify(feeds) } }
    }
  }
}

const OF_FOLDER = 'SELECT source_id FROM source_folder WHERE folder = :folder'
const LISTED = 'SELECT value FROM json_each(:ids)'

function publishedIn(feeds: string): string {
  return `EXISTS (SELECT 1 FROM publication q WHERE q.feed_id ${feeds} AND q.item_seq = i.seq)`
}

/** Who follows so many of all sources follows more than a small share of all items: that need not be summed up. */
const COMMON_SHARE = 1 / 2

/** As many sources as there can be. */
function lastSourceId(sql: Connection['sql']): number {
  return sql<number>("SELECT seq FROM sqlite_sequence WHERE name = 'source'").pluck().get() ?? 0
}

/** By the sums that lists are made of. */
function isRare({ sql }: Connection, scope: ReadingScope): boolean {
  if (scope.kind === 'source') return true
  if (scope.kind === 'all' || scope.kind === 'feed') return false
  if (scope.kind === 'sources' && scope.feeds.length > 0) return false
  if (scope.kind === 'sources' && scope.ids.length >= COMMON_SHARE * lastSourceId(sql)) return false
  const { values } = inScope(scope)
  const members = scope.kind === 'category' ? OF_FOLDER : LISTED
  const items = sql<number>(`SELECT coalesce(sum(items), 0) FROM source_items WHERE source_id IN (${members})`).pluck()
  const all = sql<number>("SELECT value FROM counter WHERE name = 'items'").pluck()
  return Number(items.get(values)) < RARE_SHARE * Number(all.get())
}
