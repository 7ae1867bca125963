import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openData } from '../../src/app/data/data.ts'
import { createNodeHealth } from '../../src/app/node-health.ts'
import { applyQueries } from '../../src/app/queries/apply.ts'
import { crawlerRole } from '../../src/app/roles/crawler.ts'
import { matcherRole } from '../../src/app/roles/matcher.ts'
import { publisherRole } from '../../src/app/roles/publisher.ts'
import type { Ground, Role } from '../../src/app/roles/role.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withDefaults } from '../../src/app/sources/sources.ts'
import { createAccessReader } from '../../src/app/users/access.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { steady } from '../../src/runtime/steady-clock.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'

const ITEMS = ['ice on the river', 'sea', 'more ice']
const DOCUMENT = `<rss version="2.0"><channel><title>A site</title>${ITEMS.map(
  (title, index) => `<item><guid>${index}</guid><title>${title}</title></item>`,
).join('')}</channel></rss>`

let folder: string
let site: LocalServer

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-roles-'))
  site = await startServer((_request, response) => response.end(DOCUMENT))
})

afterEach(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The data folder opened anew, as another process would. */
async function openGround(): Promise<Ground> {
  const config = loadConfig(folder, { allowRange: 'loopback', hostSpacing: 0 }, {})
  const environment = { clock: steady(systemClock), random: seededRandom(1), logger: silentLogger }
  const data = await openData(config, environment.clock)
  const health = createNodeHealth(environment, () => {})
  return { config, data, environment, health, access: createAccessReader(data.store) }
}

/** Runs one role alone until something holds, and ends it. */
async function alone(
  start: (ground: Ground) => Promise<Role> | Role,
  until: (ground: Ground) => Promise<boolean>,
): Promise<void> {
  const ground = await openGround()
  const role = await start(ground)
  const stopping = new AbortController()
  const running = role.layers.map((layer) => ground.health.supervisor.run(layer, stopping.signal))
  expect(await eventually(() => until(ground))).toBe(true)
  stopping.abort()
  await Promise.all(running)
  await role.close()
  await ground.data.store.close()
}

it('each role does its work by itself: what one has left in the store, the next goes on with', async () => {
  const { data } = await openGround()
  await data.store.addSources([withDefaults({ url: site.url('/feed') })], systemClock.now())
  const text = 'CREATE FEED cold AS RETURN ALL WHERE TITLE CONTAINS "ice"'
  await applyQueries(text, data.store, { now: systemClock.now(), backFill: { kind: 'all' } })
  await data.store.close()

  let refreshed = 0
  await alone(
    (ground) => crawlerRole(ground, { onRefreshed: () => void refreshed++ }),
    async ({ data: { store } }) => (await store.counts()).items === ITEMS.length,
  )
  expect(refreshed).toBeGreaterThan(0)

  const published = async ({ data: { store } }: Ground) => {
    const feed = await store.queryFeed('cold')
    return (await store.publicationState(feed!.id)).count
  }
  const told: string[] = []
  await alone(
    (ground) => matcherRole(ground, (changed) => void told.push(...changed.map(({ name }) => name))),
    async (ground) => (await published(ground)) === 2,
  )
  expect(new Set(told)).toEqual(new Set(['cold']))

  const ground = await openGround()
  const publisher = await publisherRole(ground, 'http://reader.example')
  const shown = await publisher.feeds.get({ kind: 'query', name: 'cold' }, 'json')
  const { items } = JSON.parse(String(shown!.body)) as { items: { title: string }[] }
  expect(items.map(({ title }) => title).sort()).toEqual(['ice on the river', 'more ice'])
  await publisher.close()
  await ground.data.store.close()
})
