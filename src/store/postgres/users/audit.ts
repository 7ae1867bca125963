import type { AuditEntry, InstantMs, NewAuditEntry } from '../../../model/index.ts'
import {
  type AuditStore,
  BELIEVED_AFTER_MS,
  KEEP_AUDIT_MS,
  MOST_AUDIT_ENTRIES,
  minuteOf,
  shortSubject,
} from '../../audit.ts'
import type { Access, Sql } from '../database/sql.ts'

const ENTRY = 'id, at, user_id AS "userId", user_name AS "userName", address, action, subject, count'

/** The part of the store that speaks of who did what. */
export function auditVerbs(access: Access): AuditStore {
  return {
    // Under a lock: two that count the same failed attempt must not make two entries of it.
    recordAudit: (entries, now) =>
      access.transaction(['settings'], async (sql) => {
        await writeRows(sql, [...rowsOf(entries, await readLastFailed(sql, entries))])
        for (const one of new Map(entries.map((entry) => [groupOf(entry), entry])).values()) await dropMany(sql, one)
        await sql.run('DELETE FROM audit WHERE at < (SELECT max(at) FROM audit WHERE at <= $1) - $2::bigint', [
          now - BELIEVED_AFTER_MS,
          KEEP_AUDIT_MS,
        ])
      }),
    audit: ({ userId, limit, beforeId }) =>
      access.rows(
        `SELECT ${ENTRY} FROM audit WHERE ($1::bigint IS NULL OR user_id = $1) AND id < $2 ORDER BY id DESC LIMIT $3`,
        [userId ?? null, beforeId ?? Number.MAX_SAFE_INTEGER, limit],
      ),
  }
}

/** What an entry becomes in the table; a failed attempt may be counted with the one before. */
interface Row {
  /** null: not there yet. */
  readonly id: number | null
  readonly entry: NewAuditEntry
  at: InstantMs
  address: string | null
  count: number
}

/** In order; of entries that were there only those that are counted again. */
function rowsOf(entries: readonly NewAuditEntry[], lastFailed: Map<NewAuditEntry['userId'], Row>): Set<Row> {
  const rows = new Set<Row>()
  for (const entry of entries) {
    const { at, address, userId } = entry
    const last = isFailed(entry) ? lastFailed.get(userId) : undefined
    if (last !== undefined && last.at >= minuteOf(at) && last.at <= at) {
      Object.assign(last, { at, address, count: last.count + 1 })
      rows.add(last)
      continue
    }
    const row: Row = { id: null, entry, at, address, count: 1 }
    if (isFailed(entry)) lastFailed.set(userId, row)
    rows.add(row)
  }
  return rows
}

async function readLastFailed(sql: Sql, entries: readonly NewAuditEntry[]): Promise<Map<NewAuditEntry['userId'], Row>> {
  const failed = entries.filter(isFailed)
  const rows = await sql.rows<AuditEntry>(
    `SELECT DISTINCT ON (user_id) ${ENTRY} FROM audit
     WHERE failed AND (user_id = ANY ($1::bigint[]) OR (user_id IS NULL AND $2)) ORDER BY user_id, id DESC`,
    [failed.flatMap(({ userId }) => userId ?? []), failed.some(({ userId }) => userId === null)],
  )
  return new Map(
    rows.map(({ id, count, ...entry }) => [entry.userId, { id, entry, at: entry.at, address: entry.address, count }]),
  )
}

async function writeRows(sql: Sql, rows: readonly Row[]): Promise<void> {
  for (const { id, at, address, count } of rows) {
    if (id === null) continue
    await sql.run('UPDATE audit SET at = $2, address = $3, count = $4 WHERE id = $1', [id, at, address, count])
  }
  const added = rows.filter(({ id }) => id === null)
  if (added.length === 0) return
  await sql.run(
    `INSERT INTO audit (at, user_id, user_name, address, action, subject, count, failed)
     SELECT at, user_id, user_name, address, action, subject, count, action = 'log-in-failed'
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) WITH ORDINALITY
       AS u (at, user_id, user_name, address, action, subject, count, place) ORDER BY place`,
    [
      added.map(({ at }) => at),
      added.map(({ entry }) => entry.userId),
      added.map(({ entry }) => entry.userName),
      added.map(({ address }) => address),
      added.map(({ entry }) => entry.action),
      added.map(({ entry }) => shortSubject(entry.subject)),
      added.map(({ count }) => count),
    ],
  )
}

const isFailed = ({ action }: NewAuditEntry) => action === 'log-in-failed'
/** Of one user, failed attempts apart. */
const groupOf = (entry: NewAuditEntry) => `${entry.userId} ${isFailed(entry)}`

async function dropMany(sql: Sql, entry: NewAuditEntry): Promise<void> {
  const its = 'user_id IS NOT DISTINCT FROM $1 AND failed = $2'
  await sql.run(
    `DELETE FROM audit WHERE ${its} AND id <= (
       SELECT id FROM audit WHERE ${its} ORDER BY id DESC LIMIT 1 OFFSET ${MOST_AUDIT_ENTRIES})`,
    [entry.userId, isFailed(entry)],
  )
}
