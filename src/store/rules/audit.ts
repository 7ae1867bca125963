import type { AuditEntry, InstantMs, NewAuditEntry } from '../../model/index.ts'
import { BELIEVED_AFTER_MS, KEEP_AUDIT_MS, minuteOf } from '../audit.ts'

/** Failed attempts are counted apart: strangers push out nothing else. */
export function isFailedAttempt({ action }: Pick<NewAuditEntry, 'action'>): boolean {
  return action === 'log-in-failed'
}

/** Between which moments the last failed attempt at an account must be, with both ends, for another to be counted with it. */
export function sameMinute({ at }: NewAuditEntry): { readonly since: InstantMs; readonly until: InstantMs } {
  return { since: minuteOf(at), until: at }
}

export function isCountedWith(last: AuditEntry | undefined, entry: NewAuditEntry): last is AuditEntry {
  if (last === undefined || !isFailedAttempt(entry)) return false
  const { since, until } = sameMinute(entry)
  return last.at >= since && last.at <= until
}

/** Entries up to here are believed, and the newest of them says what time it is. */
export function believedUpTo(now: InstantMs): InstantMs {
  return now - BELIEVED_AFTER_MS
}

/** `believed`: the newest entry that is; null: none, and nothing is too old. */
export function auditRetentionStart(believed: InstantMs | null): InstantMs {
  return believed === null ? Number.NEGATIVE_INFINITY : believed - KEEP_AUDIT_MS
}
