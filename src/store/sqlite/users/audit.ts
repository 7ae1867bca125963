import type { AuditEntry, InstantMs, NewAuditEntry } from '../../../model/index.ts'
import { type AuditQuery, type AuditStore, MOST_AUDIT_ENTRIES, shortSubject } from '../../audit.ts'
import { auditRetentionStart, believedUpTo, isFailedAttempt, sameMinute } from '../../rules/audit.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'

const ENTRY = 'id, at, user_id AS userId, user_name AS userName, address, action, subject, count'

/** The part of the store for the audit log. */
export function auditVerbs({ connection, read, write }: DatabaseAccess): AuditStore {
  return {
    recordAudit: (entries, now) =>
      write(() => {
        for (const entry of entries) {
          if (isFailedAttempt(entry) && countAgain(connection, entry)) continue
          insertEntry(connection, entry)
          dropManyEntries(connection, entry)
        }
        dropOldEntries(connection, now)
      }),
    audit: (query) => read(() => readEntries(connection, query)),
  }
}

/** With the last one, if `isCountedWith` says so. */
function countAgain({ sql }: Connection, entry: NewAuditEntry): boolean {
  const { at, userId, address } = entry
  const { since, until } = sameMinute(entry)
  const { changes } = sql(
    `UPDATE audit SET count = count + 1, at = ?, address = ? WHERE id = (
       SELECT id FROM audit WHERE user_id IS ? AND failed = 1 ORDER BY id DESC LIMIT 1
     ) AND at >= ? AND at <= ?`,
  ).run(at, address, userId, since, until)
  return changes > 0
}

function insertEntry({ sql }: Connection, entry: NewAuditEntry): void {
  const { at, userId, userName, address, action, subject } = entry
  sql('INSERT INTO audit (at, user_id, user_name, address, action, subject, failed) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    at,
    userId,
    userName,
    address,
    action,
    shortSubject(subject),
    Number(isFailedAttempt(entry)),
  )
}

function dropOldEntries({ sql }: Connection, now: InstantMs): void {
  const newest = sql<InstantMs | null>('SELECT max(at) FROM audit WHERE at <= ?').pluck()
  const believed = newest.get(believedUpTo(now)) ?? null
  sql('DELETE FROM audit WHERE at < ?').run(auditRetentionStart(believed))
}

function dropManyEntries({ sql }: Connection, entry: NewAuditEntry): void {
  const { userId } = entry
  const failed = Number(isFailedAttempt(entry))
  sql(
    `DELETE FROM audit WHERE user_id IS ? AND failed = ? AND id <= (
       SELECT id FROM audit WHERE user_id IS ? AND failed = ? ORDER BY id DESC LIMIT 1 OFFSET ?
     )`,
  ).run(userId, failed, userId, failed, MOST_AUDIT_ENTRIES)
}

function readEntries({ sql }: Connection, { userId, limit, beforeId }: AuditQuery): readonly AuditEntry[] {
  const before = beforeId ?? Number.MAX_SAFE_INTEGER
  const rows = (where: string) => sql<AuditEntry>(`SELECT ${ENTRY} FROM audit WHERE ${where} ORDER BY id DESC LIMIT ?`)
  return userId === undefined
    ? rows('id < ?').all(before, limit)
    : rows('user_id = ? AND id < ?').all(userId, before, limit)
}
