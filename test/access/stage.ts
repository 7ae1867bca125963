import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ACCESS_TABLE, type AccessTable } from '../../src/access/index.ts'
import { createEventHub } from '../../src/api/events.ts'
import { createServer } from '../../src/api/server.ts'
import { createShareReader } from '../../src/app/crawling/shares.ts'
import { checkStrategy } from '../../src/app/crawling/strategy.ts'
import { openData } from '../../src/app/data/data.ts'
import { createQualityService } from '../../src/app/quality/quality.ts'
import { createServices } from '../../src/app/services/index.ts'
import { type Config, loadConfig } from '../../src/app/settings/config.ts'
import { followSettings } from '../../src/app/settings/live-settings.ts'
import { createAccessReader, reviewOf } from '../../src/app/users/access.ts'
import type { Fetcher } from '../../src/crawler/fetch/fetcher.ts'
import { createFeedService } from '../../src/publisher/feeds.ts'
import { runQueries } from '../../src/query/query-pipeline.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import type { Store } from '../../src/store/store.ts'
import { SERVER_PARTS } from '../support/server-parts.ts'
import { type Asking, askingInside, askingOverHttp } from './asking.ts'

export interface AccessStage extends Asking {
  readonly store: Store
  /** Until every feed is made as access is now. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface StageOptions {
  readonly table?: AccessTable | undefined
  /** Through a socket, as the rest of the world does; else by the same routes without one, which is much quicker. */
  readonly isOverHttp: boolean
}

const UNUSED = new Proxy({}, { get: () => () => Promise.reject(new Error('nothing is fetched here')) })
const folder = mkdtempSync(join(tmpdir(), 'headwater-access-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const config: Config = loadConfig(
  folder,
  { allowRange: 'loopback', logLevel: 'silent', memberTokens: 1_000, memberQueries: 1_000 },
  {},
)

/** What a backup says here: nothing is stored on disk, and the question is who gets as far as this. */
export const BACKUP = 'all that the node has'
const backups = {
  read: async () => ({ stream: Readable.from([BACKUP]), bytes: BACKUP.length }),
  take: async (file: Readable) => {
    for await (const _ of file);
    return { sources: 0, items: 0 }
  },
}

/** The server as a node has it, over a store in memory, with one table of access for every door. */
export async function openAccessStage({ table = ACCESS_TABLE, isOverHttp }: StageOptions): Promise<AccessStage> {
  const clock = systemClock
  const data = await openData({ ...config, store: 'memory:' }, clock)
  const { store, buffer, notifier } = data
  const access = createAccessReader(store, table)
  const settings = await followSettings({
    config,
    given: new Map(),
    document: data.settings,
    check: checkStrategy,
    clock,
    logger: silentLogger,
  })
  const shares = createShareReader(store)
  const services = createServices({
    data,
    access,
    settings,
    fetcher: UNUSED as Fetcher,
    shares,
    noteRead: () => {},
    slowHostMs: async () => null,
    settingOrigins: new Map(),
    lab: null,
    baseUrl: 'http://127.0.0.1',
    restart: null,
    spent: () => null,
    clock,
  })
  const feeds = createFeedService({ store, clock, baseUrl: 'http://node.example', settingsCheckMs: 0 })
  const quality = createQualityService(store, clock, null, shares)
  const server = createServer({
    ...SERVER_PARTS,
    ...data,
    access,
    feeds,
    quality,
    api: { store, services: { ...services, backups }, events: createEventHub(), iconKey: 'key of icons', table },
    clock,
    version: '1.2.3',
  })
  const review = reviewOf(createAccessReader(store, table))
  const isSettled = async () =>
    (await review()).length === 0 &&
    (await store.queryFeeds()).every(({ catchUpAfter, isClearing }) => catchUpAfter === null && isClearing !== true)

  return {
    store,
    ...(isOverHttp ? await askingOverHttp(server) : askingInside(server)),
    async settle() {
      const stop = new AbortController()
      const onPublished = (changed: readonly { readonly name: string }[]) =>
        feeds.markStale(changed.map(({ name }) => ({ kind: 'query' as const, name })))
      const running = runQueries({ store, buffer, notifier, clock, review, onPublished, lookEveryMs: 1 }, stop.signal)
      while (!(await isSettled())) await new Promise((resolve) => setImmediate(resolve))
      stop.abort()
      await running
    },
    close: () => server.close(),
  }
}
