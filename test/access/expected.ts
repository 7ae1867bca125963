import type { AccessAnswer } from './asking.ts'
import { canAdmin, canRead, canWrite, changes, type ModelFeed, sees } from './oracle.ts'
import type { Bearer } from './world.ts'

/** Done, or refused with a status or a code. */
export type ExpectedAnswer = 'done' | number | string

/** What is refused before anything is checked. */
export function gate(who: Bearer, right: 'read' | 'write' | 'admin'): number | null {
  if (who.account === null) return 401
  const has = right === 'read' ? canRead(who) : right === 'write' ? canWrite(who) : canAdmin(who)
  return has ? null : 403
}

/** `done` where the caller may change it, else as it must be refused. */
export function changing(who: Bearer, feed: ModelFeed | undefined, unseen: string): ExpectedAnswer {
  const closed = gate(who, 'write')
  if (closed !== null) return closed
  if (feed === undefined || !sees(who, feed)) return unseen
  return changes(who, feed) ? 'done' : 'RIGHT_MISSING'
}

export function fits(expected: ExpectedAnswer, { status, body }: AccessAnswer): boolean {
  if (expected === 'done') return status < 300
  return typeof expected === 'number' ? status === expected : body?.code === expected
}
