import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { CliContext } from '../src/cli/context.ts'
import { runCli } from '../src/cli/program.ts'
import { DAY_MS, HOUR_MS } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { analyzeCommand, labCommand } from './command.ts'
import { hand, jsonOf } from './experiments/command.ts'
import type { ReportedResult } from './experiments/report.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-lab-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function world(signal = new AbortController().signal) {
  const output = { out: '', err: '' }
  const context: CliContext = {
    out: (text) => void (output.out += text),
    err: (text) => void (output.err += text),
    isTerminal: false,
    env: {},
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => new Uint8Array(),
    ask: null,
    signal,
  }
  return { output, context }
}

async function headwater(...argv: readonly string[]) {
  const { output, context } = world()
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli(argv, context, { startDemo, more: [labCommand(context), analyzeCommand(context)] })
  return { code, ...output }
}

const reported = (holds: boolean, more: object = {}, id = 'one'): ReportedResult => ({
  experiment: { id, title: 'An experiment', paper: 'thesis 4.4' },
  seeds: 2,
  result: { tables: [], series: [], claims: [{ text: 'Order is kept', holds, figures: {} }], ...more },
})

describe('headwater lab', () => {
  it('lists the experiments, for people and for programs', async () => {
    const { code, out } = await headwater('lab', 'list')
    expect(code).toBe(0)
    expect(out).toMatch(/topologies +thesis 1\.6\.2, Figure 1\.6 +How α/)
    const list = JSON.parse((await headwater('lab', 'list', '--json')).out) as { id: string }[]
    expect(list.map(({ id }) => id)).toContain('topologies')
  })

  it('runs one experiment and prints nothing but JSON with --json -', async () => {
    const { code, out, err } = await headwater('lab', 'run', 'periodic-robustness', '--seeds', '1', '--json', '-')
    const result = JSON.parse(out) as { id: string; seeds: number; claims: { holds: boolean }[] }
    expect(result).toMatchObject({ id: 'periodic-robustness', seeds: 1 })
    expect(code).toBe(result.claims.every(({ holds }) => holds) ? 0 : 1)
    if (code === 0) expect(err).toBe('')
  })

  it('writes the page and the JSON and prints the claims in words', async () => {
    const files = { html: join(folder, 'report.html'), json: join(folder, 'report.json') }
    const { output, context } = world()
    await hand([reported(true)], files, context)
    expect(output.out).toContain('✓ Order is kept')
    expect(readFileSync(files.html, 'utf8')).toContain('1 of 1 claims hold')
    expect(JSON.parse(readFileSync(files.json, 'utf8'))).toMatchObject({ id: 'one', seeds: 2 })
  })

  it('fails when a claim does not hold, after writing everything', async () => {
    const { output, context } = world()
    const html = join(folder, 'broken.html')
    await expect(hand([reported(true), reported(false, {}, 'two')], { html }, context)).rejects.toMatchObject({
      code: 'LAB_CLAIM_FAILED',
      message: expect.stringContaining('two: Order is kept'),
    })
    expect(output.out).toContain('✗ Order is kept')
    expect(readFileSync(html, 'utf8')).toContain('1 of 2 claims hold')
  })

  it("prints an experiment's own shape alone, several by their ids", () => {
    const rows = { rows: [{ strategy: 'uniform', b: 10 }] }
    expect(jsonOf([reported(true, { json: rows })])).toEqual(rows)
    expect(jsonOf([reported(true, { json: rows }, 'table-4.1'), reported(true)])).toMatchObject({
      'table-4.1': rows,
      one: { id: 'one' },
    })
  })

  it.each([
    [['lab', 'run', 'topologiez'], 2, 'did you mean topologies?'],
    [['lab', 'run'], 2, "missing required argument 'name'"],
    [['lab', 'run', 'topologies', '--seeds', '0'], 2, 'whole number above 0'],
    [['lab', 'run', 'topologies', '--html', '/no/such/folder/x.html'], 1, 'FILE_UNWRITABLE'],
    [['analyze'], 2, 'either a trace file or --data'],
    [['analyze', 'no-such-trace.csv'], 1, 'FILE_UNREADABLE'],
    [['analyze', 'trace.csv', '--mask-hours', '22,24'], 2, 'hours from 0 to 23'],
  ])('%s exits with %i and says what to do', async (argv, expected, words) => {
    const { code, err } = await headwater(...argv)
    expect(err).toContain(words)
    expect(code).toBe(expected)
  })

  it('says that it was stopped, not that something broke', async () => {
    const stopping = new AbortController()
    stopping.abort()
    const { output, context } = world(stopping.signal)
    const code = await runCli(['lab', 'run', 'topologies'], context, {
      startDemo: () => Promise.reject(new Error('no demo here')),
      more: [labCommand(context)],
    })
    expect([code, output.err]).toEqual([1, expect.stringContaining('INTERRUPTED')])
  })
})

