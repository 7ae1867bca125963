import { z } from 'zod'
import { ALERT_KINDS } from '../../model/alert-kinds.ts'
import { operation } from './operation.ts'
import { instant } from './shared.ts'

const alertRow = z.object({
  id: z.int(),
  kind: z.enum(ALERT_KINDS),
  /** null: it is of the whole node. */
  sourceId: z.int().nullable(),
  /** Of the source, as in the title; null: it is of the whole node. */
  name: z.string().nullable(),
  /** For people: what is wrong, and what to do. */
  title: z.string(),
  hint: z.string(),
  since: instant,
  toldAt: instant,
  /** null: it goes on. */
  endedAt: instant.nullable(),
})

export const alertOperations = {
  listAlerts: operation('listAlerts', 'Node', {
    method: 'GET',
    path: '/api/alerts',
    right: 'read',
    summary:
      'What needs a person, once for each trouble: feeds that died or flood, full windows, a budget that is too small, a node that stands still. Newest first',
    answer: z.object({ alerts: z.array(alertRow) }),
  }),
}
