import type { InstantMs, PushSubscription } from '../../../model/index.ts'
import {
  FIRST_PLACE,
  type NewPush,
  type PushPatch,
  type PushStore,
  type PushVerdict,
  type ReceivedPush,
} from '../../pushes.ts'
import { countsOf, PUSH_COLUMNS, type PushRow, patchColumns, pushOf } from '../../rows/pushes.ts'
import { afterPush } from '../../rules/pushes.ts'
import { isInPart } from '../../shards.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'
import { writeRefreshRequests } from './schedule.ts'

export function pushVerbs({ connection, read, write }: DatabaseAccess): PushStore {
  const { sql, vault } = connection
  const shown = (row: PushRow) => pushOf(row, vault.open)
  return {
    savePush: (push, now) => write(() => writePush(connection, push, now)),
    changePush: (key, patch, now) => write(() => changePush(connection, key, patch, now)),
    removePush: (sourceId) => write(() => void sql('DELETE FROM push_subscription WHERE source_id = ?').run(sourceId)),
    pushByKey: (key) =>
      read(() => {
        const row = rowWithKey(connection, key)
        return row === undefined ? null : shown(row)
      }),
    pushes: ({ changedSince = Number.MIN_SAFE_INTEGER, afterId = 0, limit }) =>
      read(() =>
        sql<PushRow>(
          `SELECT ${PUSH_COLUMNS} FROM push_subscription p WHERE changed_at >= ? AND source_id > ? ORDER BY source_id LIMIT ?`,
        )
          .all(changedSince, afterId, Math.max(0, limit))
          .map(shown),
      ),
    duePushes: (now, query) => read(() => duePushes(connection, now, query).map(shown)),
    recordPush: (key, push) => write(() => recordPush(connection, key, push)),
  }
}

function rowWithKey({ sql }: Connection, key: string): PushRow | undefined {
  return sql<PushRow>(`SELECT ${PUSH_COLUMNS} FROM push_subscription p WHERE key = ?`).get(key)
}

function writePush({ sql, vault }: Connection, push: NewPush, now: InstantMs): void {
  const status: PushSubscription['status'] = 'new'
  sql(
    `INSERT OR REPLACE INTO push_subscription (source_id, kind, hub, topic, key, secret, status, next_at, failures, pushes, refused,
       repeated, digests, changed_at) SELECT id, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, '[]', ? FROM source WHERE id = ?`,
  ).run(push.kind, push.hub, push.topic, push.key, vault.seal(push.secret), status, push.nextAt, now, push.sourceId)
}

function changePush({ sql }: Connection, key: string, patch: PushPatch, now: InstantMs): boolean {
  const columns = patchColumns(patch)
  const text = columns.map(([name]) => `, ${name} = ?`).join('')
  const change = sql(`UPDATE push_subscription SET changed_at = ?${text} WHERE key = ?`)
  return change.run(now, ...columns.map(([, value]) => value), key).changes > 0
}

function duePushes(
  { sql }: Connection,
  now: InstantMs,
  { limit, part, after = FIRST_PLACE }: Parameters<PushStore['duePushes']>[1],
): PushRow[] {
  const rows = sql<PushRow & { url: string }>(
    `SELECT ${PUSH_COLUMNS}, s.url FROM push_subscription p JOIN source s ON s.id = p.source_id
     WHERE p.next_at <= ? AND (p.next_at, p.source_id) > (?, ?) ORDER BY p.next_at, p.source_id`,
  )
  const due: PushRow[] = []
  for (const row of rows.iterate(now, after.nextAt, after.sourceId)) {
    if (due.length >= limit) break
    if (isInPart(row.url, part)) due.push(row)
  }
  return due
}

function recordPush(connection: Connection, key: string, push: ReceivedPush): PushVerdict {
  const row = rowWithKey(connection, key)
  if (row === undefined) return 'unknown'
  const { verdict, counts } = afterPush(countsOf(row), push)
  const { pushes, refused, repeated, pushedAt, digests } = counts
  connection
    .sql(
      'UPDATE push_subscription SET pushes = ?, refused = ?, repeated = ?, pushed_at = ?, digests = ? WHERE source_id = ?',
    )
    .run(pushes, refused, repeated, pushedAt, JSON.stringify(digests), row.source_id)
  if (verdict === 'taken') writeRefreshRequests(connection, [row.source_id], push.at, 'push')
  return verdict
}
