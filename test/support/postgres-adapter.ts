import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/index.ts'
import type { Adapter, OpenOptions } from '../contract/store.fixture.ts'
import { resetOf, testDatabase } from './postgres.ts'

/** A test opens some stores at once, and all tests share one server. */
const CONNECTIONS = 4

/** Beside the server's socket, so that another process finds the same one by the address. */
export function keyFileOf(url: string): string {
  const { searchParams, pathname } = new URL(url)
  return join(searchParams.get('host') ?? '', `${pathname.slice(1)}.key`)
}

function openAt(url: string, options: OpenOptions = {}): Promise<PostgresStore> {
  return openPostgresStore({
    url,
    clock: systemClock,
    keyFile: keyFileOf(url),
    connections: CONNECTIONS,
    ...options,
  })
}

interface Database {
  readonly url: string
  run(sql: string): Promise<unknown>
  /** Makes it as it was when it was new. */
  reset(): Promise<void>
}

/** Making a database and its tables takes longer than most tests: what one test has used, the next one gets emptied. */
const free: Database[] = []

async function takeDatabase(): Promise<Database> {
  const known = free.pop()
  if (known !== undefined) return known
  const database = await testDatabase()
  await (await openAt(database.url)).store.close()
  const reset = await resetOf(database)
  return { url: database.url, run: database.run, reset: async () => void (await database.run(reset)) }
}

/** A database of its own for every opening, on the server of the test run. */
export const postgresAdapter: Adapter = {
  name: 'postgres',
  persistent: true,
  async open(options = {}) {
    const database = await takeDatabase()
    const openings: PostgresStore[] = []
    const again = async () => {
      const opened = await openAt(database.url, options)
      openings.push(opened)
      return opened
    }
    const end = async () => {
      for (const { store } of openings) await store.close()
      await database.reset()
      free.push(database)
    }
    return { ...(await again()), address: database.url, again, run: database.run, end }
  },
  join: (address) => openAt(address),
}
