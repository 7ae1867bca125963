import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { entryAt } from '../src/model/entry-at.ts'
import type { Source, SourceId } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'
import { parseAddress } from '../src/store/postgres/database/address.ts'
import type { Store } from '../src/store/store.ts'
import { findPostgresServer, serverCpuMs } from './postgres-cpu.ts'
import type { StoredItems } from './terminals-verdict.ts'
import { guidOf, itemCountBy, type TerminalsWorld } from './terminals-world.ts'

/** The one database of the bench. */
export interface BenchStore {
  readonly store: Store
  /** Of its server, whoever else uses that; null: it has none, or not on this machine. */
  cpuMs(): number | null
  close(): Promise<void>
}

export async function openBenchStore(url: string | undefined, folder: string): Promise<BenchStore> {
  if (url !== undefined) return openPostgres(url, folder)
  const { openSqliteStore } = await import('../src/store/sqlite/open.ts')
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  return { store, cpuMs: () => null, close: () => store.close() }
}

/** Always the same, so that a database of the bench can be used again, and that of a node is refused. It seals nothing. */
const BENCH_KEY = Buffer.alloc(32, 'headwater bench').toString('base64')

/** Somebody's feeds are not for a bench: it takes an empty database, and empties it. */
async function openPostgres(url: string, folder: string): Promise<BenchStore> {
  const { openPostgresStore } = await import('../src/store/postgres/open.ts')
  const keyFile = join(folder, 'headwater.key')
  writeFileSync(keyFile, BENCH_KEY)
  const { store } = await openPostgresStore({ url, clock: systemClock, keyFile })
  const { sources } = await store.counts()
  if (sources > 0) {
    await store.close()
    throw new HeadwaterError('USAGE', `the database of --store has ${sources} sources; the bench needs an empty one`)
  }
  const server = findPostgresServer(parseAddress(url).database)
  return {
    store,
    cpuMs: () => (server === null ? null : serverCpuMs(server)),
    async close() {
      for (const { id } of await store.sources()) await store.removeSource(id)
      await store.close()
    },
  }
}

const SOURCES_AT_ONCE = 500

/** In the order of the addresses. */
export async function addFeedSources(store: Store, urls: readonly string[]): Promise<readonly Source[]> {
  const sources: Source[] = []
  for (let at = 0; at < urls.length; at += SOURCES_AT_ONCE) {
    const settings = urls.slice(at, at + SOURCES_AT_ONCE).map((url) => withSourceDefaults({ url }))
    for (const { source } of await store.addSources(settings, systemClock.now())) sources.push(source)
  }
  return sources
}

/** What is stored of feeds, beside what they have shown by a round. */
export async function compareStored(
  store: Store,
  sourceIds: readonly SourceId[],
  world: TerminalsWorld,
  round: number,
): Promise<StoredItems> {
  let [published, lost, doubled] = [0, 0, 0]
  for (let feed = 0; feed < world.feeds; feed++) {
    const count = itemCountBy(world, feed, round)
    const scope = { kind: 'source', sourceId: entryAt(sourceIds, feed) } as const
    const items = await store.items({ scope, limit: 2 * count })
    const ids = new Set(items.map(({ id }) => id))
    published += count
    doubled += items.length - ids.size
    for (let number = 0; number < count; number++) if (!ids.has(guidOf(feed, number))) lost++
  }
  return { published, lost, doubled }
}
