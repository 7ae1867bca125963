import { RefusedCalls } from '../../api/refused-calls.ts'
import { createServer } from '../../api/server.ts'
import type { Lab } from '../../api/services.ts'
import { MINUTE_MS } from '../../model/index.ts'
import { createAccessCheck } from '../../publisher/feed-access.ts'
import { createCallbackClient } from '../../publisher/hub/callback-client.ts'
import { noSharedModels, type SharedModels } from '../../refresh/shared-models.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { createShareReader } from '../crawling/shares.ts'
import { readSharedModels } from '../crawling/strategy.ts'
import { createDatabaseCheck } from '../data/database-check.ts'
import { openLetters } from '../letters/letters-layer.ts'
import { networkLayer } from '../network/network-service.ts'
import { createProfileDoor } from '../network/profile-door.ts'
import { createNodeEvents, type NodeEvents } from '../node-events.ts'
import { createImageProxy, imageKey } from '../publishing/image-proxy.ts'
import { createOutputCheck } from '../publishing/outputs.ts'
import { createHubDoor } from '../push/hub-door.ts'
import { createPushDoor } from '../push/push-door.ts'
import { createQualityService } from '../quality/quality.ts'
import { openRecentQuality } from '../quality/recent-quality.ts'
import { readRefreshReports, refreshReport } from '../refresh-reports.ts'
import { createServices } from '../services/index.ts'
import type { SettingOrigin } from '../settings/config.ts'
import { proxyCheck } from '../settings/proxies.ts'
import { userAgentOf } from '../settings/user-agent.ts'
import { shareEvents } from '../shared-events.ts'
import { liveListsLayer } from '../sources/live-lists.ts'
import { VERSION, WEB_ROOT } from '../version.ts'
import { presence } from './presence.ts'
import type { NodeRole, RoleContext } from './role.ts'

export interface ApiRoleOptions {
  /** Settings that were given elsewhere than in the document. */
  readonly settingOrigins: ReadonlyMap<string, SettingOrigin>
  readonly lab: Lab | null
  /** Whoever runs the node ends it and starts it again; null: nobody does. */
  readonly restart: (() => void) | null
  /** Whoever sits at the machine is this user; null: nobody is without a password. */
  readonly visitor: string | null
}

/** Answers who asks: API, dashboard and feeds. Listens when this returns. */
export async function apiRole(
  ground: RoleContext,
  { settingOrigins, lab, restart, visitor }: ApiRoleOptions,
): Promise<NodeRole> {
  const { config, settings, data, environment, health, access, port } = ground
  const { clock, logger } = environment
  const { store, buffer } = data
  const [web, reading, recent] = await Promise.all([ground.web(), ground.feeds(), openRecentQuality(store, clock)])
  const events = createNodeEvents(clock)
  const sharedEvents = data.cluster && shareEvents({ data, jobs: data.cluster.jobs, hub: events.hub })
  const shares = createShareReader(store)
  const shared: SharedModels = noSharedModels()
  const refused = new RefusedCalls()
  const services = createServices({
    data,
    access,
    settings,
    fetcher: web.polite,
    shares,
    noteRead: reading.note,
    slowHostMs: web.slowMs,
    shared,
    settingOrigins,
    spent: recent.requestsPerMinute,
    recent,
    lab,
    restart,
    baseUrl: ground.baseUrl,
    hub: { url: reading.feeds.hubUrl, refused: () => refused.list() },
    clock,
  })
  const key = await imageKey(data)
  const images = config.imageProxy ? createImageProxy({ config, clock, key }) : null
  const hub = config.hub ? openHub(ground, reading.feeds.baseUrl) : null
  const quality = createQualityService(store, clock, recent, shares)
  const sharing = await ground.sharing()
  const server = createServer({
    store,
    buffer,
    access,
    feeds: reading.feeds,
    quality,
    api: {
      store,
      services,
      iconKey: key,
      events: sharedEvents?.hub ?? events.hub,
      visitor,
      ...(sharedEvents && data.cluster && { shared: { logIns: data.cluster.logIns, jobs: sharedEvents.jobs } }),
    },
    ...(images && { images }),
    refused,
    ...(config.push && { pushes: createPushDoor({ store, clock }) }),
    ...(hub && { hub }),
    ...(sharing && { peers: sharing.door }),
    ...(config.network && {
      profile: createProfileDoor({
        data,
        store,
        access,
        shares,
        report: quality.report,
        clock,
        baseUrl: reading.feeds.baseUrl,
        hasHub: config.hub,
      }),
    }),
    webRoot: WEB_ROOT,
    health,
    clock,
    version: VERSION,
    doors: { ...config, isProxy: proxyCheck(config.trustProxy) },
    onError: (error) => logger.error({ err: error }, 'request failed'),
  })
  await server.listen({ host: config.host, port })
  server.app.server.once('error', health.fail)
  const letters = await openLetters(ground).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  return {
    ...(letters && { smtpPort: letters.port }),
    layers: [
      { name: 'events', run: (end) => events.run(end) },
      ...(sharedEvents ? [sharedEvents.layer] : []),
      { name: 'reading', run: reading.run, healthyAfterMs: null },
      { name: 'recent quality', run: recent.run, healthyAfterMs: null },
      { name: 'recent requests', run: recent.follow, healthyAfterMs: null },
      followShared(shared, ground),
      ...watchRefreshes(events, ground),
      liveListsLayer({ store, fetcher: web.polite, clock }),
      ...(config.network
        ? [networkLayer({ data, fetcher: web.polite, clock, baseUrl: () => ground.baseUrl, isOn: () => true })]
        : []),
      ...presence(ground),
      ...checking(ground),
      ...(letters ? [letters.layer] : []),
    ],
    async close() {
      await letters?.close()
      await server.close()
      await hub?.close()
      await images?.close()
    },
  }
}

