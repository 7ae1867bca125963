import { z } from 'zod'
import { ALERT_KINDS } from '../../model/alert-kinds.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'

const instant = z.number()

const knownAlert = z.object({
  id: z.int(),
  kind: z.enum(ALERT_KINDS),
  sourceId: z.int().nullable(),
  name: z.string().nullable(),
  lastingMs: z.number(),
  since: instant,
  lastSeenAt: instant,
  toldAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** Ways by which it is still to be sent. */
  unsent: z.array(z.enum(['mail', 'webhook'])),
})

export type KnownAlert = z.infer<typeof knownAlert>

/** Oldest first. */
export const ALERTS: NamedState<readonly KnownAlert[]> = jsonState(
  'alerts',
  [],
  (stored) => z.array(knownAlert).safeParse(stored).data,
)
