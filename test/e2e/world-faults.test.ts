import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULTS, type FaultName } from '../../lab/worlds/faults/fault.ts'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import type { Source } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { ERRORS } from '../../src/runtime/errors.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { type HostAdmissions, recordAdmissions, smallestGapMs } from '../support/admissions.ts'
import { eventually, freePort, type NodeProcess, sourceAt, startServe } from './world-node.ts'

const HEALTHY = 40
const FEEDS_PER_HOST = 4
const SPACING_MS = 500
/** Generous: on a busy machine a fault must not look like slowness. */
const TIMEOUT_MS = 45_000
/** With the strategy `uniform` sources share the budget evenly: every one is due this often. */
const CYCLE_MS = 8_000
/** Of every healthy source. */
const REFRESHES = 4
/** Least time that a host which asks to be left alone is left alone. */
const REST_MS = 60_000

/** What the source must show: a code, or `fine` where the fault can be repaired or followed. */
const EXPECTED: Readonly<Record<FaultName, readonly (keyof typeof ERRORS | 'fine')[]>> = {
  'slow-headers': ['FETCH_TIMEOUT_TOTAL', 'FETCH_TIMEOUT_HEADERS'],
  drip: ['FETCH_TOO_SLOW', 'FETCH_TIMEOUT_TOTAL', 'FETCH_TIMEOUT_BODY'],
  stall: ['FETCH_TOO_SLOW', 'FETCH_TIMEOUT_TOTAL', 'FETCH_TIMEOUT_BODY'],
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
  // A very busy machine does not come to the limit of bytes before that of time.
  'gzip-bomb': ['FETCH_TOO_LARGE', 'FETCH_TIMEOUT_TOTAL'],
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
  endless: ['FETCH_TOO_LARGE', 'FETCH_TIMEOUT_TOTAL'],
  reset: ['FETCH_BROKEN', 'FETCH_CONNECT'],
  'reset-body': ['FETCH_BROKEN'],
  empty: ['PARSE_EMPTY'],
  html: ['PARSE_NOT_A_FEED'],
  'not-http': ['FETCH_BROKEN', 'HTTP_UNEXPECTED'],
  flapping: ['HTTP_SERVER_ERROR', 'fine'],
  hang: ['FETCH_TIMEOUT_TOTAL', 'FETCH_TIMEOUT_HEADERS', 'FETCH_TOO_SLOW'],
  pdf: ['PARSE_NOT_A_FEED', 'PARSE_EMPTY'],
}

const NAMES = Object.keys(FAULTS) as FaultName[]

let world: World
let folder: string
let node: NodeProcess
let sources: readonly Source[]
/** As the node decided. */
let hosts: Readonly<Record<string, HostAdmissions>>
/** Healthy sources in the order in which they were refreshed. */
let order: readonly number[]

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
  const flags = [
    ...['--data', folder, '--allow-range', 'loopback', '--budget', `${perMinute}/min`],
    ...['--host-spacing', `${SPACING_MS / 1000}s`, '--host-concurrency', '2', '--timeout', `${TIMEOUT_MS / 1000}s`],
    ...['--max-body', '4MiB', '--min-interval', '1s', '--strategy', 'uniform'],
  ]
  const admissionsFile = join(folder, 'admissions.json')
  node = startServe(await freePort(), flags, recordAdmissions(admissionsFile))
  await node.ready()
  const allTried = async () => (await store.sources()).every((source) => source.state.lastCheckAt !== null)
  expect(await eventually(allTried)).toBe(true)
  const healthy = (await store.sources()).slice(NAMES.length).map(({ id }) => id)
  const observationsOfHealthy = () => Promise.all(healthy.map((id) => store.observations(id, { limit: 1_000 })))
  expect(await eventually(async () => (await observationsOfHealthy()).every((each) => each.length >= REFRESHES))).toBe(
    true,
  )
  const moments = (await observationsOfHealthy()).flatMap((each, i) =>
    each.map(({ at }) => ({ at, source: healthy[i]! })),
  )
  order = moments.sort((a, b) => a.at - b.at).map(({ source }) => source)
  sources = await store.sources()
  expect(await node.stop()).toBe(0)
  await store.close()
  hosts = JSON.parse(await readFile(admissionsFile, 'utf8'))
})

afterAll(async () => {
  await node?.kill()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('each fault of the world', () => {
  it.each(NAMES)('%s leaves its code on the source', (name) => {
    const { state } = sources[NAMES.indexOf(name)]!
    const outcome = state.lastError === null ? 'fine' : state.lastError.code
    expect(EXPECTED[name]).toContain(outcome)
    if (outcome === 'fine') expect(state.window.length).toBeGreaterThan(0)
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
    const admissionsOf = (name: FaultName) => hosts[new URL(world.faultUrl(name)).host]!
    expect(admissionsOf('410').at).toHaveLength(1)
    for (const name of ['429-seconds', '429-date', '429', '503', '503-date'] as const) {
      expect.soft(smallestGapMs(admissionsOf(name)), name).toBeGreaterThanOrEqual(REST_MS)
    }
  })

  it('delays no other source', () => {
    for (const source of sources.slice(NAMES.length)) expect(source.state.lastError).toBeNull()
    // Judged by the order, not by the clock: a source that waits behind a fault until its time is over is passed by the
    // others as often as they come round meanwhile.
    const mostBetween = Math.max(...sources.slice(NAMES.length).map(({ id }) => mostPassing(order, id)))
    expect(mostBetween).toBeLessThan(Math.floor(TIMEOUT_MS / CYCLE_MS))
  })

  it('makes no host see more than its limits', () => {
    expect(Object.keys(hosts).length).toBeGreaterThan(NAMES.length)
    for (const [host, admissions] of Object.entries(hosts)) {
      expect.soft(admissions.maxConcurrent, host).toBeLessThanOrEqual(2)
      expect.soft(smallestGapMs(admissions), host).toBeGreaterThanOrEqual(SPACING_MS)
    }
  })
})

/** How often any one other source was refreshed between two refreshes of this one, its last until the end included. */
function mostPassing(all: readonly number[], id: number): number {
  let most = 0
  let counts = new Map<number, number>()
  for (const other of all) {
    if (other === id) counts = new Map()
    else counts.set(other, (counts.get(other) ?? 0) + 1)
    most = Math.max(most, ...counts.values())
  }
  return most
}
