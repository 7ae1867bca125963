import type { FeedService } from '../../publisher/feeds.ts'
import { runPublisher } from '../../publisher/pipeline.ts'
import { fetcherKey } from '../crawling/fetcher-key.ts'
import { type NotedReads, noteReads } from '../crawling/reading.ts'
import { deliveriesFor, feedServiceFor } from '../publishing/publishing.ts'
import type { Ground, Role } from './role.ts'

/** Shows items as feeds, and sends them to subscribers. */
export interface PublisherRole extends Role {
  readonly feeds: FeedService
  readonly noteRead: NotedReads['note']
  /** There is something to deliver. */
  readonly wakeDeliveries: () => void
}

/** `baseUrl`: how readers reach the feeds. */
export async function publisherRole(ground: Ground, baseUrl: string): Promise<PublisherRole> {
  const { config, data, environment, access } = ground
  const { clock } = environment
  const key = await fetcherKey(config, data)
  const reading = noteReads(feedServiceFor(config, data, clock, baseUrl), data.store, clock, key)
  const { feeds } = reading
  const deliveries = deliveriesFor(config, data, feeds, access, environment)
  return {
    feeds,
    noteRead: reading.note,
    wakeDeliveries: () => data.notifier.notify('deliveries'),
    layers: [
      { name: 'publisher', run: (end) => runPublisher({ ...data, feeds }, end) },
      { name: 'deliveries', run: (end) => deliveries.run(end) },
      { name: 'reading', run: reading.run, healthyAfterMs: null },
    ],
    close: () => deliveries.close(),
  }
}
