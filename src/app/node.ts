import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import type { Lab } from '../api/services.ts'
import type { Refreshed } from '../crawler/pipeline.ts'
import { steady } from '../runtime/steady-clock.ts'
import type { ReportState } from '../store/node-state.ts'
import { lockDataFolder } from '../store/sqlite/database/lock.ts'
import { checkStrategy } from './crawling/strategy.ts'
import { type Data, openData } from './data/data.ts'
import { DATABASE_FILE, tightenDataFolder } from './data/data-folder.ts'
import { createDatabaseCheck, lookInProcess } from './data/database-check.ts'
import { pruneLayer } from './data/retention.ts'
import type { Environment } from './environment.ts'
import { keepNodeAddress } from './node-address.ts'
import { createNodeEvents } from './node-events.ts'
import { createNodeHealth } from './node-health.ts'
import { apiRole } from './roles/api.ts'
import { crawlerRole } from './roles/crawler.ts'
import { matcherRole } from './roles/matcher.ts'
import { publisherRole } from './roles/publisher.ts'
import type { Ground, Role } from './roles/role.ts'
import { hasRestored, putRestored } from './services/backups.ts'
import { baseUrlOf } from './settings/base-url.ts'
import type { Config, SettingOrigin } from './settings/config.ts'
import { createAccessReader } from './users/access.ts'
import { ensureOwner } from './users/owner.ts'

export interface RunningNode {
  /** Where it serves, as `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  readonly data: Data
  /** Rejects with what the node cannot serve at all after; never resolves. */
  readonly failed: Promise<never>
  /** For whoever runs the node: an error that nobody in this process caught. */
  readonly surprise: (error: unknown) => void
  stop(): Promise<void>
}

export interface NodeOptions {
  readonly onRefreshed?: (refreshed: Refreshed) => void
  /** Settings that were given elsewhere than in the file. */
  readonly given?: ReadonlyMap<string, SettingOrigin>
  /** For a node without an owner. */
  readonly ownerPassword?: string | undefined
  /** Whoever runs the node ends it and starts it again when this is called; absent: nobody does. */
  readonly onRestart?: () => void
  /** Tries strategies on this node's history; made by lab/, which src/ does not know. */
  readonly lab?: ((config: Config) => Lab) | null
  /** Opens the data folder; another for tests, whose store fails. */
  readonly open?: typeof openData
}

/**
 * Starts all roles in this process: the crawler fills the item buffer, the matcher and the publisher follow it, the API
 * shows the feeds. Everything that must last is in the data folder, so starting again after any end goes on from there.
 */
export async function startNode(config: Config, given: Environment, options: NodeOptions = {}): Promise<RunningNode> {
  const clock = steady(given.clock)
  const environment = { ...given, clock }
  const { logger } = environment
  // What nobody knows is refused before anything begins.
  checkStrategy(config)
  const events = createNodeEvents(clock)
  const health = createNodeHealth(environment, () => events.hub.tell({ kind: 'alarms' }))
  takeRestored(config.dataDir, environment)
  tighten(config.dataDir, environment)
  const unreadable: ReportState = (state) => logger.warn(state, 'what was stored cannot be read; it begins anew')
  const open = options.open ?? openData
  const data = await open(config, clock, health.supervisor.watch('text index'), true, unreadable)
  if (data.unsealed !== null) logger.warn({ err: data.unsealed }, 'log-ins of sources are not sealed yet')
  const lock = data.isReadOnly ? NO_LOCK : await locked(config.dataDir, data)
  await ensureOwner(options.ownerPassword, data.store, clock)
  const ground: Ground = { config, data, environment, health, access: createAccessReader(data.store) }
  const port = config.port === 0 ? await freePort(config.host) : config.port
  const baseUrl = baseUrlOf(config, port)
  await keepNodeAddress(baseUrl, data.store, logger)
  const onRefreshed = (refreshed: Refreshed) => {
    events.refreshed(refreshed)
    options.onRefreshed?.(refreshed)
  }
  const crawler = await crawlerRole(ground, { onRefreshed, onRestart: options.onRestart })
  const publisher = await publisherRole(ground, baseUrl)
  const matcher = matcherRole(ground, (changed) => {
    publisher.feeds.markStale(changed.map(({ name }) => ({ kind: 'query', name })))
    publisher.wakeDeliveries()
  })
  const roles: Role[] = [publisher, matcher, crawler]
  const close = async () => {
    for (const role of roles) await role.close()
    await data.store.close()
    lock.release()
  }
  try {
    const restart = options.onRestart ?? null
    const asked = { given: options.given ?? new Map(), lab: options.lab?.(config) ?? null, restart }
    // It stops first: whoever asks must find the others.
    roles.unshift(await apiRole(ground, { crawler, publisher, events, port, ...asked }))
  } catch (error) {
    await close()
    throw error
  }
  const { crawling } = crawler
  const check = createDatabaseCheck({
    store: data.store,
    look: (end) => lookInProcess(join(config.dataDir, DATABASE_FILE), end),
    everyMs: () => crawling.config.checkEvery,
    alarms: health.raised,
    clock,
  })
  health.watchDatabase(check.verdict)
  const layers = [
    ...roles.flatMap((role) => role.layers),
    pruneLayer(() => crawling.config, data, environment),
    check.layer,
  ]
  const stopping = new AbortController()
  // Every layer listens to it; that is no leak.
  setMaxListeners(0, stopping.signal)
  const running = layers.map((layer) => health.supervisor.run(layer, stopping.signal).catch(health.fail))

  return {
    url: publisher.feeds.baseUrl,
    port,
    data,
    failed: health.failed,
    surprise: health.surprise,
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await close()
    },
  }
}

/** Of a folder that cannot be written: two nodes that only read do not disturb each other. */
const NO_LOCK = { release: () => {} }

async function locked(dataDir: string, data: Data): Promise<{ release(): void }> {
  try {
    return lockDataFolder(dataDir)
  } catch (error) {
    await data.store.close()
    throw error
  }
}

/** A backup that was given to the last run takes the place of the database, if no other node has it open. */
function takeRestored(dataDir: string, { clock, logger }: Environment): void {
  if (!hasRestored(dataDir)) return
  const lock = lockDataFolder(dataDir)
  try {
    putRestored(dataDir, clock.now())
    logger.info({ dataDir }, 'the backup was restored; what was there is kept beside it')
  } finally {
    lock.release()
  }
}

/** What others could read until now, they cannot any more, unless that would hurt. */
function tighten(dataDir: string, { logger }: Environment): void {
  if (!existsSync(dataDir)) return
  const { tightened, leftBecause } = tightenDataFolder(dataDir)
  if (tightened.length > 0) logger.warn({ dataDir, tightened }, 'closed to other users of this machine')
  if (leftBecause !== null) logger.warn({ dataDir, leftBecause }, 'others can look into the data folder')
}

/** Published feeds name their own address, so the port must be known before the server listens. */
async function freePort(host: string): Promise<number> {
  const probe = createNetServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, host, resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
