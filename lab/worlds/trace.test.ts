import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld } from './server.ts'
import { readTrace, tracePlans, traceSpan } from './trace.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trace-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function traceFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return path
}

describe('readTrace', () => {
  it.each(['plain.csv', 'packed.csv.gz'])('reads sources and moments (%s)', async (name) => {
    const path = await traceFile(name, 'source_id,timestamp\na,10\na,10\na,12\nb,5\r\nü x,7')
    const trace = await readTrace(path)
    expect(trace.sources.map(({ id, times }) => [id, [...times]])).toEqual([
      ['a', [10_000, 10_000, 12_000]],
      ['b', [5_000]],
      ['ü x', [7_000]],
    ])
    expect(traceSpan(trace)).toEqual({ fromMs: 5_000, toMs: 12_000 })
  })

  it('puts scattered and unsorted lines in order', async () => {
    const trace = await readTrace(await traceFile('mixed.csv', 'source_id,timestamp\na,3\nb,1\na,2\n'))
    expect(trace.sources.map(({ id, times }) => [id, [...times]])).toEqual([
      ['a', [2_000, 3_000]],
      ['b', [1_000]],
    ])
  })

  it('reads a file larger than one piece of the stream whole', async () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `source-${Math.floor(i / 1000)},${1_700_000_000 + i}`)
    const trace = await readTrace(await traceFile('large.csv.gz', `source_id,timestamp\n${lines.join('\n')}\n`))
    expect(trace.sources).toHaveLength(200)
    expect(trace.sources.every(({ times }) => times.length === 1000)).toBe(true)
    expect(trace.sources[199]!.times[999]).toBe((1_700_000_000 + 199_999) * 1000)
  })

  it('says which file is missing', async () => {
    await expect(readTrace(join(folder, 'none.csv.gz'))).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('none.csv.gz'),
    })
  })

  it.each([
    ['a line of another form', 'source_id,timestamp\na,1\na;2\n', 'line 3'],
    ['a date in words', 'source_id,timestamp\na,yesterday\n', 'line 2'],
    ['milliseconds', 'source_id,timestamp\na,1700000000000\n', 'divided by 1000'],
    ['no trace at all', 'not a trace', 'line 1'],
  ])('says which line is wrong: %s', async (_name, text, message) => {
    await expect(readTrace(await traceFile('bad.csv', text))).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining(message),
    })
  })

  it('recognises gzip by its bytes, whatever the file is called, and says when it is cut off', async () => {
    const packed = gzipSync('source_id,timestamp\na,10\n')
    await writeFile(join(folder, 'packed.csv'), packed)
    expect((await readTrace(join(folder, 'packed.csv'))).sources).toHaveLength(1)
    await writeFile(join(folder, 'plain.csv.gz'), 'source_id,timestamp\na,10\n')
    expect((await readTrace(join(folder, 'plain.csv.gz'))).sources).toHaveLength(1)
    await writeFile(join(folder, 'cut.csv.gz'), packed.subarray(0, packed.length - 12))
    await expect(readTrace(join(folder, 'cut.csv.gz'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  })
})

describe('a trace as a world', () => {
  it('shows at each moment what the source had published by then', async () => {
    const times = Float64Array.from([1, 2, 2, 3, 50].map((second) => 1_700_000_000_000 + second * 1000))
    const plans = tracePlans({ sources: [{ id: 'a', times }] }, 3)
    const world = await startWorld({ feeds: plans, speed: 0, startAt: times[3]!, dates: 'virtual' })
    try {
      expect(world.truth(0).map((item) => item.publishedAt)).toEqual([...times.slice(1, 4)])
      world.advance(60_000)
      expect(world.truth(0).map((item) => item.publishedAt)).toEqual([...times.slice(1)])
      const body = await (await fetch(`${world.url}/feeds/0.xml`)).text()
      expect(body.match(/<pubDate>[^<]*/g)?.[0]).toBe(`<pubDate>${new Date(times[4]!).toUTCString()}`)
    } finally {
      await world.close()
    }
  })
})

const shared = fileURLToPath(new URL('../../../shared/traces/', import.meta.url))

describe.skipIf(!existsSync(shared))('the shared traces (skipped where ../shared/traces is absent)', () => {
  it.each([
    ['rss-2023', 178, 463],
    ['rss-2024', 317, 726],
    ['reddit-2013', 455, 110],
    ['github-commits-2025', 47, 241],
  ])('%s has the size its README names', async (name, sources, thousands) => {
    const trace = await readTrace(join(shared, name, 'trace.csv.gz'))
    expect(trace.sources).toHaveLength(sources)
    expect(Math.round(trace.sources.reduce((sum, { times }) => sum + times.length, 0) / 1000)).toBe(thousands)
  })
})
