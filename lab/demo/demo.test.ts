import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BESIDE_POLLING } from '../../src/api/beside-polling.ts'
import { DATABASE_FILE, openData } from '../../src/app/data/data.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { measureQuality } from '../../src/quality/live.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { PATIENCE_MS } from '../../test/support/patience.ts'
import { startDemoWorld } from '../worlds/demo.ts'
import { comparePolling } from './beside-polling.ts'
import { startDemoForServe } from './demo-for-serve.ts'
import { demoSources } from './demo-sources.ts'
import { demoFeeds, live } from './past.ts'
import { moveSnapshot } from './snapshot.ts'

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-demo-'))
  await live((clock) => openData(config(), clock), demoSources(PORT), STRETCH, PORT)
}, PATIENCE_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FROM = Date.UTC(2030, 3, 1)
const TO = FROM + DAY_MS
const PORT = 8099

const STRETCH = { from: FROM, to: TO, shiftMs: 0, troubleUntil: TO }
const config = () => loadConfig(folder, {}, {})

it('knows what polling would have got for the same requests, of the same publications', async () => {
  const { store } = await openData(config(), systemClock)
  const feeds = demoFeeds(systemClock, STRETCH, PORT)
  await comparePolling(store, { feeds, from: FROM, to: TO, shiftMs: 0 })
  const found = await store.state(BESIDE_POLLING)
  await store.close()
  const published = feeds
    .filter(({ feed }) => feed.plan.fault === null)
    .reduce((sum, { feed }) => sum + [...feed.source.between(FROM, TO)].length, 0)
  expect(found?.polling.items).toBeGreaterThan(0)
  expect((found?.polling.items ?? 0) + (found?.polling.lost ?? 0)).toBe(published)
  expect(found?.everyMs).toBeGreaterThan(HOUR_MS)
  // Whoever looks every T is T/2 late.
  expect(found?.polling.meanDelayMs).toBeGreaterThan(0.4 * (found?.everyMs ?? 0))
  expect(found?.polling.meanDelayMs).toBeLessThan(0.6 * (found?.everyMs ?? 0))
})

it('a past made by the real pipeline: all in place after it is moved by some days', async () => {
  const open = async () => openData(config(), systemClock)
  const before = await open()
  const state = async ({ store }: Awaited<ReturnType<typeof open>>, by: number) => {
    const sources = await store.sources()
    const items = await store.itemsAfter(0, 100_000)
    const observations = await store.observations(1, { since: 0, limit: 10_000 })
    const tally = measureQuality(await store.quality({ kind: 'node' }, FROM + by, TO + by))
    const times = [
      ...sources.flatMap(({ addedAt, state: { lastCheckAt, nextCheckAt } }) => [addedAt, lastCheckAt, nextCheckAt]),
      ...sources.flatMap(({ state: { window } }) => window.map(({ published }) => published)),
      ...items.flatMap(({ published, firstSeenAt }) => [published, firstSeenAt]),
      ...observations.flatMap(({ at, previousAt, itemTimes }) => [at, previousAt, ...itemTimes]),
    ].map((at) => (at === null ? null : at - by))
    await store.close()
    return { times, tally, titles: items.map(({ title }) => title), urls: sources.map(({ url }) => url) }
  }
  const first = await state(before, 0)
  expect(first.titles.length).toBeGreaterThan(300)
  expect(first.tally.requests).toBeGreaterThan(300)

  const by = 10 * DAY_MS
  moveSnapshot(join(folder, DATABASE_FILE), by, { from: PORT, to: 9_000 })
  const moved = await state(await open(), by)
  expect(moved).toEqual({ ...first, urls: first.urls.map((url) => url.replace(':8099/', ':9000/')) })
})

it('two demos live beside each other, each with a world of its own', async () => {
  const context = { clock: systemClock, out: () => {} }
  const demo = await startDemoForServe(context, { ...config(), store: 'memory:' })
  const second = await startDemoForServe(context, { ...config(), store: 'memory:' })
  const count = demo.sources.length
  expect(count).toBeGreaterThanOrEqual(55)
  expect(new Set([...demo.sources, ...second.sources].map(({ url }) => url)).size).toBe(2 * count)
  await Promise.all([demo.close(), second.close()])
})

it('its pictures are drawn and its sounds are made by the world itself', async () => {
  const world = await startDemoWorld(systemClock)
  const get = async (path: string) => {
    const request = httpGet({ host: '127.0.0.1', port: world.port, path, headers: { host: 'feed-0.localhost' } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { type: response.headers['content-type'], body: await buffer(response) }
  }
  const picture = await get('/images/a1.svg')
  expect(picture.type).toBe('image/svg+xml')
  expect(String(picture.body)).toMatch(/^<svg .*<\/svg>$/s)
  expect((await get('/media/a1.wav')).body.subarray(0, 4).toString()).toBe('RIFF')
  await world.close()
})
