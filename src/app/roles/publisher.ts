import { runPublisher } from '../../publisher/publisher-pipeline.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { deliveriesFor } from '../publishing/publishing.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { NodeRole, RoleContext } from './role.ts'

/** Sees to it that feeds are rendered anew when items come, and sends items to subscribers. */
export async function publisherRole(ground: RoleContext): Promise<NodeRole> {
  const { config, data, environment, access } = ground
  const { feeds } = await ground.feeds()
  const deliveries = deliveriesFor(config, data, feeds, access, environment)
  const layers: readonly Layer[] = [
    { name: 'publisher', run: (end) => runPublisher({ ...data, feeds }, end) },
    { name: 'deliveries', run: (end) => deliveries.run(end) },
  ]
  return {
    layers: oneAtATime('publisher', layers, ground),
    close: () => deliveries.close(),
  }
}
