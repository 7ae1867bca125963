import type { InstantMs } from '../../../model/index.ts'
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
import type { Access, Sql } from '../database/sql.ts'
import { writeRefreshRequests } from './schedule.ts'

export function pushVerbs(access: Access): PushStore {
  const shown = (row: PushRow) => pushOf(row, access.vault.open)
  return {
    savePush: (push, now) => writePush(access, push, now),
    changePush: (key, patch, now) => changePush(access, key, patch, now),
    async removePush(sourceId) {
      await access.run('DELETE FROM push_subscription WHERE source_id = $1', [sourceId])
    },
    async pushByKey(key) {
      const row = await access.first<PushRow>(`SELECT ${PUSH_COLUMNS} FROM push_subscription p WHERE key = $1`, [key])
      return row === null ? null : shown(row)
    },
    async pushes({ changedSince = Number.MIN_SAFE_INTEGER, afterId = 0, limit }) {
      const rows = await access.rows<PushRow>(
        `SELECT ${PUSH_COLUMNS} FROM push_subscription p WHERE changed_at >= $1 AND source_id > $2
         ORDER BY source_id LIMIT $3`,
        [changedSince, afterId, Math.max(0, limit)],
      )
      return rows.map(shown)
    },
    duePushes: async (now, query) => (await duePushes(access, now, query)).map(shown),
    async recordPush(key, push) {
      const verdict = await access.transaction([], (sql) => recordPush(sql, key, push))
      if (verdict === 'taken') access.notifier.notify('requests')
      return verdict
    },
  }
}

async function writePush({ vault, run }: Access, push: NewPush, now: InstantMs): Promise<void> {
  await run(
    `INSERT INTO push_subscription (source_id, kind, hub, topic, key, secret, status, next_at, failures, pushes, refused, repeated,
       digests, changed_at) SELECT id, $2, $3, $4, $5, $6, 'new', $7, 0, 0, 0, 0, '[]', $8 FROM source WHERE id = $1
     ON CONFLICT (source_id) DO UPDATE SET kind = excluded.kind, hub = excluded.hub, topic = excluded.topic, key = excluded.key,
       secret = excluded.secret, status = excluded.status, lease_ends_at = NULL, next_at = excluded.next_at, failures = 0,
       last_error = NULL, pushed_at = NULL, pushes = 0, refused = 0, repeated = 0, digests = excluded.digests,
       changed_at = excluded.changed_at`,
    [push.sourceId, push.kind, push.hub, push.topic, push.key, vault.seal(push.secret), push.nextAt, now],
  )
}

async function changePush(sql: Sql, key: string, patch: PushPatch, now: InstantMs): Promise<boolean> {
  const columns = patchColumns(patch)
  const text = columns.map(([name], index) => `, ${name} = $${index + 3}`).join('')
  const values = columns.map(([, value]) => value)
  return (
    (await sql.run(`UPDATE push_subscription SET changed_at = $2${text} WHERE key = $1`, [key, now, ...values])) > 0
  )
}

/** Where a part is asked for, so many are looked at at a time. */
const LOOKED_AT = 5_000

async function duePushes(
  sql: Sql,
  now: InstantMs,
  { limit, part, after = FIRST_PLACE }: Parameters<PushStore['duePushes']>[1],
): Promise<PushRow[]> {
  const most = Math.max(0, limit)
  const size = part === undefined ? most : LOOKED_AT
  const due: PushRow[] = []
  let { nextAt, sourceId } = after
  for (;;) {
    const rows = await sql.rows<PushRow & { url: string }>(
      `SELECT ${PUSH_COLUMNS}, s.url FROM push_subscription p JOIN source s ON s.id = p.source_id
       WHERE p.next_at <= $1 AND (p.next_at, p.source_id) > ($2, $3) ORDER BY p.next_at, p.source_id LIMIT $4`,
      [now, nextAt, sourceId, size],
    )
    due.push(...rows.filter(({ url }) => isInPart(url, part)))
    const last = rows.at(-1)
    if (due.length >= most || rows.length < size || last === undefined) return due.slice(0, most)
    nextAt = last.next_at
    sourceId = last.source_id
  }
}

async function recordPush(sql: Sql, key: string, push: ReceivedPush): Promise<PushVerdict> {
  const row = await sql.first<PushRow>(`SELECT ${PUSH_COLUMNS} FROM push_subscription p WHERE key = $1 FOR UPDATE`, [
    key,
  ])
  if (row === null) return 'unknown'
  const { verdict, counts } = afterPush(countsOf(row), push)
  await sql.run(
    `UPDATE push_subscription SET pushes = $2, refused = $3, repeated = $4, pushed_at = $5, digests = $6 WHERE source_id = $1`,
    [row.source_id, counts.pushes, counts.refused, counts.repeated, counts.pushedAt, JSON.stringify(counts.digests)],
  )
  if (verdict === 'taken') await writeRefreshRequests(sql, [row.source_id], push.at, 'push')
  return verdict
}
