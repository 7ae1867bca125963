import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { ABLATION_IDS } from './ablations.ts'
import type { CompareProgress } from './progress.ts'
import { runCompare } from './run.ts'

const START = Date.UTC(2026, 0, 5)
const SOURCES = 60
let folder = ''

/** Two traces in a folder, as the recorded ones lie: sixty sources over 20 days, exact to the second. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-sweep-'))
  for (const [seed, name] of ['rss-2024', 'another'].entries()) {
    await mkdir(join(folder, 'traces', name), { recursive: true })
    const random = seededRandom(seed + 1)
    const lines = ['source_id,timestamp']
    for (let id = 0; id < SOURCES; id++) {
      const times = poissonTimes((0.05 + id / 100) / HOUR_MS, START, START + 20 * DAY_MS, random)
      for (const time of times) lines.push(`s${id},${Math.floor(time / 1000)}`)
    }
    writeFileSync(join(folder, 'traces', name, 'trace.csv'), `${lines.join('\n')}\n`)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const traces = () => [join(folder, 'traces')]
const few = { perDay: [2], window: 20, policies: ['uniform', 'miniflux'], seed: 1 }

describe('a sweep over several traces', () => {
  it('finds the traces of a folder, and says when there is none', async () => {
    const { traces: found } = await runCompare({ ...few, traces: traces() })
    expect(found!.map(({ trace }) => trace)).toEqual([
      join(folder, 'traces', 'another', 'trace.csv'),
      join(folder, 'traces', 'rss-2024', 'trace.csv'),
    ])
    const empty = mkdtempSync(join(folder, 'empty-'))
    await expect(runCompare({ ...few, traces: [empty] })).rejects.toThrow(/no trace.csv/)
  })

  it('goes on where it was: what is measured is stored, and found again', async () => {
    const results = join(folder, 'kept')
    const reports: CompareProgress[] = []
    const options = { ...few, traces: traces(), results, onProgress: (each: CompareProgress) => reports.push(each) }
    const partial = await runCompare({ ...options, policies: ['uniform'] })
    expect(readdirSync(results)).toHaveLength(2)
    expect(reports.at(-1)).toMatchObject({ done: 2, total: 2, found: 0, running: [] })
    reports.length = 0
    const whole = await runCompare(options)
    expect(reports[0]).toMatchObject({ done: 2, total: 4, found: 2, remainingMs: null })
    expect(reports.at(-1)).toMatchObject({ done: 4, total: 4 })
    expect(whole.budgets[0]!.policies[0]).toEqual(partial.budgets[0]!.policies[0])
    reports.length = 0
    expect(await runCompare(options)).toEqual(whole)
    expect(reports).toEqual([])
    // The same without the folder: what is stored is what would be measured.
    expect(await runCompare({ ...few, traces: traces() })).toEqual(whole)
  })

  it('has the slow sources of a trace by themselves, where it has some', async () => {
    const rows = (id: string, everyHours: number) =>
      Array.from({ length: (20 * 24) / everyHours }, (_, k) => `${id},${(START + k * everyHours * HOUR_MS) / 1000}`)
    const write = (name: string, lines: readonly string[]) => {
      const path = join(folder, name)
      writeFileSync(path, `source_id,timestamp\n${lines.join('\n')}\n`)
      return path
    }
    const path = write('mixed.csv', [...rows('rare', 48), ...rows('daily', 12), ...rows('busy', 6)])
    const { traces: found = [] } = await runCompare({ ...few, traces: [path], slow: true })
    expect(found.map(({ trace, sources }) => [trace, sources])).toEqual([
      [path, 3],
      [`${path}#slow`, 1],
    ])
    const busy = await runCompare({ ...few, traces: [write('busy.csv', rows('busy', 6))], slow: true })
    expect(busy.traces).toBeUndefined()
  })

  it('has peers as they are shipped beside ours with as many requests', async () => {
    const [trace] = readdirSync(join(folder, 'traces'))
    const one = [join(folder, 'traces', trace ?? '')]
    const bounded = { policies: ['freshrss', 'miniflux', 'uniform'], mostRequests: 100 }
    const { shipped = [], budgets } = await runCompare({ ...few, ...bounded, traces: one, shipped: true })
    expect(budgets.map(({ perDay }) => perDay)).toEqual([2])
    expect(shipped.map(({ peer }) => peer)).toEqual(['miniflux', 'freshrss'])
    for (const { theirs, ours } of shipped) expect(ours.requests / theirs.requests).toBeCloseTo(1, 1)
    // Every hour, whatever a feed does.
    const hourly = shipped.find(({ peer }) => peer === 'freshrss')
    expect(hourly?.perDay).toBeCloseTo(24, 1)
    expect(hourly?.gain.gain).toBeGreaterThan(0)
  })

  it('measures again what was half written', async () => {
    const results = join(folder, 'torn')
    const whole = await runCompare({ ...few, traces: traces(), results })
    for (const name of readdirSync(results)) {
      const path = join(results, name)
      writeFileSync(path, readFileSync(path, 'utf8').slice(0, 200))
    }
    expect(await runCompare({ ...few, traces: traces(), results })).toEqual(whole)
  })

  it('reports what is there without running anything, and how much is missing', async () => {
    const results = join(folder, 'unfinished')
    await runCompare({ ...few, traces: traces(), results, policies: ['uniform'] })
    const result = await runCompare({ ...few, traces: traces(), results, perDay: [2, 5], finishedOnly: true })
    expect(result.run!.missing).toBe(6)
    expect(result.budgets.map(({ policies }) => policies.map(({ policy }) => policy))).toEqual([['uniform'], []])
  })

  it('draws sources where a run would take too many requests, and says so', async () => {
    const mostRequests = 1_000
    const result = await runCompare({ ...few, traces: traces(), perDay: [1, 5], mostRequests })
    const [once, often] = result.budgets
    expect(once!.drawnSources).toBeUndefined()
    expect(often!.drawnSources).toBe(Math.floor(mostRequests / (5 * result.measuredDays)))
    const target = 5 * often!.drawnSources! * result.measuredDays
    expect(Math.abs(often!.policies[0]!.requests / target - 1)).toBeLessThan(0.01)
    expect(result.run!.mostRequests).toBe(mostRequests)
  })

  it('runs the policies of the table at further windows, all at the main one', async () => {
    const results = join(folder, 'windows')
    // Nothing is run: what would be is seen from what is missing.
    const missingAt = async (window: readonly number[]) =>
      (await runCompare({ traces: [traces()[0]!], perDay: [2], window, results, finishedOnly: true })).run!.missing / 2
    expect(await missingAt([20])).toBe(27)
    expect(await missingAt([10, 20, 50])).toBe(27 + 2 * 15)
  })
})

describe('what a gain owes to rounded dates', () => {
  it('is measured with an exact clock by rounding, against rounded and against exact time', async () => {
    const path = join(folder, 'traces', 'another', 'trace.csv')
    const { dates } = await runCompare({
      ...few,
      traces: [path],
      policies: ['foresight'],
      mostRequests: 900,
      rounding: true,
    })
    expect(dates!.map((row) => row.dates)).toEqual([
      'recorded',
      'minute-truth',
      'minute-stated',
      'hour-truth',
      'hour-stated',
    ])
    for (const row of dates!) {
      expect(row.sources).toBe(20)
      expect(row.gains.map(({ over }) => over)).toEqual([
        'scc07-combined',
        ...ABLATION_IDS.filter((id) => id === 'foresight-no-minutes'),
      ])
    }
  })
})
