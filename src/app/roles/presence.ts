import { SECOND_MS } from '../../model/index.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { RoleContext } from './role.ts'

const BEAT_EVERY_MS = 2 * SECOND_MS
/** Whoever has one of these has leases, and says with each look at them that it is there. */
const LEASED = ['crawler', 'matcher', 'publisher'] as const

/** An API has no shards: it says that it is there for people alone, who look for it among the members. */
export function presence({ data: { cluster }, roles, member, environment }: RoleContext): readonly Layer[] {
  if (cluster === null || LEASED.some((role) => roles.has(role))) return []
  const { leases } = cluster
  const { clock } = environment
  return [
    {
      name: 'presence',
      healthyAfterMs: null,
      async run(end, succeeded) {
        while (!end.aborted) {
          await leases.beat(member, 'controller')
          succeeded()
          await clock.sleep(BEAT_EVERY_MS, end)
        }
        await leases.forget(member.id)
      },
    },
  ]
}
