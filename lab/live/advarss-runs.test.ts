import { describe, expect, it } from 'vitest'
import { explainSource, sourceCounts } from '../../src/app/crawling/models.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { whyLines } from '../../src/cli/commands/source-why.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { type AdvarssMemory, EXECUTION_MS, nextAdvarss, startAdvarss } from '../../src/refresh/strategies/advarss.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { type SimSource, simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const DAYS = 6
const FLAGS = { strategy: 'advarss', budget: '1000/h' }

/** From an item a minute to one in a fortnight. */
function sourcesOf(): SimSource[] {
  const random = seededRandom(3)
  return [60, 6, 1, 0.2, 0.04, 0.003].map((perHour, index) => {
    const times = poissonTimes(perHour / HOUR_MS, START - 40 * DAY_MS, START + DAYS * DAY_MS, random)
    return simSource(index + 1, times, 20)
  })
}

async function live(flags: Readonly<Record<string, unknown>> = FLAGS) {
  const clock = new VirtualClock(START)
  const memory = createMemoryStore({ clock })
  const sources = sourcesOf()
  const checks = new Map<number, InstantMs[]>(sources.map(({ id }) => [id, []]))
  await runLive({
    clock,
    data: memory,
    fetcher: documentFetcher(sources, clock),
    urls: sources.map((_, index) => feedUrl(index)),
    endMs: START + DAYS * DAY_MS,
    seed: 1,
    flags,
    onRefresh: (id, at) => void checks.get(id)!.push(at),
  })
  return { ...memory, clock, sources, checks }
}

describe('advaRSS in a node', () => {
  it('has the M, T and ToE of the lab on the same observations', async () => {
    const { store, checks, clock } = await live()
    const config = loadConfig('none', FLAGS, {})
    for (const [id, times] of checks) {
      const source = (await store.source(id))!
      const observations = (await store.observations(id, { limit: 2_000 })).toReversed()
      expect(observations.map(({ at }) => at)).toEqual(times)
      // As lab/experiments/advarss follows a feed: one rule for each check.
      let memory: AdvarssMemory = startAdvarss(0)
      for (const { at, newItems } of observations)
        memory = nextAdvarss(memory, newItems > 0, at - source.addedAt >= 3 * DAY_MS)
      const counts = (await sourceCounts(source, config, store, clock.now()))!
      expect([counts['M'], counts['T']]).toEqual([memory.m, memory.t])
      const lines = new Map(whyLines(await explainSource(source, config, store, clock.now()), clock.now()))
      expect(lines.get('strategy')).toBe('advarss')
      expect(lines.get('counts')).toMatch(/^M [\d.]+, T [\d.]+, ToE \d+$/)
      const last = times.at(-1)!
      const runs = [...new Set([...checks.values()].flat())].filter((at) => at > last).length
      expect(counts['ToE']).toBe(Math.ceil(memory.m) - runs)
    }
  })

  it('runs at random intervals of 6 to 10 minutes; a feed is checked after ⌈M⌉ of them', async () => {
    const { checks, store } = await live()
    // The busiest is checked at every run or two.
    const runs = [...new Set([...checks.values()].flat())].sort((a, b) => a - b)
    const gaps = runs.slice(1).map((at, k) => (at - runs[k]!) / MINUTE_MS)
    const single = gaps.filter((minutes) => minutes < 12)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(6)
    expect(Math.max(...single)).toBeLessThanOrEqual(10)
    expect(single.length).toBeGreaterThan(0.9 * gaps.length)
    // Uniform between 6 and 10: mean 8, deviation 4/√12.
    const mean = single.reduce((sum, minutes) => sum + minutes, 0) / single.length
    expect(mean).toBeGreaterThan(7.8)
    expect(mean).toBeLessThan(8.2)
    expect(new Set(single.map((minutes) => Math.floor(minutes))).size).toBe(4)
    const spared = checks.get(6)!.length
    expect(spared).toBeLessThan(checks.get(1)!.length / 10)
    const [model] = (await store.scheduleChanges(0)).changed
    expect(JSON.parse(new TextDecoder().decode(model!.model!.state)).intervalMs % EXECUTION_MS).toBe(0)
  })

  it('spends no more than the budget, those that waited longest first', async () => {
    const { checks } = await live({ ...FLAGS, budget: '6/h' })
    const all = [...checks.values()].flat()
    expect(all.length).toBeLessThanOrEqual(6 * 24 * DAYS + 6)
    for (const [id, times] of checks) expect(times.length, `source ${id}`).toBeGreaterThan(20)
  })
})
