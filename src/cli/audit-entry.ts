import type { AuditAction } from '../model/index.ts'
import type { Store } from '../store/store.ts'
import type { CliContext } from './context.ts'

/** What the audit log calls the operator at the command line. */
const AT_THE_MACHINE = 'command line'

export interface LocalAuditRecord {
  readonly action: AuditAction
  readonly subject: string
}

/** Writes down what a command did, as the API does for its requests. */
export async function recordLocalActions(
  deeds: readonly LocalAuditRecord[],
  store: Pick<Store, 'recordAudit'>,
  { clock }: Pick<CliContext, 'clock'>,
): Promise<void> {
  if (deeds.length === 0) return
  const now = clock.now()
  const by = { at: now, userId: null, userName: AT_THE_MACHINE, address: null }
  await store.recordAudit(
    deeds.map((deed) => ({ ...by, ...deed })),
    now,
  )
}
