import { runPublisher } from '../../publisher/publisher-pipeline.ts'
import { deliveriesFor } from '../publishing/publishing.ts'
import type { NodeRole, RoleContext } from './role.ts'

/** Sees to it that feeds are rendered anew when items come, and sends items to subscribers. */
export async function publisherRole(ground: RoleContext): Promise<NodeRole> {
  const { config, data, environment, access } = ground
  const { feeds } = await ground.feeds()
  const deliveries = deliveriesFor(config, data, feeds, access, environment)
  return {
    layers: [
      { name: 'publisher', run: (end) => runPublisher({ ...data, feeds }, end) },
      { name: 'deliveries', run: (end) => deliveries.run(end) },
    ],
    close: () => deliveries.close(),
  }
}
