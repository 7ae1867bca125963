import { z } from 'zod'
import { auditAction, operation } from './operation.ts'
import { cursor, instant, limit, nextCursor } from './shared.ts'

const auditEntry = z.object({
  id: z.int(),
  at: instant,
  /** Who did it, or whose account was tried; null: nobody who is known. */
  userId: z.int().nullable(),
  /** As it was then. */
  userName: z.string(),
  /** Of the client; null: on the command line. */
  address: z.string().nullable(),
  action: auditAction,
  /** What it was done to. */
  subject: z.string(),
  /** Attempts to log in that failed within the same minute are one entry. */
  count: z.int(),
})

export const auditOperations = {
  listAudit: operation('listAudit', 'Audit', {
    method: 'GET',
    path: '/api/audit',
    right: 'read',
    summary:
      'Who did what, newest first: log-ins, rights, tokens, settings, removals. Without the admin right only your own entries',
    query: z.object({ limit: limit(100, 1_000), cursor: cursor.optional() }),
    answer: z.object({ entries: z.array(auditEntry), next: nextCursor }),
  }),
}