function openHub({ config, data, access, environment: { clock, logger } }: RoleContext, baseUrl: string) {
  const outputs = createOutputCheck(data.store, () => config)
  return createHubDoor({
    store: data.store,
    clock,
    client: createCallbackClient({ allowRanges: config.allowRange, userAgent: userAgentOf(config) }),
    checkAccess: createAccessCheck(data.store, access, () => clock.now()),
    checkCallback: (url) => outputs.check({ kind: 'webhook', url }, null),
    baseUrl,
    onError: (error) => logger.error({ err: error }, 'a subscription at the hub failed'),
  })
}

/** What the crawler learns of all sources together changes in the course of hours. */
const SHARED_EVERY_MS = MINUTE_MS

function followShared(shared: SharedModels, { data, environment: { clock } }: RoleContext): Layer {
  const read = async () => void Object.assign(shared, await readSharedModels(data.store))
  const again = repeat({ clock, everyMs: SHARED_EVERY_MS, action: read, alsoAtEnd: false })
  return {
    name: 'shared models',
    healthyAfterMs: null,
    async run(signal, succeeded) {
      await read()
      succeeded()
      await again(signal, succeeded)
    },
  }
}

/** A crawler of this process tells at once; of others, the store tells within a second or two. */
function watchRefreshes(
  events: NodeEvents,
  { roles, wires, data, environment: { clock } }: RoleContext,
): readonly Layer[] {
  wires.alarms.listen(() => events.hub.tell({ kind: 'alarms' }))
  const isWatched = () => events.hub.listeners > 0
  const hasCrawler = roles.has('crawler')
  if (hasCrawler) {
    wires.refreshed.listen((refreshed) => {
      if (isWatched()) events.refreshed(refreshReport(refreshed, clock.now()))
    })
  }
  if (hasCrawler && data.cluster === null) return []
  return [readRefreshReports(data.store, clock, { isWanted: isWatched, withOwn: !hasCrawler }, events.refreshed)]
}

/** It is told of where the health of the node is. */
function checking({ data, settings, health, environment: { clock } }: RoleContext): readonly Layer[] {
  if (data.check === null) return []
  const everyMs = () => settings.current().checkEvery
  const check = createDatabaseCheck({ store: data.store, look: data.check, everyMs, alarms: health.raised, clock })
  health.watchDatabase(check.verdict)
  return [check.layer]
}
