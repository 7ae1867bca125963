import type { NewAuditEntry } from '../../../model/index.ts'
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
        for (const entry of entries) {
          if (entry.action === 'log-in-failed' && (await countAgain(sql, entry))) continue
          await insertEntry(sql, entry)
          await dropManyEntries(sql, entry)
        }
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

async function countAgain(sql: Sql, { at, userId, address }: NewAuditEntry): Promise<boolean> {
  const changes = await sql.run(
    `UPDATE audit SET count = count + 1, at = $1, address = $2 WHERE id = (
       SELECT id FROM audit WHERE user_id IS NOT DISTINCT FROM $3 AND failed ORDER BY id DESC LIMIT 1
     ) AND at >= $4 AND at <= $1`,
    [at, address, userId, minuteOf(at)],
  )
  return changes > 0
}

async function insertEntry(sql: Sql, entry: NewAuditEntry): Promise<void> {
  const { at, userId, userName, address, action, subject } = entry
  await sql.run(
    `INSERT INTO audit (at, user_id, user_name, address, action, subject, failed) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [at, userId, userName, address, action, shortSubject(subject), action === 'log-in-failed'],
  )
}

async function dropManyEntries(sql: Sql, { userId, action }: NewAuditEntry): Promise<void> {
  const its = 'user_id IS NOT DISTINCT FROM $1 AND failed = $2'
  await sql.run(
    `DELETE FROM audit WHERE ${its} AND id <= (
       SELECT id FROM audit WHERE ${its} ORDER BY id DESC LIMIT 1 OFFSET ${MOST_AUDIT_ENTRIES})`,
    [userId, action === 'log-in-failed'],
  )
}
