import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import type { SimWorld } from '../simulator/world.ts'
import { readTrace } from '../worlds/trace.ts'
import { inTheLab, type LiveRefresh } from './against-lab.ts'
import { calibratedWorld } from './calibrated-world.ts'
import { measureRefreshes } from './live-measures.ts'

const TRACE = '../shared/traces/rss-2024/trace.csv.gz'
const FEEDS = 150
const DAYS = 5
const WARM_UP_MS = 2 * DAY_MS

/** A small form of `headwater bench live`, with the scheduler of the node and without pipeline and store. */
describe.skipIf(!existsSync(TRACE))(`feeds of a trace under a budget (skipped without ${TRACE})`, () => {
  let world: SimWorld
  beforeAll(async () => {
    world = calibratedWorld(await readTrace(TRACE), { feeds: FEEDS, days: DAYS, windowSize: 20, seed: 2 })
  })
  const known = new Map<string, LiveRefresh[]>()
  /** Each is run once, whoever asks. */
  const run = (strategy: string, perDay: number, per: 'day' | 'h' = 'h') => {
    const key = `${strategy} ${perDay} ${per}`
    const refreshes = known.get(key) ?? inTheLab({ world, strategy, perDay, seed: 1, per })
    known.set(key, refreshes)
    return refreshes
  }
  const worth = (refreshes: readonly LiveRefresh[]) => measureRefreshes(world, refreshes, world.startMs + WARM_UP_MS)

  it.each(['foresight', 'two-steps'])('spend nine tenths of it or more in every hour with %s, never more', (id) => {
    const refreshes = run(id, 24)
    const perHour = new Float64Array(DAYS * 24)
    for (const [, at] of refreshes) {
      const hour = Math.floor((at - world.startMs) / HOUR_MS)
      perHour[hour] = perHour[hour]! + 1
    }
    const after = [...perHour].slice(WARM_UP_MS / HOUR_MS)
    expect(Math.min(...after)).toBeGreaterThanOrEqual(0.9 * FEEDS)
    expect(Math.max(...perHour)).toBeLessThanOrEqual(FEEDS)
    // Nor in any other sixty minutes.
    for (let from = 0, to = 0; to < refreshes.length; to++) {
      while (refreshes[to]![1] - refreshes[from]![1] >= HOUR_MS) from++
      expect(to - from + 1).toBeLessThanOrEqual(FEEDS)
    }
  })

  it('wait less where the budget is one of a day, which may be saved up over it', () => {
    const [even, saved] = (['h', 'day'] as const).map((per) => worth(run('foresight', 24, per)))
    expect(saved!.requests).toBeLessThanOrEqual(FEEDS * 24 * (DAYS - WARM_UP_MS / DAY_MS))
    expect(saved!.meanDelayMs).toBeLessThan(0.95 * even!.meanDelayMs)
  })

  it('wait less with foresight than with 2Steps, and far less than with others, at as many requests', () => {
    const [foresight, twoSteps] = ['foresight', 'two-steps'].map((id) => worth(run(id, 24)))
    expect(foresight!.requests).toBeLessThanOrEqual(twoSteps!.requests)
    expect(foresight!.meanDelayMs).toBeLessThan(0.97 * twoSteps!.meanDelayMs)
    const [uniform, miniflux] = ['uniform', 'miniflux'].map((id) => worth(run(id, 24)))
    expect(Math.abs(twoSteps!.requests / uniform!.requests - 1)).toBeLessThan(0.02)
    expect(twoSteps!.meanDelayMs).toBeLessThan(0.65 * uniform!.meanDelayMs)
    expect(twoSteps!.meanDelayMs).toBeLessThan(0.85 * miniflux!.meanDelayMs)
    const rarely = ['two-steps', 'uniform'].map((id) => worth(run(id, 4)))
    expect(rarely[0]!.completeness).toBeGreaterThan(0.95)
    expect(rarely[1]!.completeness).toBeLessThan(0.9)
  })
})
