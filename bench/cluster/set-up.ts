import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { RoleName } from '../../src/app/data/role-names.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { SECOND_MS, type SourceId } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/index.ts'
import { type Database, startDatabase, storeUrl } from './database.ts'
import { type ClusterProcess, newProcess } from './members.ts'
import type { Door, Network } from './network.ts'
import type { ClusterOptions } from './options.ts'
import { UNWATCHED } from './paths.ts'
import { feedFolder, nameOf } from './queries.ts'
import { type Sites, startSites } from './sites-process.ts'

const ITEM_EVERY_MS = 4_000
/** Each source wants to be refreshed this often, which is more than the budget allows. */
const INTERVAL_MS = SECOND_MS
const HOST_SPACING_MS = 100
const PUBLIC_URL = 'http://feeds.example'

export type Closing = (() => Promise<unknown>)[]

export async function openSites(options: ClusterOptions, network: Network, closing: Closing): Promise<Sites> {
  const { seed, feeds, feedsPerHost, latencyMs } = options
  const addresses = Array.from({ length: Math.ceil(feeds / feedsPerHost) }, (_, host) => network.siteAddress(host))
  const plan = { seed, feeds, feedsPerHost, everyMs: ITEM_EVERY_MS, latencyMs }
  const sites = await startSites(plan, addresses)
  closing.push(() => sites.close())
  return sites
}

export async function openDatabase(
  { faults }: ClusterOptions,
  folder: string,
  network: Network,
  closing: Closing,
): Promise<Database> {
  const database = await startDatabase({ folder, withStandby: faults.includes('failover'), network: network.listen })
  closing.push(() => database.close())
  return database
}

/** As a command beside the members. */
export async function openBeside(database: Database, folder: string, closing: Closing): Promise<PostgresStore> {
  const url = storeUrl(database.hosts, database.hasStandby)
  const data = await openPostgresStore({ url, clock: systemClock, keyFile: keyIn(folder) })
  closing.push(() => data.store.close())
  return data
}

const keyIn = (folder: string) => join(folder, 'headwater.key')

export async function addFeeds({ store }: PostgresStore, { urls }: Sites): Promise<readonly SourceId[]> {
  const sources = urls.map((url, feed) =>
    withSourceDefaults({ url, name: nameOf(feed), categories: [feedFolder(feed)], intervalMs: INTERVAL_MS }),
  )
  return (await store.addSources(sources, systemClock.now())).map(({ source }) => source.id)
}

interface Ground {
  readonly options: ClusterOptions
  readonly folder: string
  readonly network: Network
  readonly database: Database
}

/** All started at once, as after a cut of the power. */
export async function startMembers(
  ground: Ground,
  closing: Closing,
): Promise<{ readonly members: readonly ClusterProcess[]; readonly doorOf: ReadonlyMap<ClusterProcess, Door> }> {
  const doorOf = new Map<ClusterProcess, Door>()
  mkdirSync(join(ground.folder, 'members'))
  for (const { name, roles } of memberList(ground.options)) {
    const door = await ground.network.open(name, ground.database.hosts)
    closing.push(() => door.close())
    doorOf.set(await memberOf(ground, name, roles, door), door)
  }
  const members = [...doorOf.keys()]
  closing.push(() => Promise.all(members.map((member) => member.kill())))
  await Promise.all(members.map((member) => member.start()))
  return { members, doorOf }
}

function memberList({ crawlers, matchers, publishers, apis, mixed }: ClusterOptions) {
  const several = (name: string, count: number, roles: readonly RoleName[]) =>
    Array.from({ length: count }, (_, index) => ({ name: `${name}-${index + 1}`, roles }))
  return [
    ...several('crawler', crawlers, ['crawler']),
    ...several('matcher', matchers, ['matcher']),
    ...several('publisher', publishers, ['publisher']),
    ...several('api', apis, ['api']),
    ...several('mixed', mixed, ['matcher', 'publisher', 'api']),
  ]
}

async function memberOf(ground: Ground, name: string, roles: readonly RoleName[], door: Door): Promise<ClusterProcess> {
  const { options, folder, network, database } = ground
  const perSecond = options.requestsPerSecond
  const port = roles.includes('api') ? await freePort() : 0
  return newProcess({
    name,
    roles,
    folder: join(folder, 'members'),
    prefix: door.prefix,
    program: options.break === 'lease-clock' ? UNWATCHED : undefined,
    logFolder: options.logFolder,
    localUrl: port === 0 ? '' : `http://127.0.0.1:${port}`,
    flags: ['--store', storeUrl(door.hosts, database.hasStandby)],
    settings: {
      keyFile: keyIn(folder),
      port: String(port),
      publicUrl: PUBLIC_URL,
      allowRange: network.allowRange,
      budget: `${perSecond}/s`,
      burst: String(perSecond),
      lease: `${options.leaseMs}ms`,
      minInterval: '100ms',
      hostSpacing: `${HOST_SPACING_MS}ms`,
      checkpoint: '1s',
      logLevel: options.logFolder === undefined ? 'silent' : 'info',
    },
  })
}

/** A replica has the same one after a restart. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
