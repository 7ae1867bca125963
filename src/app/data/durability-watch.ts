import type { Cluster } from '../../cluster/cluster.ts'
import { judgeDurability } from '../../cluster/durability.ts'
import { MINUTE_MS } from '../../model/index.ts'
import type { Alarms } from '../../runtime/alarms.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'

/** Somebody may set it right, or promote a standby, at any time. */
const LOOK_EVERY_MS = MINUTE_MS

/** Warns, from the start on, while the database may lose what it has confirmed. */
export function watchDurability(
  cluster: Pick<Cluster, 'durability'> | null,
  { alarms, clock }: { readonly alarms: Alarms; readonly clock: Clock },
): readonly Layer[] {
  if (cluster === null) return []
  const look = async () => {
    const { isAtRisk, words, remedy } = judgeDurability(await cluster.durability())
    if (isAtRisk) alarms.raise('COMMITS_AT_RISK', remedy === null ? words : `${words}; ${remedy}`)
    else alarms.clear('COMMITS_AT_RISK')
  }
  return [
    {
      name: 'durability',
      healthyAfterMs: null,
      async run(end, succeeded) {
        while (!end.aborted) {
          await look()
          succeeded()
          await clock.sleep(LOOK_EVERY_MS, end)
        }
      },
    },
  ]
}
