import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { fastClock } from '../../lab/live/fast-clock.ts'
import { LEAST_BUDGET } from '../../src/app/crawling/least-budget.ts'
import { openData } from '../../src/app/data/data.ts'
import type { RunningNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { NODE_READER } from '../../src/buffer/buffer.ts'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { addPerson } from '../support/people.ts'
import { addSource, storeItems } from '../support/publishing.ts'
import { feed, onNode, PASSWORD, type SettingsStage } from './one-node.ts'
import { row, type SettingRow } from './setting-row.ts'

type Flags = Readonly<Record<string, unknown>>

const WAIT = { timeout: 60_000, interval: 20 }
/** A minute in a tenth of a second. */
const A_MINUTE_A_TENTH = 600
/** An hour in less than half a second. */
const SPEED = 10_000

async function itemCount({ node }: SettingsStage): Promise<number> {
  return (await node.data.store.items({ scope: { kind: 'all' }, limit: 100 })).length
}

async function followSource(stage: SettingsStage): Promise<number> {
  const { id } = await addSource(stage.node.data.store, stage.siteUrl)
  await vi.waitFor(async () => expect(await itemCount(stage)).toBe(20), WAIT)
  return id
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Where a published feed and the dashboard load a picture from, and what is there. */
async function picturesOf(flags: Flags) {
  const site = await startServer((_request, response) => response.setHeader('content-type', 'text/html').end(PNG))
  return onNode(flags, async ({ node }) => {
    const { store } = node.data
    const { id } = await addSource(store, 'http://pictures.invalid/', { paused: true })
    await storeItems(store, id, [{ title: 'a', content: `<p><img src="${site.url('/a.png')}" alt="a"></p>` }])
    const { items } = JSON.parse(await (await fetch(`${node.url}/feeds/all.json`)).text())
    const src = sourceOf(items[0].content_html)
    const { cookie } = await addPerson(store, 'ann', 'member', systemClock.now())
    const [item] = await store.items({ scope: { kind: 'all' }, limit: 1 })
    const shown = JSON.parse(await (await fetch(`${node.url}/api/items/${item?.seq}`, { headers: { cookie } })).text())
    const answer = await fetch(src)
    const changed = await fetch(`${node.url}/images/${'A'.repeat(24)}/${src.split('/').at(-1)}`)
    return {
      isOwn: src.startsWith(`${node.url}/images/`),
      isShownHere: sourceOf(shown.html).startsWith('/images/'),
      changed: changed.status,
      type: answer.headers.get('content-type'),
      policy: answer.headers.get('content-security-policy'),
    }
  }).finally(() => site.close())
}

function sourceOf(html: string): string {
  return /src="([^"]+)"/.exec(html)?.[1] ?? ''
}

/** Twenty items that were first seen a month ago; what is left of them after the hourly clearing. */
async function leftAfterPruning(flags: Flags): Promise<{ readonly items: number; readonly observations: number }> {
  const now = systemClock.now()
  return onNode(
    { ...flags, maxInterval: '1000d', minInterval: '1000d' },
    async (stage) => {
      const { store } = stage.node.data
      const id = await followSource(stage)
      const old = await addSource(store, 'http://old.invalid/', { paused: true })
      const times = { firstSeenAt: now - 30 * DAY_MS, sortAt: now - 30 * DAY_MS }
      await storeItems(
        store,
        old.id,
        Array.from({ length: 20 }, (_, k) => ({
          ...times,
          id: `old ${k}`,
          title: `old ${k}`,
          key: keyOf(k),
        })),
      )
      const prune = vi.spyOn(store, 'prune')
      await vi.waitFor(
        () => expect(prune.mock.settledResults.filter(({ type }) => type === 'fulfilled').length).toBeGreaterThan(2),
        WAIT,
      )
      const [observations, items] = await Promise.all([
        store.observations(id, { limit: 10 }),
        store.items({ scope: { kind: 'source', sourceId: old.id }, limit: 100 }),
      ])
      return { items: items.length, observations: observations.length }
    },
    fastClock(now, SPEED),
  )
}

