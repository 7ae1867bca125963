import { createServer } from '../../api/server.ts'
import type { Lab } from '../../api/services.ts'
import { hostKey } from '../../crawler/fetch/host-key.ts'
import { politely } from '../../crawler/politeness/polite-fetcher.ts'
import type { NodeEvents } from '../node-events.ts'
import { createQualityService } from '../quality/quality.ts'
import { createServices } from '../services/index.ts'
import type { SettingOrigin } from '../settings/config.ts'
import { proxyCheck } from '../settings/proxies.ts'
import { VERSION, WEB_ROOT } from '../version.ts'
import type { CrawlerRole } from './crawler.ts'
import type { PublisherRole } from './publisher.ts'
import type { Ground, Role } from './role.ts'

export interface ApiRoleOptions {
  readonly crawler: CrawlerRole
  readonly publisher: PublisherRole
  readonly events: NodeEvents
  readonly port: number
  /** Settings that were given elsewhere than in the file. */
  readonly given: ReadonlyMap<string, SettingOrigin>
  readonly lab: Lab | null
  /** Whoever runs the node ends it and starts it again; null: nobody does. */
  readonly restart: (() => void) | null
}

/** Answers who asks: API, dashboard and feeds. Listens when this returns. */
export async function apiRole(ground: Ground, options: ApiRoleOptions): Promise<Role> {
  const { config, data, environment, health, access } = ground
  const { crawler, publisher, events, port, given, lab, restart } = options
  const { clock, logger } = environment
  const { crawling, limits, recent, shares, shared, relevance } = crawler
  const services = createServices({
    data,
    access,
    crawling,
    fetcher: politely(crawler.fetcher, limits, clock),
    relevance,
    shares,
    noteRead: publisher.noteRead,
    slowHostMs: (url) => limits.slowMs(hostKey(url)),
    shared,
    given,
    spent: (now) => recent.requestsPerMinute(now),
    lab,
    restart,
    clock,
  })
  const server = createServer({
    ...data,
    access,
    feeds: publisher.feeds,
    quality: createQualityService(data.store, clock, recent, shares),
    api: { store: data.store, services, events: events.hub },
    webRoot: WEB_ROOT,
    health,
    clock,
    version: VERSION,
    doors: { ...config, isProxy: proxyCheck(config.trustProxy) },
    onError: (error) => logger.error({ err: error }, 'request failed'),
  })
  await server.listen({ host: config.host, port })
  server.app.server.once('error', health.fail)
  return { layers: [{ name: 'events', run: (end) => events.run(end) }], close: () => server.close() }
}
