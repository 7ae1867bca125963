import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer as bodyOf } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedData, openData } from '../../src/app/data/data.ts'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { applyQueries } from '../../src/app/queries/apply.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type Failures, failingData } from '../support/failing-data.ts'
import { fastClock } from '../support/fast-clock.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'

const SOURCES = 4
/** Verbs that the layers of a working node use; each must have failed at least twice. */
const VERBS = [
  ...['scheduleChanges', 'takeRefreshRequests', 'source', 'knownItems', 'recordRefresh', 'waitForRoom', 'feedReads'],
  ...['saveModels', 'saveState', 'recordFetches', 'prune'],
  ...['register', 'read', 'acknowledge', 'waitForEntries'],
  ...['queryRevision', 'queryFeeds', 'publish'],
  ...['subscriptions', 'publicationState', 'publicationsAfter', 'recordDelivery', 'requeuedDeadLetters'],
]

let dataDir: string
let site: LocalServer
let receiver: LocalServer
let node: RunningNode | null = null
let real: OpenedData
let failures: Failures
/** Titles that each source has published so far. */
let published: string[][]
let isPublishing: boolean
const delivered: string[] = []
const unhandled: unknown[] = []
const noteUnhandled = (error: unknown) => void unhandled.push(error)

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-failing-'))
  published = Array.from({ length: SOURCES }, () => [])
  isPublishing = true
  process.on('unhandledRejection', noteUnhandled)
  site = await startServer((request, response) => {
    const source = Number(request.url!.slice(1))
    const titles = published[source]!
    if (isPublishing) titles.push(`s${source}-${titles.length}`)
    const items = titles.slice(-200).map((title) => `<item><title>${title}</title><guid>${title}</guid></item>`)
    response.end(`<rss version="2.0"><channel><title>S</title>${items.join('')}</channel></rss>`)
  })
  receiver = await startServer(async (request, response) => {
    const text = (await bodyOf(request)).toString()
    delivered.push(...[...text.matchAll(/"title":\s*"(s\d+-\d+)"/g)].map(([, title]) => title!))
    response.end()
  })
})

afterEach(async () => {
  process.off('unhandledRejection', noteUnhandled)
  await node?.stop()
  await Promise.all([site.close(), receiver.close()])
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  const flags = {
    port: 0,
    allowRange: 'loopback',
    budget: '600/min',
    minInterval: '60s',
    maxInterval: '5min',
    hostSpacing: 0,
    // Of a clock that runs 300 times as fast.
    timeout: '10h',
    webhookTimeout: '10h',
  }
  const random = seededRandom(7)
  node = await startNode(
    loadConfig(dataDir, flags, {}),
    { clock: fastClock(300), random, logger: silentLogger },
    {
      async open(...args) {
        real = await openData(...args)
        const failing = failingData(real, { first: 2, share: 0.05, random: seededRandom(8) })
        failures = failing.failures
        return failing.data
      },
    },
  )
}

async function setUp(): Promise<void> {
  await applyQueries('CREATE FEED every AS RETURN ALL;', real.store, { now: Date.now() })
  const output = { kind: 'webhook', url: receiver.url('/hook') } as const
  const change = { kind: 'subscribe', feed: 'every', output, everyMs: null, secret: 'whsec_c2VjcmV0' } as const
  await real.store.changeQueries([change], await real.store.queryRevision(), Date.now())
  // Last: what is stored before there is a subscription is not sent to it.
  const settings = published.map((_, source) => withSourceDefaults({ url: site.url(`/${source}`) }))
  await real.store.addSources(settings, Date.now())
}

const readiness = async () => {
  const answer = await fetch(`${node!.url}/api/health`)
  return { httpStatus: answer.status, ...((await answer.json()) as { status: string; alarms: { code: string }[] }) }
}
const storedTitles = async () => {
  const items = await real.store.items({ scope: { kind: 'all' }, limit: 100_000 })
  return items.map(({ title }) => title!).sort()
}
const publishedTitles = async () => {
  const { id } = (await real.store.queryFeed('every'))!
  const entries = await real.store.publicationsAfter(id, { after: 0, limit: 100_000, withHistory: true })
  return entries.map(({ item }) => item.title!).sort()
}

describe('a node whose store fails at every verb of every layer', () => {
  it('goes on, reports it, loses and doubles nothing, and is well when the store is', async () => {
    await start()
    await setUp()
    const patience = { timeout: 120_000, interval: 100 }
    await expect.poll(async () => (await storedTitles()).length, patience).toBeGreaterThan(SOURCES)

    failures.isOn = true
    const seen = new Set<string>()
    const failing = () => VERBS.filter((verb) => (failures.counts.get(verb) ?? 0) < 2)
    await expect
      .poll(async () => {
        // Somebody reads feeds all the while; what is fetched is noted by one of the layers.
        await fetch(`${node!.url}/feeds/all.rss`).then((answer) => answer.arrayBuffer())
        const alive = await fetch(`${node!.url}/health`)
        expect(alive.status).toBe(200)
        for (const { code } of (await readiness()).alarms) seen.add(code)
        return failing()
      }, patience)
      .toEqual([])
    expect(seen).toContain('LAYER_FAILING')
    failures.isOn = false

    await expect
      .poll(async () => (await readiness()).alarms.map(({ code }) => code), patience)
      .not.toContain('LAYER_FAILING')
    isPublishing = false
    const all = () => published.flat().sort()
    await expect.poll(storedTitles, patience).toEqual(all())
    await expect.poll(publishedTitles, patience).toEqual(all())
    // A message whose receipt could not be noted is sent again with the same id; none is missing.
    await expect.poll(() => [...new Set(delivered)].sort(), patience).toEqual(all())
    expect(unhandled).toEqual([])
    const metrics = await (await fetch(`${node!.url}/metrics`)).text()
    expect(metrics).toMatch(/headwater_layer_failures_total\{layer="crawler"\} [1-9]/)
    expect(metrics).toMatch(/headwater_layer_failures_total\{layer="models"\} [1-9]/)
    expect(metrics).toContain('headwater_unexpected_errors_total 0\n')
  })
})