function keyOf(k: number): string {
  return `${k}`.padStart(32, '0')
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const PORTS = [await freePort(), await freePort()] as const

/** What a running node shows. */
export const NODE_ROWS: readonly SettingRow[] = [
  row('host', {
    values: ['127.0.0.1', '127.0.0.2'],
    effect: (flags) => onNode(flags, async ({ node }) => (await fetch(node.url)).url),
    shows: (first, second) => {
      expect(first).toContain('//127.0.0.1:')
      expect(second).toContain('//127.0.0.2:')
    },
  }),
  row('port', {
    values: PORTS,
    effect: (flags) => onNode(flags, async ({ node }) => Number(new URL((await fetch(node.url)).url).port)),
    shows: (first, second) => expect([first, second]).toEqual(PORTS),
  }),
  row('publicUrl', {
    values: [undefined, 'https://news.example.org/'],
    effect: (flags) =>
      onNode(flags, async ({ node }) => {
        const text = await (await fetch(`http://127.0.0.1:${node.port}/feeds/all.json`)).text()
        return JSON.parse(text).feed_url as string
      }),
    shows: (own, custom) => {
      expect(own).toContain('http://127.0.0.1:')
      expect(custom).toContain('https://news.example.org/')
    },
  }),
  row('feedItems', {
    values: [3, 12],
    effect: (flags) =>
      onNode(flags, async (stage) => {
        await followSource(stage)
        return JSON.parse(await (await fetch(`${stage.node.url}/feeds/all.json`)).text()).items.length as number
      }),
    shows: (few, more) => expect([few, more]).toEqual([3, 12]),
  }),
  row('imageProxy', {
    values: [false, true],
    effect: picturesOf,
    shows: (from, through) => {
      expect(from).toEqual({ isOwn: false, isShownHere: false, changed: 404, type: 'text/html', policy: null })
      expect(through).toEqual({
        isOwn: true,
        isShownHere: true,
        changed: 404,
        type: 'image/png',
        policy: "default-src 'none'; sandbox",
      })
    },
  }),
  row('archiveShare', {
    values: [0.1, 0.7],
    effect: (flags) =>
      onNode(flags, async (stage) => {
        const { store } = stage.node.data
        const read = await addSource(store, stage.siteUrl)
        const unread = await addSource(store, 'http://nobody.invalid/', { paused: true })
        await store.recordFeedReads([{ feed: `/feeds/source/${read.id}`, at: systemClock.now() }])
        return importanceOf(stage.node, unread.id)
      }),
    shows: (little, much) => expect([little, much]).toEqual([0.1, 0.7]),
  }),
  row('readerWeight', {
    values: ['logarithm', 'linear'],
    effect: (flags) =>
      onNode(
        flags,
        (stage) => importanceFetchedBy(stage, ['Reader a', 'Reader b', 'Reader c', 'Reader d']),
        fastClock(systemClock.now(), A_MINUTE_A_TENTH),
      ),
    shows: (logarithm, linear) => expect([logarithm, linear]).toEqual([3, 4]),
  }),
  row('believeSubscribers', {
    values: [0, 50],
    effect: (flags) =>
      onNode(
        { readerWeight: 'linear', ...flags },
        (stage) => importanceFetchedBy(stage, ['Feedly/1.0 (123 subscribers)', 'Other (999 subscribers)', 'Reader']),
        fastClock(systemClock.now(), A_MINUTE_A_TENTH),
      ),
    // All of them come from one address: it says so once.
    shows: (none, fifty) => expect([none, fifty]).toEqual([3, 52]),
  }),
  row('maxData', {
    values: [undefined, '100kB'],
    effect: (flags) =>
      onNode(flags, async (stage) => {
        await addSource(stage.node.data.store, stage.siteUrl)
        const look = async () => ({
          items: await itemCount(stage),
          alarms: JSON.parse(await (await fetch(`${stage.node.url}/api/health`)).text()).alarms as { code: string }[],
        })
        return vi.waitFor(async () => {
          const { items, alarms } = await look()
          const isPaused = alarms.some(({ code }) => code === 'DATA_LIMIT_REACHED')
          expect(items > 0 || isPaused).toBe(true)
          return { items, isPaused }
        }, WAIT)
      }),
    shows: (free, limited) => {
      expect(free).toEqual({ items: 20, isPaused: false })
      expect(limited).toEqual({ items: 0, isPaused: true })
    },
  }),
  row('quality', {
    values: [undefined, 'delay<15min'],
    effect: (flags) =>
      onNode(
        flags,
        async (stage) => {
          await followSource(stage)
          const { store } = stage.node.data
          await stage.clock.sleep(HOUR_MS)
          if (flags.quality !== undefined)
            await vi.waitFor(async () => expect(await store.state(LEAST_BUDGET)).not.toBeNull(), WAIT)
          return store.state(LEAST_BUDGET)
        },
        fastClock(systemClock.now(), SPEED),
      ),
    shows: (none, wish) => {
      expect(none).toBeNull()
      expect(wish?.wish).toEqual({ meanDelayMs: HOUR_MS / 4 })
    },
  }),
  row('keepFor', {
    values: [undefined, '20d'],
    effect: async (flags) => (await leftAfterPruning(flags)).items,
    shows: (forEver, twentyDays) => expect([forEver, twentyDays]).toEqual([20, 0]),
  }),
  row('keepItems', {
    values: [undefined, 5],
    effect: async (flags) => (await leftAfterPruning(flags)).items,
    shows: (all, five) => expect([all, five]).toEqual([20, 5]),
  }),
  row('keepObservationsFor', {
    values: ['400d', '30min'],
    effect: async (flags) => (await leftAfterPruning(flags)).observations,
    shows: (long, short) => expect([long, short]).toEqual([1, 0]),
  }),
  row('bufferCapacity', {
    values: [5, 1_000],
    effect: async (flags) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'headwater-setting-'))
      const { store, buffer } = await openData(loadConfig(dataDir, flags, {}), systemClock)
      try {
        await buffer.register('slow', { from: 'start', ...NODE_READER })
        const { id } = await addSource(store, 'http://a.invalid/')
        const items = Array.from({ length: 10 }, (_, k) => ({ id: `${k}`, key: keyOf(k) }))
        await storeItems(store, id, items)
        const gaveUp = new AbortController()
        const waiting = buffer.waitForRoom(gaveUp.signal).then(() => !gaveUp.signal.aborted)
        setTimeout(() => gaveUp.abort(), 500)
        return await waiting
      } finally {
        await store.close()
        rmSync(dataDir, { recursive: true, force: true })
      }
    },
    shows: (five, many) => expect([five, many]).toEqual([false, true]),
  }),
  row('keyFile', {
    values: [undefined, 'elsewhere.key'],
    effect: async (flags) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'headwater-setting-'))
      const keyFile = flags.keyFile === undefined ? {} : { keyFile: join(dataDir, String(flags.keyFile)) }
      const { store } = await openData(loadConfig(dataDir, keyFile, {}), systemClock)
      try {
        await addSource(store, 'http://a.invalid/', { basicAuth: { user: 'me', password: 'secret' } })
        return readdirSync(dataDir).filter((name) => name.endsWith('.key'))
      } finally {
        await store.close()
        rmSync(dataDir, { recursive: true, force: true })
      }
    },
    shows: (beside, elsewhere) => expect([beside, elsewhere]).toEqual([['headwater.key'], ['elsewhere.key']]),
  }),
  row('checkEvery', {
    values: ['1000d', '2h'],
    effect: (flags) =>
      onNode(
        flags,
        async ({ node, clock }) => {
          const checks = new Set<number>()
          const look = async () => {
            const { database } = JSON.parse(await (await fetch(`${node.url}/api/health`)).text())
            if (database.checkedAt !== null) checks.add(database.checkedAt)
            return checks.size
          }
          await vi.waitFor(async () => expect(await look()).toBe(1), WAIT)
          if (flags.checkEvery === '2h') await vi.waitFor(async () => expect(await look()).toBeGreaterThan(1), WAIT)
          else await clock.sleep(6 * HOUR_MS)
          return look()
        },
        fastClock(systemClock.now(), SPEED),
      ),
    shows: (rarely, often) => {
      expect(rarely).toBe(1)
      expect(often).toBeGreaterThan(1)
    },
  }),
  row('logLevel', {
    values: ['silent', 'debug'],
    effect: loggedByProcess,
    shows: (silent, debug) => {
      expect(silent).toBe('')
      expect(debug).toContain('"level":20')
    },
  }),
]

