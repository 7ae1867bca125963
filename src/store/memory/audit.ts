import type { AuditEntry, NewAuditEntry } from '../../model/index.ts'
import { type AuditStore, KEEP_AUDIT_MS, MOST_AUDIT_ENTRIES, minuteOf, shortSubject } from '../audit.ts'

const isFailed = ({ action }: NewAuditEntry) => action === 'log-in-failed'

export function auditVerbs(): AuditStore {
  /** Of every user, failed attempts apart; oldest first. */
  const groups = new Map<string, AuditEntry[]>()
  let lastId = 0
  const record = (entry: NewAuditEntry) => {
    const key = `${entry.userId} ${isFailed(entry)}`
    const group = groups.get(key) ?? []
    groups.set(key, group)
    const last = group.at(-1)
    if (isFailed(entry) && last !== undefined && last.at >= minuteOf(entry.at) && last.at <= entry.at) {
      group[group.length - 1] = { ...last, at: entry.at, address: entry.address, count: last.count + 1 }
      return
    }
    group.push({ ...entry, subject: shortSubject(entry.subject), id: ++lastId, count: 1 })
    if (group.length > MOST_AUDIT_ENTRIES) group.shift()
    const since = entry.at - KEEP_AUDIT_MS
    for (const [name, one] of groups) {
      if (one.some(({ at }) => at < since))
        groups.set(
          name,
          one.filter(({ at }) => at >= since),
        )
    }
  }
  return {
    async recordAudit(given) {
      for (const entry of given) record(entry)
    },
    async audit({ userId, limit, beforeId = Number.POSITIVE_INFINITY }) {
      const entries = [...groups.values()].flat().sort((a, b) => b.id - a.id)
      return entries
        .filter((one) => one.id < beforeId && (userId === undefined || one.userId === userId))
        .slice(0, limit)
    },
  }
}
