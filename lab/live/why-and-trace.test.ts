import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CliContext } from '../../src/cli/context.ts'
import { runCli } from '../../src/cli/program.ts'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { analyzeCommand } from '../command.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { traceCommand } from '../trace.ts'
import { readTrace } from '../worlds/trace.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const END = START + 3 * DAY_MS
const folder = mkdtempSync(join(tmpdir(), 'headwater-why-'))
const clock = new VirtualClock(START)

const world: SimWorld = {
  startMs: START,
  endMs: END,
  sources: [0.3, 2, 6].map((perHour, index) => {
    const times = poissonTimes(perHour / HOUR_MS, START - 20 * DAY_MS, END, seededRandom(index))
    return simSource(
      index + 1,
      times.map((at) => Math.floor(at / 1000) * 1000),
      20,
    )
  }),
}

async function headwater(...argv: readonly string[]): Promise<string> {
  let out = ''
  const context: CliContext = {
    out: (text) => void (out += text),
    err: (text) => void (out += text),
    isTerminal: false,
    env: { HEADWATER_DATA: folder },
    clock,
    random: seededRandom(1),
    readStdin: async () => new Uint8Array(),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli(argv, context, { startDemo, more: [traceCommand(context), analyzeCommand(context)] })
  expect(`${code} ${out.slice(0, 400)}`).toMatch(/^0 /)
  return out
}

beforeAll(async () => {
  const data = await openSqliteStore({ path: join(folder, 'headwater.db'), clock })
  const fetcher = documentFetcher(world.sources, clock)
  const urls = world.sources.map((_, index) => feedUrl(index))
  await runLive({ clock, data, fetcher, urls, endMs: END, seed: 1, flags: { strategy: 'two-steps', budget: '72/day' } })
  await data.store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface ShownSource {
  readonly nextCheckAt: string
  readonly nextCheckReason: string
  readonly why: {
    readonly strategy: string
    readonly price: number
    readonly utility: number
    readonly worth: number
    readonly expected: number
    readonly windowFullAt: string
    readonly model: { name: string; ratesPerHour: number[]; using: string; alpha: number }
  }
  readonly decisions: readonly {
    readonly cause: string
    readonly price: number
    readonly expected: number | null
    readonly newItems: number
  }[]
}

describe('why a source is checked when it is', () => {
  it('is reported with model, utility, price and the last decisions', async () => {
    const json = JSON.parse(await headwater('source', 'show', '2', '--json')) as ShownSource
    expect(json.why).toMatchObject({ strategy: 'two-steps', model: { name: 'hybrid' } })
    const { model } = json.why
    const perHour = model.ratesPerHour.reduce((sum, rate) => sum + rate, 0) / model.ratesPerHour.length
    expect(perHour).toBeGreaterThan(1)
    expect(perHour).toBeLessThan(4)
    expect(['single', 'periodic']).toContain(model.using)
    expect(model.alpha).toBeGreaterThan(0)
    expect(json.why.worth).toBeCloseTo(json.why.utility / json.why.price)
    expect(json.decisions).toHaveLength(10)
    expect(json.decisions.every(({ cause }) => cause === 'worth' || cause === 'full')).toBe(true)
    expect(json.decisions.every(({ expected }) => expected! > 0)).toBe(true)
    expect(json.nextCheckReason).toMatch(/items a day/)
  })

  it('is explained in words', async () => {
    const text = await headwater('source', 'show', '3')
    expect(text).toMatch(/^strategy +two-steps at price /m)
    expect(text).toMatch(/^model +hybrid: .* items a day, using (single|periodic), alpha 0\./m)
    expect(text).toMatch(/what waited was worth the price|its window was believed full/)
  })
})

describe('what was learnt', () => {
  it('is learnt again from the stored observations', async () => {
    const before = JSON.parse(await headwater('source', 'show', '2', '--json')) as ShownSource
    expect(await headwater('source', 'relearn', '2')).toMatch(/learnt from \d\d+ refreshes/)
    const after = JSON.parse(await headwater('source', 'show', '2', '--json')) as ShownSource
    expect(after.why.model.using).toBe(before.why.model.using)
    for (const [slot, rate] of after.why.model.ratesPerHour.entries()) {
      expect(rate).toBeCloseTo(before.why.model.ratesPerHour[slot]!, 3)
    }
  })

  it('goes to the lab as a trace and comes back as a model', async () => {
    const path = join(folder, 'trace.csv.gz')
    await headwater('trace', 'export', '--output', path)
    const { sources } = await readTrace(path)
    expect(sources.map(({ id }) => id)).toEqual(['1', '2', '3'])
    // All that was shown: the first window, and everything since.
    const expected = world.sources[1]!.times.filter((at) => at > START && at < END - HOUR_MS)
    expect(sources[1]!.times.filter((at) => at > START && at < END - HOUR_MS)).toEqual(expected)
    expect(await headwater('trace', 'import', path)).toMatch(/Learnt 3 sources/)
    expect(
      (JSON.parse(await headwater('source', 'show', '3', '--json')) as ShownSource).why.model.ratesPerHour.length,
    ).toBeGreaterThan(0)
  })

  it('can be analysed as a collection', async () => {
    const text = await headwater('analyze', '--data', folder)
    expect(text).toMatch(/Window needed to lose nothing/)
  })
})
