import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openData } from '../../src/app/data/data.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { observation, record, START, settings } from '../../test/contract/store.fixture.ts'
import { labFor } from './lab.ts'

const NOW = START + 2 * DAY_MS
const clock = { now: () => NOW }
let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-lab-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const request = { strategies: ['two-steps', 'uniform'], requestsPerMinute: [0.05, 1], over: 'day' as const }

it('says what other strategies and budgets would have made of the history of a node', async () => {
  const config = loadConfig(dataDir, { minInterval: '1min' }, {})
  const { store } = await openData(config, systemClock)
  const added = await store.addSources(
    Array.from({ length: 12 }, (_, index) => settings(`http://a.example/${index}`)),
    START,
  )
  // Every hour each source had as many items as its number, half of them dated.
  for (const [index, { source }] of added.entries()) {
    for (let hour = 25; hour < 48; hour++) {
      const at = START + hour * HOUR_MS
      const previousAt = at - HOUR_MS
      const itemTimes = Array.from({ length: index >> 1 }, (_, k) => previousAt + k * 60_000)
      await store.recordRefresh(
        record(source, {
          state: { ...source.state, status: 'active', lastCheckAt: at },
          observation: observation(source.id, at, { previousAt, newItems: index, windowSize: 10, itemTimes }),
        }),
      )
    }
  }
  await store.close()
  const progress: number[] = []
  const result = await labFor(config, clock).run(request, (done) => progress.push(done))
  expect(progress).toEqual([1, 2, 3, 4])
  expect(result).toMatchObject({ sources: 12, from: NOW - DAY_MS, to: NOW })
  expect(result.points.map(({ strategy, requestsPerMinute }) => [strategy, requestsPerMinute])).toEqual([
    ['two-steps', 0.05],
    ['two-steps', 1],
    ['uniform', 0.05],
    ['uniform', 1],
  ])
  for (const [little, much] of [result.points.slice(0, 2), result.points.slice(2)]) {
    expect(much!.meanDelayMs).toBeLessThan(little!.meanDelayMs!)
    expect(little!.requests).toBeLessThanOrEqual(0.05 * 24 * 60 * 1.1 + 12)
    expect(much!.freshness).toBeGreaterThan(little!.freshness!)
    expect(much!.completeness).toBeGreaterThanOrEqual(little!.completeness!)
  }
})

it('says so where there is no history, or no such strategy', async () => {
  const config = loadConfig(dataDir, {}, {})
  const { store } = await openData(config, systemClock)
  await store.close()
  await expect(labFor(config, clock).run(request, () => {})).rejects.toMatchObject({ code: 'LAB_NO_HISTORY' })
  const wrong = { ...request, strategies: ['nonsense'] }
  await expect(labFor(config, clock).run(wrong, () => {})).rejects.toMatchObject({ code: 'USAGE' })
})
