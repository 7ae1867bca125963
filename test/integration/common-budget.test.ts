import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { SECOND_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import { settings } from '../contract/store.fixture.ts'
import { eventually } from '../support/patience.ts'
import { testDatabase } from '../support/postgres.ts'
import { startRole } from './role-processes.ts'

const HOSTS = 8
const FEEDS_PER_HOST = 5
const PER_SECOND = 10
const BURST = 5
const REQUESTS = 200

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Sites of their own, so that both crawlers have some: an address of the loopback network is one. */
async function startSite(host: string, onRequest: () => void): Promise<string> {
  const server: Server = createServer((_request, response) => {
    onRequest()
    response.end('<rss version="2.0"><channel><title>A site</title></channel></rss>')
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

it('two crawlers on one PostgreSQL spend one budget, whatever each of them would like to spend', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-budget-'))
  ends.push(async () => rmSync(folder, { recursive: true, force: true }))
  const database = await testDatabase()
  ends.push(() => database.drop())
  const times: number[] = []
  const askedHosts = new Set<string>()
  const sites = await Promise.all(
    Array.from({ length: HOSTS }, (_, index) => {
      const host = `127.0.0.${index + 2}`
      return startSite(host, () => {
        askedHosts.add(host)
        times.push(systemClock.monotonicMs())
      })
    }),
  )
  const keyFile = join(folder, 'headwater.key')
  const { store } = await openPostgresStore({ url: database.url, clock: systemClock, keyFile })
  const urls = sites.flatMap((site) => Array.from({ length: FEEDS_PER_HOST }, (_, index) => `${site}/${index}`))
  const sources = urls.map((url) => settings(url, { intervalMs: SECOND_MS }))
  await store.addSources(sources, systemClock.now())
  await store.close()

  const startedAt = systemClock.monotonicMs()
  const budget = ['--budget', `${PER_SECOND * 60}/min`, '--burst', `${BURST}`, '--min-interval', '1s']
  const flags = ['--data', folder, '--store', database.url, ...budget]
  const crawlers = await Promise.all([startRole('crawler', flags), startRole('crawler', flags)])
  ends.push(() => Promise.all(crawlers.map((crawler) => crawler.kill())))

  expect(await eventually(() => times.length >= REQUESTS && askedHosts.size === HOSTS)).toBe(true)
  const afterSeconds = ((times[REQUESTS - 1] ?? 0) - startedAt) / SECOND_MS
  // Two that do not know of each other are there in half the time.
  expect(REQUESTS).toBeLessThanOrEqual(PER_SECOND * afterSeconds + BURST)
})
