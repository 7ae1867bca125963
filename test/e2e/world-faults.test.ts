import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostStats } from '../../lab/worlds/counters.ts'
import { FAULTS, type FaultName } from '../../lab/worlds/faults/fault.ts'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import type { Source } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { ERRORS } from '../../src/runtime/errors.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { eventually, freePort, type NodeProcess, sourceAt, startServe } from './world-node.ts'

const HEALTHY = 40
const FEEDS_PER_HOST = 4
const SPACING_MS = 500
const TIMEOUT_MS = 5_000
/** With the strategy `uniform` sources share the budget evenly: every one is due this often. */
const CYCLE_MS = 8_000
const RUN_MS = 4 * CYCLE_MS
// A request leaves the node and reaches the world through two busy event loops.
const MEASURING_MS = 150

/** What must stand on the source: a code, or `fine` where the fault can be mended or followed. */
const EXPECTED: Readonly<Record<FaultName, readonly (keyof typeof ERRORS | 'fine')[]>> = {
  'slow-headers': ['FETCH_TIMEOUT_TOTAL', 'FETCH_TIMEOUT_HEADERS'],
  drip: ['FETCH_TIMEOUT_TOTAL', 'FETCH_TIMEOUT_BODY'],
  stall: ['FETCH_TIMEOUT_TOTAL', 'FETCH_TIMEOUT_BODY'],
  '429': ['HTTP_TOO_MANY_REQUESTS'],
  '429-seconds': ['HTTP_TOO_MANY_REQUESTS'],
  '429-date': ['HTTP_TOO_MANY_REQUESTS'],
  '503': ['HTTP_UNAVAILABLE'],
  '503-date': ['HTTP_UNAVAILABLE'],
  '500': ['HTTP_SERVER_ERROR'],
  '403': ['HTTP_FORBIDDEN'],
  '404': ['HTTP_NOT_FOUND'],
  '410': ['HTTP_GONE'],
  '401': ['HTTP_UNAUTHORIZED'],
  truncated: ['FETCH_BROKEN'],
  'cut-xml': ['fine'],
  'gzip-bomb': ['FETCH_TOO_LARGE'],
  'bad-gzip': ['FETCH_BAD_ENCODING'],
  deep: ['fine'],
  'entity-bomb': ['fine'],
  'redirect-loop': ['FETCH_REDIRECT_LOOP'],
  'redirect-chain': ['FETCH_TOO_MANY_REDIRECTS'],
  'redirect-private': ['FETCH_ADDRESS_REFUSED'],
  'redirect-nowhere': ['FETCH_BAD_REDIRECT'],
  '301': ['fine'],
  '308': ['fine'],
  '302': ['fine'],
  'wrong-charset': ['fine'],
  endless: ['FETCH_TOO_LARGE'],
  reset: ['FETCH_BROKEN', 'FETCH_CONNECT'],
  'reset-body': ['FETCH_BROKEN'],
  empty: ['PARSE_EMPTY'],
  html: ['PARSE_NOT_A_FEED'],
  'not-http': ['FETCH_BROKEN', 'HTTP_UNEXPECTED'],
  flapping: ['HTTP_SERVER_ERROR', 'fine'],
}

const NAMES = Object.keys(FAULTS) as FaultName[]

let world: World
let folder: string
let node: NodeProcess
let sources: readonly Source[]
let hosts: Readonly<Record<string, HostStats>>
/** Longest time between two refreshes of each healthy source, the beginning and the end of the run included. */
let longestGapsMs: number[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'world-faults-'))
  world = await startWorld({ feeds: HEALTHY, feedsPerHost: FEEDS_PER_HOST, speed: 60, itemsPerDay: 500 })
  const urls = [
    ...NAMES.map((name) => world.faultUrl(name)),
    ...Array.from({ length: HEALTHY }, (_, i) => world.feedUrl(i)),
  ]
  const perMinute = Math.round((urls.length * 60_000) / CYCLE_MS)
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  await store.addSources(
    urls.map((url) => sourceAt(url)),
    systemClock.now(),
  )
  node = startServe(await freePort(), [
    ...['--data', folder, '--allow-range', 'loopback', '--budget', `${perMinute}/min`],
    ...['--host-spacing', `${SPACING_MS / 1000}s`, '--host-concurrency', '2', '--timeout', `${TIMEOUT_MS / 1000}s`],
    ...['--max-body', '4MiB', '--min-interval', '1s', '--strategy', 'uniform'],
  ])
  await node.ready()
  const startedAt = systemClock.now()
  const allTried = async () => (await store.sources()).every((source) => source.state.lastCheckAt !== null)
  expect(await eventually(allTried, 40_000)).toBe(true)
  await systemClock.sleep(Math.max(0, startedAt + RUN_MS - systemClock.now()))
  hosts = world.stats().hosts
  sources = await store.sources()
  const endedAt = systemClock.now()
  longestGapsMs = await Promise.all(
    sources.slice(NAMES.length).map(async (source) => {
      const seen = await store.observations(source.id, { limit: 1000 })
      const moments = [startedAt, ...seen.map((observation) => observation.at).reverse(), endedAt]
      return Math.max(...moments.slice(1).map((at, i) => at - moments[i]!))
    }),
  )
  expect(await node.stop()).toBe(0)
  await store.close()
}, 120_000)

afterAll(async () => {
  await node?.kill()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('each fault of the world', () => {
  it.each(NAMES)('%s leaves its code on the source', (name) => {
    const { state } = sources[NAMES.indexOf(name)]!
    const seen = state.lastError === null ? 'fine' : state.lastError.code
    expect(EXPECTED[name]).toContain(seen)
    if (seen === 'fine') expect(state.window.length).toBeGreaterThan(0)
    else expect(state.lastError!.message).not.toBe('')
  })

  it('retires what is gone and follows what has moved', () => {
    expect(sources[NAMES.indexOf('410')]!.state.status).toBe('retired')
    expect(sources[NAMES.indexOf('302')]!.url).toBe(world.faultUrl('302'))
    expect(sources[NAMES.indexOf('302')]!.state.movingTo).toBeNull()
    for (const name of ['301', '308'] as const) {
      const { url, state } = sources[NAMES.indexOf(name)]!
      expect(state.movingTo?.url ?? url).toBe(`${world.faultUrl(name)}?moved=1`)
    }
  })

  it('does not keep asking a host that wants to be left alone', () => {
    for (const name of ['429-seconds', '429-date', '429', '503', '503-date', '410'] as const) {
      expect(hosts[`fault-${name}.localhost`]?.requests).toBe(1)
    }
  })

  it('delays no other source', () => {
    for (const source of sources.slice(NAMES.length)) expect(source.state.lastError).toBeNull()
    // A cycle, the spread that the first round has, and the place in the queue of its host.
    const patienceMs = 1.5 * CYCLE_MS + FEEDS_PER_HOST * SPACING_MS
    expect(Math.max(...longestGapsMs)).toBeLessThan(patienceMs)
  })

  it('makes no host see more than its limits', () => {
    for (const [host, seen] of Object.entries(hosts)) {
      expect.soft(seen.maxConcurrent, host).toBeLessThanOrEqual(2)
      expect.soft(seen.smallestGapMs ?? SPACING_MS, host).toBeGreaterThan(SPACING_MS - MEASURING_MS)
    }
  })
})
