import { z } from 'zod'
import { operation } from './operation.ts'

const MOST = 200

const ids = z
  .string()
  .max(16 * MOST)
  .regex(/^\d{1,15}(?:,\d{1,15})*$/, 'numbers of sources, as 1,2,3')
  .transform((text) => text.split(',').map(Number).slice(0, MOST))

export const iconOperations = {
  listIcons: operation('listIcons', 'Sources', {
    method: 'GET',
    path: '/api/icons',
    right: 'read',
    summary:
      'Where the icons of sources are shown, of those that have one; one that nobody has asked for yet is there later',
    query: z.object({ sources: ids }),
    answer: z.object({ icons: z.array(z.object({ sourceId: z.int(), path: z.string() })) }),
  }),
}
