import { runPublisher } from '../../publisher/publisher-pipeline.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { alertLayer } from '../alerts/alert-layer.ts'
import { deliveriesFor } from '../publishing/publishing.ts'
import { vapidKeys } from '../publishing/web-push.ts'
import { leasedLayers, whileLeased } from './leased-layers.ts'
import type { NodeRole, RoleContext } from './role.ts'

/** Of several publishers the one that has it follows the item buffer for all. */
const FIRST_SHARD = 0

/** Sees to it that feeds are rendered anew when items come, and sends items to subscribers. */
export async function publisherRole(ground: RoleContext): Promise<NodeRole> {
  const { config, data, environment, access } = ground
  const { feeds } = await ground.feeds()
  const deliveries = deliveriesFor(config, data, feeds, access, environment, await vapidKeys(data))
  const alerts = alertLayer({
    ...environment,
    store: data.store,
    channels: deliveries.channels,
    config,
    baseUrl: feeds.baseUrl,
  })
  const onHubNews = () => data.notifier.notify('deliveries')
  const marking: Layer = { name: 'publisher', run: (end) => runPublisher({ ...data, feeds, onHubNews }, end) }
  return {
    layers: leasedLayers('publisher', ground, (leases) => [
      leases === null ? marking : whileLeased(leases, FIRST_SHARD, marking),
      leases === null ? alerts : whileLeased(leases, FIRST_SHARD, alerts),
      { name: 'deliveries', run: (end) => deliveries.own.run(end, leases) },
      ...(config.hub ? [{ name: 'hub', run: (end: AbortSignal) => deliveries.ofHub.run(end, leases) }] : []),
    ]),
    close: () => deliveries.close(),
  }
}
