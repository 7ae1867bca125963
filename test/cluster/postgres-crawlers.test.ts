import { afterEach, expect, it } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { settings } from '../contract/store.fixture.ts'
import { postgresAdapter } from '../support/postgres-adapter.ts'
import { present } from '../support/present.ts'
import { TestCrawler } from './test-crawler.ts'
import { WatchedWorld } from './watched-world.ts'

const HOSTS = 8
const ITEMS = 40
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** In real time: the clock of the server decides about leases. */
it('a crawler takes over from one that was killed, and nothing is lost or doubled', async () => {
  const opening = await postgresAdapter.open()
  ends.push(() => opening.end())
  const { store, buffer } = opening
  const world = new WatchedWorld(systemClock, HOSTS, 300, ITEMS)
  world.latencyMs = 40
  await buffer.register('reader', { from: 'start', owner: 'test', expiresAfterMs: null })
  const added = await store.addSources(
    world.urls.map((url) => settings(url, { intervalMs: SECOND_MS })),
    systemClock.now(),
  )
  const start = async (name: string) => {
    const { leases, ...data } = await opening.again()
    const ground = { ...data, leases: present(leases), clock: systemClock, world }
    return new TestCrawler(name, { ...ground, leaseMs: 2 * SECOND_MS, shards: 32, spacingMs: 100 })
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await systemClock.sleep(20)
  }
  const askedBy = (by: string, since = 0) =>
    new Set(world.requests.filter((one) => one.by === by && one.at > since).map(({ url }) => url)).size
  const a = await start('a')
  const b = await start('b')
  ends.push(() => b.stop())
  await until(() => askedBy('a') > 0 && askedBy('b') > 0 && askedBy('a') + askedBy('b') >= world.urls.length)
  a.kill()
  await until(() => askedBy('b', systemClock.now() - MINUTE_MS) === world.urls.length)
  // Everything is published by now, or soon; who is asked for the second time was stored before.
  await until(() => world.publishedBy(0, systemClock.now()) === ITEMS)
  const publishedAt = systemClock.now() + SECOND_MS
  const isAskedTwice = (url: string) =>
    world.requests.filter((one) => one.url === url && one.at > publishedAt).length > 1
  await until(() => world.urls.every(isAskedTwice))
  await b.stop()
  expect(world.crowded).toEqual([])
  const seqs = (await buffer.read('reader', 10_000)).map(({ item }) => item.seq)
  expect(seqs).toHaveLength(world.urls.length * ITEMS)
  expect(new Set(seqs).size).toBe(seqs.length)
  for (const { source } of added) expect(await store.itemCount(source.id)).toBe(ITEMS)
})
