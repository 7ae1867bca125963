import { type AuditEntry, DAY_MS, type InstantMs, MINUTE_MS, type NewAuditEntry, type UserId } from '../model/index.ts'

/** Part of `Store`: who did what, see docs/decisions/0052-audit-log.md. */
export interface AuditStore {
  /**
   * Adds entries. Failed attempts to log in to one account, or to accounts that are not there, are one entry a minute, with
   * the address of the last. Entries beyond KEEP_AUDIT_MS and MOST_AUDIT_ENTRIES go.
   *
   * How old an entry is, is counted from the newest that is a day old: a clock that is wrong for some hours, or an entry that
   * it has left in the future, makes nothing old.
   */
  recordAudit(entries: readonly NewAuditEntry[], now: InstantMs): Promise<void>
  /** Newest first; of one user, or of all. */
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>
}

export interface AuditQuery {
  readonly userId?: UserId
  readonly limit: number
  /** Only entries that are older than this one. */
  readonly beforeId?: number
}

export const KEEP_AUDIT_MS = 400 * DAY_MS
/** An entry of this age is believed. */
export const BELIEVED_AFTER_MS = DAY_MS
/** Of one user, failed attempts apart: a user with many entries pushes out nothing of others, and no stranger anything else. */
export const MOST_AUDIT_ENTRIES = 5_000
export const LONGEST_SUBJECT = 200

/** Where the minute of an instant begins. */
export function minuteOf(at: InstantMs): InstantMs {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS
}

export function shortSubject(subject: string): string {
  return subject.length <= LONGEST_SUBJECT ? subject : `${subject.slice(0, LONGEST_SUBJECT - 1)}…`
}
