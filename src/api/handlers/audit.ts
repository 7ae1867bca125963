import type { auditOperations } from '../operations/audit.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { readCursor, writeCursor } from './pages.ts'

export function auditHandlers({ store }: HandlerDeps): Pick<Handlers, keyof typeof auditOperations> {
  return {
    async listAudit({ query }, { user, isAdmin }) {
      const beforeId = query.cursor === undefined ? undefined : Number(readCursor(query.cursor, 1)[0])
      const entries = await store.audit({
        limit: query.limit,
        ...(isAdmin ? {} : { userId: user.id }),
        ...(beforeId === undefined ? {} : { beforeId }),
      })
      const last = entries.length < query.limit ? undefined : entries.at(-1)
      return { entries: [...entries], next: last === undefined ? null : writeCursor([last.id]) }
    },
  }
}
