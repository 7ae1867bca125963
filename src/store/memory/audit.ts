import type { AuditEntry, InstantMs, NewAuditEntry } from '../../model/index.ts'
import { type AuditStore, MOST_AUDIT_ENTRIES, shortSubject } from '../audit.ts'
import { auditRetentionStart, believedUpTo, isCountedWith, isFailedAttempt } from '../rules/audit.ts'
import type { MemoryTables } from './tables.ts'

export function auditVerbs({ step }: Pick<MemoryTables, 'step'>): AuditStore {
  /** Of every user, failed attempts apart; oldest first. */
  const groups = new Map<string, AuditEntry[]>()
  let lastId = 0
  const record = (entry: NewAuditEntry) => {
    const key = `${entry.userId} ${isFailedAttempt(entry)}`
    const group = groups.get(key) ?? []
    groups.set(key, group)
    const last = group.at(-1)
    if (isCountedWith(last, entry)) {
      group[group.length - 1] = { ...last, at: entry.at, address: entry.address, count: last.count + 1 }
      return
    }
    lastId += step
    group.push({ ...entry, subject: shortSubject(entry.subject), id: lastId, count: 1 })
    if (group.length > MOST_AUDIT_ENTRIES) group.shift()
  }
  const dropOld = (now: InstantMs) => {
    const times = [...groups.values()].flatMap((group) => group.map(({ at }) => at))
    const believed = times.filter((at) => at <= believedUpTo(now))
    const since = auditRetentionStart(believed.length === 0 ? null : believed.reduce((a, b) => Math.max(a, b)))
    if (times.every((at) => at >= since)) return
    for (const [name, group] of groups) {
      const recent = group.filter(({ at }) => at >= since)
      groups.set(name, recent)
    }
  }
  return {
    async recordAudit(entries, now) {
      for (const entry of entries) record(entry)
      dropOld(now)
    },
    async audit({ userId, limit, beforeId = Number.POSITIVE_INFINITY }) {
      const entries = [...groups.values()].flat().sort((a, b) => b.id - a.id)
      return entries
        .filter((one) => one.id < beforeId && (userId === undefined || one.userId === userId))
        .slice(0, limit)
    },
  }
}