async function importanceOf(node: RunningNode, id: number): Promise<number> {
  const headers = { 'x-headwater': '1', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'owner', password: PASSWORD })
  const logIn = await fetch(`${node.url}/api/session`, { method: 'POST', headers, body })
  const cookie = logIn.headers.get('set-cookie')!.split(';')[0]!
  const answer = await fetch(`${node.url}/api/sources/${id}`, { headers: { ...headers, cookie } })
  return ((await answer.json()) as { importance: number }).importance
}

/** What `headwater serve` writes to standard error until a source of its has failed. */
async function loggedByProcess(flags: Flags): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-setting-'))
  let requests = 0
  const site = await startServer((_request, response) =>
    (requests++ === 0 ? response : response.writeHead(500)).end(feed()),
  )
  const command = join(import.meta.dirname, '../../dist/bin/headwater.js')
  const environment = {
    HEADWATER_LOG_LEVEL: String(flags.logLevel),
    HEADWATER_PORT: '0',
    HEADWATER_ALLOW_RANGE: 'loopback',
  }
  const env = { ...process.env, ...environment }
  try {
    await new Promise((resolve) =>
      execFile(process.execPath, [command, 'source', 'add', site.url('/feed'), '--data', dataDir], { env }, resolve),
    )
    const before = requests
    return await new Promise((resolve) => {
      const child = execFile(process.execPath, [command, 'serve', '--data', dataDir], { env }, (_error, _out, err) =>
        resolve(err),
      )
      const isRequested = () => expect(requests).toBeGreaterThan(before)
      void vi
        .waitFor(isRequested, WAIT)
        .then(() => systemClock.sleep(1_000))
        .catch(() => {})
        .then(() => child.kill('SIGTERM'))
    })
  } finally {
    await site.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A feed of one source, fetched once by each of these programs; what the source weighs once that was noted. */
async function importanceFetchedBy(stage: SettingsStage, programs: readonly string[]): Promise<number> {
  const { node } = stage
  const { id } = await addSource(node.data.store, stage.siteUrl)
  for (const program of programs) {
    const answer = await fetch(`${node.url}/feeds/source/${id}.rss`, { headers: { 'user-agent': program } })
    expect(answer.status).toBe(200)
  }
  const hasAllFetches = async () => (await node.data.store.fetches()).length === programs.length
  expect(await eventually(hasAllFetches)).toBe(true)
  return importanceOf(node, id)
}
