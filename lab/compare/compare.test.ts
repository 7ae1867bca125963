import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { foresight } from '../../src/refresh/strategies/foresight/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { readTrace } from '../worlds/trace.ts'
import { ABLATION_IDS } from './ablations.ts'
import { calibrate } from './calibrate.ts'
import { newcomers } from './newcomers.ts'
import { POLICY_IDS } from './policies.ts'
import { runCompare } from './run.ts'
import { compareTable } from './table.ts'
import { traceWorld } from './trace-world.ts'

const START = Date.UTC(2026, 0, 5)
let folder = ''
let trace = ''

/** Twelve sources over 30 days: quiet ones, busy ones, half of them by day only. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-compare-'))
  trace = join(folder, 'trace.csv')
  const random = seededRandom(11)
  const lines = ['source_id,timestamp']
  for (let id = 0; id < 12; id++) {
    const times = poissonTimes((0.03 * 2 ** (id / 1.5)) / HOUR_MS, START, START + 30 * DAY_MS, random)
    for (const time of times) {
      const hour = (time / HOUR_MS) % 24
      if (id % 2 === 0 || (hour > 7 && hour < 19)) lines.push(`s${id},${Math.floor(time / 1000)}`)
    }
  }
  writeFileSync(trace, `${lines.join('\n')}\n`)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('lab compare', () => {
  it('shows every policy at equal requests, and none below the clairvoyant limit', async () => {
    const result = await runCompare({ traces: [trace], perDay: [3, 12], window: 20, seed: 1 })
    expect(result.sources).toBe(12)
    expect(result.budgets.map(({ perDay }) => perDay)).toEqual([3, 12])
    for (const { perDay, policies } of result.budgets) {
      expect(policies.map(({ policy }) => policy)).toEqual(POLICY_IDS)
      const limit = policies.find(({ policy }) => policy === 'clairvoyant')!.meanDelayMinutes
      const target = perDay * 12 * result.measuredDays
      for (const row of policies) {
        expect(row.meanDelayMinutes, row.policy).toBeGreaterThanOrEqual(limit)
        expect(row.maxDelayMinutes, row.policy).toBeGreaterThanOrEqual(row.p95DelayMinutes)
        expect(row.p95DelayMinutes, row.policy).toBeGreaterThanOrEqual(row.medianDelayMinutes)
        // So few sources give steps of a request or two; real traces must meet 0.5 %.
        if (row.note === undefined) expect(Math.abs(row.requests / target - 1), row.policy).toBeLessThan(0.0075)
      }
      expect(policies.filter(({ note }) => note !== undefined).length).toBeLessThan(6)
    }
    const at3 = new Map(result.budgets[0]!.policies.map((row) => [row.policy, row.meanDelayMinutes]))
    expect(at3.get('only-tau')).toBeLessThan(at3.get('uniform')!)
    expect(at3.get('scc07-combined')).toBeLessThan(at3.get('uniform')!)
  })

  it('gives the same figures for the same seed, and prints them as a table', async () => {
    const options = {
      traces: [trace],
      perDay: [4],
      window: 10,
      policies: ['uniform', 'two-steps', 'newsblur'],
      seed: 5,
    }
    const once = await runCompare(options)
    expect(await runCompare(options)).toEqual(once)
    const table = compareTable(once)
    expect(table).toMatch(/12 sources/)
    expect(table).toMatch(/two-steps +\d+/)
  })

  it('takes several windows, one comparison each', async () => {
    const result = await runCompare({ traces: [trace], perDay: [4], window: [10, 20], policies: ['uniform'], seed: 3 })
    expect(result.traces!.map(({ window }) => window)).toEqual([10, 20])
    expect(result.window).toBe(10)
  })

  it('shows our gain with its interval, by class, and what each part brings', async () => {
    const policies = ['foresight', 'scc07-combined', 'uniform']
    const result = await runCompare({ traces: [trace], perDay: [2], window: 20, policies, ablations: true, seed: 3 })
    const [budget] = result.budgets
    const over = new Map(budget!.gains!.map((row) => [row.over, row]))
    expect([...over.keys()]).toEqual(['scc07-combined', 'uniform'])
    const without = new Map(result.parts![0]!.gains!.map((row) => [row.over, row]))
    expect([...without.keys()]).toEqual(ABLATION_IDS)
    const gain = over.get('uniform')!
    expect(gain.gain).toBeGreaterThan(0)
    expect(gain.low).toBeLessThanOrEqual(gain.gain)
    expect(gain.high).toBeGreaterThanOrEqual(gain.gain)
    const mean = (id: string) => budget!.policies.find(({ policy }) => policy === id)!.meanDelayMinutes
    const lost = (id: string) => budget!.policies.find(({ policy }) => policy === id)!.lostShare
    expect(gain.moreLost!.value).toBeCloseTo(lost('foresight') - lost('uniform'), 9)
    expect(gain.gain).toBeCloseTo(1 - mean('foresight') / mean('uniform'), 9)
    // Half of the sources publish by day only: that is what hours of the week are for.
    expect(without.get('foresight-no-week')!.gain).toBeGreaterThan(0)
    const counted = budget!.classes!.filter(({ by }) => by === 'activity').reduce((sum, row) => sum + row.sources, 0)
    expect(counted).toBe(12)
    for (const { policy, learntPrice } of budget!.policies) {
      expect(Math.abs(learntPrice!.drift), policy).toBeLessThan(0.3)
      expect(learntPrice!.meanDelayMinutes, policy).toBeGreaterThan(0)
    }
  })

  it('serves sources that nobody knew soon as well as known ones, and meets a budget by itself', async () => {
    const world = traceWorld(await readTrace(trace), 20)
    const options = {
      traces: [trace],
      perDay: [6],
      window: 20,
      policies: ['foresight'],
      newcomers: 5,
      burstsMs: [HOUR_MS],
      followed: true,
    }
    const [budget] = (await runCompare(options)).budgets
    expect(budget!.newcomers!.sources).toBe(5)
    expect(budget!.breathing![0]!.requests).toBeGreaterThan(0)
    expect(budget!.followed!.map(({ policy }) => policy)).toContain('scc07-combined')
    for (const { policy, drift } of budget!.followed!) expect(Math.abs(drift), policy).toBeLessThan(0.05)
    const found = newcomers(world, foresight() as AnyPricedStrategy, 2, 100, 1)
    expect(found.sources).toBeGreaterThan(8)
    expect(found.settledRatio).toBeLessThan(1.2)
  })

  it('says which policies there are when asked for another', async () => {
    await expect(runCompare({ traces: [trace], perDay: [4], window: 20, policies: ['best'] })).rejects.toThrow(
      /two-steps/,
    )
    await expect(runCompare({ traces: [trace], perDay: [0], window: 20 })).rejects.toThrow(/per day/)
    await expect(runCompare({ traces: ['nowhere.csv'], perDay: [1], window: 20 })).rejects.toThrow(/nowhere.csv/)
  })

  it.each([
    ['no items', 'source_id,timestamp\n', /has no items/],
    [
      'less than the learning phase',
      'source_id,timestamp\na,1767571200\nb,1768000000\n',
      /spans 5.0 days; the first 14/,
    ],
  ])('says what is wrong with a trace: %s', async (_name, text, message) => {
    const path = join(folder, 'odd.csv')
    writeFileSync(path, text)
    await expect(runCompare({ traces: [path], perDay: [4], window: 20 })).rejects.toThrow(message)
  })

  it('takes a trace of one item per source, in any order', async () => {
    const path = join(folder, 'single.csv')
    const day = (k: number) => START / 1000 + k * 86_400
    writeFileSync(path, `source_id,timestamp\nc,${day(29)}\na,${day(1)}\nb,${day(20)}\n`)
    const { budgets } = await runCompare({ traces: [path], perDay: [4], window: 20 })
    for (const row of budgets[0]!.policies) {
      for (const value of [row.meanDelayMinutes, row.p95DelayMinutes, row.maxDelayMinutes, row.lostShare]) {
        expect(Number.isFinite(value), row.policy).toBe(true)
      }
    }
  })
})

describe('calibration', () => {
  it.each([
    ['requests ∝ 1/knob', (knob: number) => 1e5 / knob, 1, true],
    ['requests ∝ 1/√knob, far away', (knob: number) => 1e5 / Math.sqrt(knob), 1e-4, true],
    ['a plateau below the target', (knob: number) => Math.min(500, 1e5 / knob), 1, false],
  ])('%s', (_name, requestsAt, first, isMet) => {
    const found = calibrate(requestsAt, first, 1_000)
    expect(found.isMet).toBe(isMet)
    if (isMet) expect(Math.abs(requestsAt(found.knob) / 1_000 - 1)).toBeLessThan(0.005)
    else expect(found.requests).toBe(500)
  })
})
