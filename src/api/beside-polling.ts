import { z } from 'zod'
import { jsonState, type NamedState } from '../store/node-state.ts'

const figures = z.object({ meanDelayMs: z.number(), items: z.int(), lost: z.number() })

/** What this node got for its requests, and what polling every source at one interval would have got for as many. */
export const besidePolling = z.object({
  from: z.int(),
  to: z.int(),
  /** As many for both. */
  requests: z.int(),
  /** Of the polling: each source once in this time. */
  everyMs: z.number(),
  own: figures,
  polling: figures,
})

/** Written by whoever knows what was published, and has simulated the polling; null: nobody has. */
export const BESIDE_POLLING: NamedState<z.infer<typeof besidePolling> | null> = jsonState(
  'beside-polling',
  null,
  (stored) => besidePolling.nullable().safeParse(stored).data,
)