describe('headwater lab compare', () => {
  const trace = join(folder, 'compared.csv')
  const start = Date.UTC(2026, 0, 5)
  const random = seededRandom(4)
  const lines = Array.from(
    { length: 600 },
    () => `${random() < 0.8 ? 'busy' : 'rare'},${Math.floor(start / 1_000 + random() * 20 * 86_400)}`,
  )
  writeFileSync(trace, `source_id,timestamp\n${lines.join('\n')}\n`)
  const copyPath = join(folder, 'kept')
  const few = [
    'lab',
    'compare',
    '--trace',
    trace,
    '--per-day',
    '4',
    '--policies',
    'uniform,clairvoyant',
    '--results',
    copyPath,
  ]

  it('compares policies as JSON and as a page', async () => {
    const html = join(folder, 'compare.html')
    const { code, out, err } = await headwater(...few, '--json', '--html', html)
    expect([code, err]).toEqual([0, ''])
    const { sources, items, budgets } = JSON.parse(out)
    expect([sources, items, budgets.length, budgets[0].perDay]).toEqual([2, 600, 1, 4])
    const [uniform, limit] = budgets[0].policies
    expect([uniform.policy, limit.policy]).toEqual(['uniform', 'clairvoyant'])
    expect(limit.meanDelayMinutes).toBeLessThan(uniform.meanDelayMinutes)
    expect(readFileSync(html, 'utf8')).toContain('clairvoyant')
  })

  it('keeps what it measured, and shows that much without running anything', async () => {
    const file = join(folder, 'compare.json')
    const before = await headwater(...few, '--per-day', '7', '--finished', '--json')
    expect(JSON.parse(before.out).run.missing).toBe(2)
    expect((await headwater(...few, '--per-day', '7', '--json', file)).out).toMatch(/uniform +\d+/)
    const after = await headwater(...few, '--per-day', '7', '--finished', '--json')
    expect(JSON.parse(after.out)).toEqual(JSON.parse(readFileSync(file, 'utf8')))
    const forgotten = await headwater(...few, '--per-day', '7', '--finished', '--no-results', '--json')
    expect(JSON.parse(forgotten.out).run.missing).toBe(2)
  })

  it('says before a long run that a file cannot be written', async () => {
    const { code, err } = await headwater(...few, '--json', join(folder, 'nowhere', 'compare.json'))
    expect([code, err]).toEqual([1, expect.stringContaining('FILE_UNWRITABLE')])
  })

  it('prints a table for people', async () => {
    const { code, out } = await headwater(...few)
    expect(code).toBe(0)
    expect(out).toMatch(/uniform +\d+/)
  })

  it.each([
    [['--policies', 'uniform,bogus'], 'no policy bogus'],
    [['--per-day', '4,-1'], 'numbers above 0'],
    [['--window', '0'], 'whole number above 0'],
    [['--most-requests', 'many'], 'whole number above 0'],
  ])('%s is wrong usage', async (wrong, words) => {
    const { code, err } = await headwater(...few, ...wrong)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })
})

describe('headwater analyze', () => {
  const trace = join(folder, 'trace.csv')
  const start = Date.UTC(2026, 0, 5)
  const lines = Array.from({ length: 40 * 24 }, (_, k) => `a,${(start + k * HOUR_MS) / 1_000}`)
  const rare = Array.from({ length: 40 }, (_, k) => `b,${(start + k * DAY_MS) / 1_000}`)
  writeFileSync(trace, `source_id,timestamp\n${[...lines, ...rare].join('\n')}\n`)

  it('prints tables, JSON and a page for a trace', async () => {
    const html = join(folder, 'collection.html')
    const words = await headwater('analyze', trace)
    expect([words.code, words.err]).toEqual([0, ''])
    expect(words.out.length).toBeGreaterThan(200)
    const { out } = await headwater('analyze', trace, '--mask-hours', '22,23', '--json', '--html', html)
    expect(JSON.parse(out)).toMatchObject({ clusters: expect.anything(), maskedHours: [22, 23] })
    expect(readFileSync(html, 'utf8')).toContain('<svg')
  })
})
