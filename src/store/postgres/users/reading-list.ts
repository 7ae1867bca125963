import type { ItemSeq, UserId } from '../../../model/index.ts'
import type { ReadingQuery, ReadingScope } from '../../reading.ts'
import type { Sql } from '../database/sql.ts'
import { EVERY_SOURCE, IS_READ, ITS_MARK } from './marks.ts'

type Value = number | string | readonly number[]

/** Tables, and what holds for all rows of them; $5 and $6 are `values`. */
interface Place {
  readonly from: string
  readonly conditions: readonly string[]
  readonly values: readonly Value[]
}

/** Numbers of items for a reader app, by arrival. */
export async function readSeqsToRead(sql: Sql, user: UserId, query: ReadingQuery): Promise<ItemSeq[]> {
  if (query.limit <= 0) return []
  const { scope, isRead, isStarred } = query
  const isWalk = scope.kind === 'all' || scope.kind === 'category' || scope.kind === 'sources'
  if (isWalk && isRead === false && isStarred !== true) return unreadOfWalk(sql, user, query)
  return numbersIn(sql, user, placeOf(query), query)
}

/** Likewise as in SQLite: below a mark of everything, only what was marked unread one by one is. */
async function unreadOfWalk(sql: Sql, user: UserId, query: ReadingQuery): Promise<ItemSeq[]> {
  const mark = 'SELECT seq FROM read_up_to WHERE user_id = $1 AND source_id = $2'
  const upTo = (await sql.first<{ seq: ItemSeq }>(mark, [user, EVERY_SOURCE]))?.seq ?? 0
  const { after = 0, before = Number.MAX_SAFE_INTEGER, limit, scope } = query
  const above = { place: placeOf(query), bounds: { after: Math.max(after, upTo), before } }
  const below = { place: markedUnread(scope), bounds: { after, before: Math.min(before, upTo + 1) } }
  const found: ItemSeq[] = []
  for (const { place, bounds } of query.oldestFirst === true ? [below, above] : [above, below]) {
    if (found.length >= limit || bounds.after >= bounds.before) continue
    found.push(...(await numbersIn(sql, user, place, { ...query, ...bounds, limit: limit - found.length })))
  }
  return found
}

async function numbersIn(sql: Sql, user: UserId, place: Place, query: ReadingQuery): Promise<ItemSeq[]> {
  const { isRead, isStarred, after = 0, before = Number.MAX_SAFE_INTEGER, limit } = query
  const conditions = [
    'i.seq > $2 AND i.seq < $3',
    ...place.conditions,
    ...(isRead === undefined ? [] : [isRead ? IS_READ : `NOT ${IS_READ}`]),
    ...(isStarred === undefined ? [] : [isStarred ? 'm.starred' : 'm.starred IS NOT TRUE']),
  ]
  const order = query.oldestFirst === true ? 'ASC' : 'DESC'
  const rows = await sql.rows<{ seq: ItemSeq }>(
    `SELECT i.seq FROM ${place.from} WHERE ${conditions.join(' AND ')} AND $1::bigint IS NOT NULL
     ORDER BY i.seq ${order} LIMIT $4`,
    [user, after, before, limit, ...place.values],
  )
  return rows.map(({ seq }) => seq)
}

function placeOf({ scope, isStarred }: ReadingQuery): Place {
  const { condition, values } = inScope(scope)
  if (isStarred === true) {
    const conditions = ['m.user_id = $1 AND m.starred AND m.seq > $2 AND m.seq < $3', ...condition]
    return { from: 'item_mark m JOIN item i ON i.seq = m.seq', conditions, values }
  }
  return { from: `item i ${ITS_MARK}`, conditions: condition, values }
}

/** What was marked unread one by one. */
function markedUnread(scope: ReadingScope): Place {
  const { condition, values } = inScope(scope)
  const conditions = ['m.user_id = $1 AND NOT m.read AND m.seq > $2 AND m.seq < $3', ...condition]
  return { from: 'item_mark m JOIN item i ON i.seq = m.seq', conditions, values }
}

function inScope(scope: ReadingScope): Pick<Place, 'values'> & { readonly condition: readonly string[] } {
  switch (scope.kind) {
    case 'all':
      return { condition: [], values: [] }
    case 'source':
      return { condition: ['i.source_id = $5'], values: [scope.sourceId] }
    case 'category':
      return {
        condition: ['i.source_id IN (SELECT source_id FROM source_folder WHERE folder = $5)'],
        values: [scope.category],
      }
    case 'feed':
      return { condition: [publishedIn('$5::bigint[]')], values: [[scope.id]] }
    case 'sources': {
      const sources = 'i.source_id = ANY ($5::bigint[])'
      const { ids, feeds } = scope
      if (feeds.length === 0) return { condition: [sources], values: [ids] }
      return { condition: [`(${sources} OR ${publishedIn('$6::bigint[]')})`], values: [ids, feeds] }
    }
  }
}

function publishedIn(feeds: string): string {
  return `EXISTS (SELECT 1 FROM publication q WHERE q.feed_id = ANY (${feeds}) AND q.item_seq = i.seq)`
}
