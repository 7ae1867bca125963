import { expect, it } from 'vitest'
import { explainSource } from '../../src/app/crawling/models.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { SCHEDULE } from '../../src/crawler/model-store.ts'
import { FORESIGHT_TABLES } from '../../src/crawler/shared/foresight-tables.ts'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const FEEDS = 20
const CHANGE = START + 4 * DAY_MS
const END = START + 5 * DAY_MS

it('a node that learnt with 2Steps goes on with foresight: models are learnt again, and nothing else is', async () => {
  const random = seededRandom(3)
  const sources = Array.from({ length: FEEDS }, (_, index) => {
    const times = poissonTimes((0.1 * 20 ** (index / FEEDS)) / HOUR_MS, START - 20 * DAY_MS, END, random)
    return simSource(
      index + 1,
      times.map((at) => Math.floor(at / 1000) * 1000),
      20,
    )
  })
  const clock = new VirtualClock(START)
  const data = createMemoryStore({ clock })
  const refreshes: { id: number; at: number }[] = []
  const live = (strategy: string, endMs: number) =>
    runLive({
      clock,
      data,
      fetcher: documentFetcher(sources, clock),
      urls: sources.map((_, index) => feedUrl(index)),
      endMs,
      seed: 1,
      sharedTables: true,
      flags: { strategy, budget: `${24 * FEEDS}/day` },
      onRefresh: (id, at) => refreshes.push({ id, at }),
    })
  await live('two-steps', CHANGE)
  expect((await data.store.models([1])).get(1)!.form).toMatch(/^hybrid/)
  const requestsBefore = refreshes.length
  await live('foresight', END)
  expect((await data.store.state(SCHEDULE))!.strategy).toBe('foresight')
  expect(await data.store.state(FORESIGHT_TABLES)).toMatchObject({ tables: { v: 1 } })
  const models = await data.store.models(sources.map(({ id }) => id))
  expect(models.size).toBe(sources.length)
  expect(new Set([...models.values()].map((model) => model.form.split('/')[0]))).toEqual(new Set(['foresight']))
  const reasons = await Promise.all(sources.map(async ({ id }) => (await data.store.source(id))!.state.nextCheckReason))
  expect(reasons.filter((reason) => /new items? expected by .* UTC/.test(reason!)).length).toBeGreaterThan(FEEDS / 2)
  // The earlier rates are known: a busy one is believed busy, and none is refreshed as if it were new.
  const config = loadConfig('none', {}, {})
  const perDay = async (id: number) => {
    const why = await explainSource((await data.store.source(id))!, config, data.store, clock.now())
    return Array.from(why!.belief!.intensity.ratesPerHour).reduce((sum, rate) => sum + rate, 0) / 7
  }
  expect(await perDay(FEEDS)).toBeGreaterThan(4 * (await perDay(1)))
  const lastDay = refreshes.length - requestsBefore
  expect(lastDay).toBeLessThanOrEqual(24 * FEEDS + 1)
  expect(lastDay).toBeGreaterThan(0.85 * 24 * FEEDS)
})
