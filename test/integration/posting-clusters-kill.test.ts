import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { POSTING_CLUSTERS } from '../../src/crawler/shared/posting-clusters.ts'
import { DAY_MS, HOUR_MS, type InstantMs, type Observation } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { addOne, observation, record } from '../contract/store.fixture.ts'
import { freePort, headwater, type NodeProcess, startServe } from '../e2e/world-node.ts'
import { eventually } from '../support/patience.ts'

const SOURCES = 14
const DAYS = 9
const folder = mkdtempSync(join(tmpdir(), 'headwater-clusters-kill-'))
const openData = () => openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })

/** A node that has followed some sources for days: half of them publish in the morning, half in the evening. */
beforeAll(async () => {
  writeFileSync(join(folder, 'headwater.json'), JSON.stringify({ strategy: 'scc07-combined' }))
  const { store } = await openData()
  const now = systemClock.now()
  for (let index = 0; index < SOURCES; index++) {
    const source = await addOne(store, `http://127.0.0.1/${index}`, { paused: true })
    for (let day = DAYS; day >= 0; day--) {
      const at = now - day * DAY_MS
      const previousAt = day === DAYS ? null : at - DAY_MS
      const itemTimes = previousAt === null ? [] : datesOf(previousAt, at, index % 2 === 0 ? 8 : 20)
      const fields = {
        previousAt,
        itemTimes,
        newItems: itemTimes.length,
        overlap: previousAt === null ? 'first' : 'some',
      }
      const state = {
        ...source.state,
        status: 'active' as const,
        lastCheckAt: at,
        lastSuccessAt: at,
        nextCheckAt: at + DAY_MS,
      }
      const one = { ...observation(source.id, at), ...fields } as Observation
      await store.recordRefresh(record(source, { state, observation: one }))
    }
  }
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function datesOf(from: InstantMs, to: InstantMs, hour: number): InstantMs[] {
  const dates: InstantMs[] = []
  for (let at = Math.floor(from / HOUR_MS) * HOUR_MS; at < to; at += HOUR_MS / 4) {
    if (at >= from && (at / HOUR_MS) % 24 >= hour && (at / HOUR_MS) % 24 < hour + 2) dates.push(at)
  }
  return dates
}

const storedClusters = async () => {
  const { store } = await openData()
  try {
    return await store.state(POSTING_CLUSTERS)
  } finally {
    await store.close()
  }
}

async function serve(): Promise<NodeProcess> {
  const node = startServe(await freePort(), ['--data', folder])
  await node.ready()
  return node
}

it('posting clusters survive a kill -9, and are learnt once a night', async () => {
  const first = await serve()
  expect(await eventually(async () => (await storedClusters()) !== null)).toBe(true)
  await first.kill()
  const stored = (await storedClusters())!
  expect(stored.clusters.patterns).toHaveLength(13)
  // Some cluster has its morning, another its evening.
  const peaks = stored.clusters.patterns.slice(1).map((pattern) => pattern.indexOf(Math.max(...pattern)))
  expect(new Set(peaks.map((hour) => (hour < 12 ? 'morning' : 'evening')))).toEqual(new Set(['morning', 'evening']))
  const second = await serve()
  const output = headwater('source', 'show', '1', '--data', folder)
  expect(output).toMatch(/posting-clusters/)
  expect(output).toMatch(/cluster \d+ of 12/)
  await second.kill()
  // A night may have passed meanwhile; then they are those of that night.
  const isSameNight = Math.floor(systemClock.now() / DAY_MS) === Math.floor(stored.learntAt / DAY_MS)
  if (isSameNight) expect(await storedClusters()).toEqual(stored)
})
