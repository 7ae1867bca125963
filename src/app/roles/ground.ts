import { type AddressInfo, createServer } from 'node:net'
import { SECOND_MS } from '../../model/index.ts'
import { signedImages } from '../../publisher/images/image-address.ts'
import { steady } from '../../runtime/steady-clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { ReportState } from '../../store/node-state.ts'
import { nodeIdOf } from '../../store/provenance.ts'
import { fetcherKey } from '../crawling/fetcher-key.ts'
import { type NotedReads, noteReads } from '../crawling/reading.ts'
import { checkStrategy } from '../crawling/strategy.ts'
import { openWeb, type Web } from '../crawling/web.ts'
import { openData, placeOf } from '../data/data.ts'
import { watchDurability } from '../data/durability-watch.ts'
import type { OpenedData, RoleLock } from '../data/opened-data.ts'
import type { RoleName } from '../data/role-names.ts'
import type { Environment } from '../environment.ts'
import { newMember } from '../member.ts'
import { canShare, openSharing, type Sharing } from '../network/sharing/sharing.ts'
import { keepNodeAddress, nodeAddress } from '../node-address.ts'
import { createNodeHealth } from '../node-health.ts'
import { imageKey } from '../publishing/image-proxy.ts'
import { feedServiceFor } from '../publishing/publishing.ts'
import { baseUrlOf } from '../settings/base-url.ts'
import type { Config, SettingOrigin } from '../settings/config.ts'
import { followSettings } from '../settings/live-settings.ts'
import { shareAlarms } from '../shared-alarms.ts'
import { createAccessReader } from '../users/access.ts'
import type { RoleContext } from './role.ts'
import { createWires } from './wires.ts'

export interface GroundOptions {
  readonly roles: readonly RoleName[]
  /** Settings that were given elsewhere than in the document. */
  readonly given?: ReadonlyMap<string, SettingOrigin> | undefined
  /** Opens the data; another for tests, whose store fails. */
  readonly open?: typeof openData | undefined
}

export interface OpenedGround extends RoleContext {
  /** What runs as long as any role does. */
  readonly layers: readonly Layer[]
  close(): Promise<void>
}

/**
 * Without a publisher beside it nobody says which feeds are stale, and in a cluster it may be another publisher who knows: they
 * are looked at again after so long.
 */
const LOOK_AGAIN_MS = 2 * SECOND_MS

/** Opens the data for some roles of a node, and locks them. */
export async function openGround(config: Config, given: Environment, options: GroundOptions): Promise<OpenedGround> {
  const clock = steady(given.clock)
  const environment = { ...given, clock }
  const roles = new Set(options.roles)
  const wires = createWires()
  const health = createNodeHealth(environment, () => wires.alarms.tell())
  placeOf(config).prepare(environment)
  const unreadable: ReportState = (state) =>
    environment.logger.warn(state, 'what was stored cannot be read; it begins anew')
  const open = options.open ?? openData
  const data = await open(config, clock, {
    roles: options.roles,
    background: health.supervisor.watch('text index'),
    hasThreads: true,
    onUnreadableState: unreadable,
  })
  if (data.unsealed !== null) environment.logger.warn({ err: data.unsealed }, 'log-ins of sources are not sealed yet')
  const lock = await locked(data, options.roles)
  const close = async () => {
    await data.store.close()
    lock.release()
  }
  try {
    const settings = await followSettings({
      config,
      given: options.given ?? new Map(),
      document: data.settings,
      check: checkStrategy,
      clock,
      logger: environment.logger,
    })
    const member = newMember(options.roles)
    const { port, baseUrl } = await addressFor(config, data, environment, roles.has('api'))
    const shared = sharedParts({ config, data, clock, roles, baseUrl, logger: environment.logger })
    return {
      config,
      settings,
      data,
      environment,
      health,
      access: createAccessReader(data.store),
      roles,
      member,
      wires,
      port,
      baseUrl,
      web: shared.web,
      feeds: shared.feeds,
      sharing: shared.sharing,
      layers: [
        settings.layer,
        ...shareAlarms({ data, clock, member, roles, health, wires }),
        ...watchDurability(data.cluster, { alarms: health.raised, clock }),
      ],
      async close() {
        await shared.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Of data that cannot be written: nodes that only read do not disturb each other. */
const NO_LOCK: RoleLock = { release: () => {} }

async function locked(data: OpenedData, roles: readonly RoleName[]): Promise<RoleLock> {
  if (data.isReadOnly) return NO_LOCK
  try {
    return data.locks.take(roles)
  } catch (error) {
    await data.store.close()
    throw error
  }
}

/** Who serves says where; the others find it in the store. */
async function addressFor(
  config: Config,
  { store }: OpenedData,
  { logger }: Environment,
  isServing: boolean,
): Promise<Pick<RoleContext, 'port' | 'baseUrl'>> {
  if (!isServing) return { port: config.port, baseUrl: await nodeAddress(config, store) }
  const port = config.port === 0 ? await freePort(config.host) : config.port
  const baseUrl = baseUrlOf(config, port)
  await keepNodeAddress(baseUrl, store, logger)
  return { port, baseUrl }
}

/** Published feeds name their own address, so the port must be known before the server listens. */
async function freePort(host: string): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, host, resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

type SharedDeps = Pick<RoleContext, 'config' | 'data' | 'roles' | 'baseUrl'> &
  Pick<RoleContext['environment'], 'clock' | 'logger'>

/** One fetcher and one set of rendered feeds for all roles of a process. */
function sharedParts({ config, data, clock, roles, baseUrl, logger }: SharedDeps) {
  let sharing: Promise<Sharing | null> | null = null
  let web: Promise<Web> | null = null
  let feeds: Promise<NotedReads> | null = null
  const openFeeds = async () => {
    const isTold = roles.has('publisher') && data.cluster === null
    const maxAge = isTold ? {} : { maxAgeMs: LOOK_AGAIN_MS }
    const imageAddress = config.imageProxy ? signedImages(await imageKey(data), baseUrl.replace(/\/+$/, '')) : null
    const key = await fetcherKey(data)
    const options = {
      ...maxAge,
      isShared: data.cluster !== null,
      imageAddress,
      hasHub: config.hub,
      nodeId: nodeIdOf(key),
    }
    return noteReads(feedServiceFor(config, data, clock, baseUrl, options), data.store, clock, key)
  }
  return {
    web: () => (web ??= openWeb(config, data.store, clock, { hasCrawler: roles.has('crawler') })),
    feeds: () => (feeds ??= openFeeds()),
    sharing: () =>
      (sharing ??= canShare({ config, data, roles })
        ? openSharing({ config, data, clock, logger })
        : Promise.resolve(null)),
    close: async () => {
      await (await web)?.close()
      await (await sharing)?.close()
    },
  }
}
