import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { readTrace } from '../worlds/trace.ts'
import { analyze } from './analyze.ts'
import { patternClusters } from './clusters.ts'
import { parseCsv, readDescriptions } from './descriptions.ts'
import type { Analysis } from './index.ts'
import { runAnalyze } from './report.ts'
import { linearScale, logScale, shortNumber } from './scale.ts'
import { escapeText } from './svg.ts'
import { tableAsText } from './tables.ts'

const START = Date.UTC(2024, 0, 1)
let folder: string

/** Thirty feeds over eight weeks: morning people, evening people, robots. */
function traceText(): string {
  const random = seededRandom(9)
  const lines = ['source_id,timestamp']
  for (let source = 0; source < 30; source++) {
    const noon = [9, 19, 3][source % 3]!
    const times = Array.from({ length: 56 * 8 }, () => {
      const at = START + Math.floor(random() * 56) * DAY_MS + (noon + (random() - 0.5) * 5) * HOUR_MS
      return Math.floor(at / 1000)
    })
    for (const time of times.sort((a, b) => a - b)) lines.push(`s${source},${time}`)
  }
  return lines.join('\n')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-analysis-'))
  await writeFile(join(folder, 'trace.csv'), traceText())
  await writeFile(
    join(folder, 'sources.csv'),
    'source_id,url,title,category\ns0,https://x.example/f,"<b>One, two</b>",Science\n',
  )
})

afterAll(() => rm(folder, { recursive: true }))

describe('headwater analyze', () => {
  it('prints tables that fit together', async () => {
    let text = ''
    await runAnalyze({ trace: join(folder, 'trace.csv'), write: (part) => (text += part) })
    expect(text).toMatch(/sources +items/)
    expect(text).toMatch(/30 +13,440/)
    expect(text).toMatch(/moderate +from 1 +30 +100 +100/)
    expect(text).toMatch(/science +1/)
  })

  it('prints JSON for programs', async () => {
    let text = ''
    await runAnalyze({ trace: join(folder, 'trace.csv'), json: true, write: (part) => (text += part) })
    const analysis = JSON.parse(text) as Analysis & { clusters: unknown[] }
    expect(analysis.sources).toHaveLength(30)
    expect(analysis.clusters.length).toBeGreaterThan(2)
    expect(text.endsWith('\n')).toBe(true)
  })

  it('draws one page without scripts or anything from elsewhere', async () => {
    const html = join(folder, 'report.html')
    await runAnalyze({ trace: join(folder, 'trace.csv'), html, write: () => {} })
    const page = await readFile(html, 'utf8')
    expect(page).not.toMatch(/<script|src=|href=|url\(|@import/)
    expect(page.match(/<svg/g)!.length).toBeGreaterThan(10)
    expect(page).not.toContain('<b>One')
    expect(page).not.toMatch(/NaN|undefined|Infinity/)
    expect(page.match(/<figure>/g)).toHaveLength(page.match(/<\/figure>/g)!.length)
  })

  it('says what is wrong when there is no trace', async () => {
    await expect(runAnalyze({ trace: join(folder, 'none.csv'), write: () => {} })).rejects.toThrow('no trace at')
    await expect(runAnalyze({ sources: [], name: 'x', write: () => {} })).rejects.toThrow('nothing to analyze')
  })

  it('finds the three kinds of days that were put in', async () => {
    const trace = await readTrace(join(folder, 'trace.csv'))
    const clusters = patternClusters(trace.sources, { from: START, to: START + 56 * DAY_MS }, [], 3)
    const busiest = clusters.map(({ pattern }) => pattern.reduce((a, b) => (b.share > a.share ? b : a)).hour)
    expect(clusters.map(({ sources }) => sources)).toEqual([10, 10, 10])
    expect(busiest.map((hour) => Math.floor(hour / 6)).sort()).toEqual([0, 1, 3])
  })
})

const RSS_2024 = '../shared/traces/rss-2024/trace.csv.gz'

describe.skipIf(!existsSync(RSS_2024))('chapter 6 on rss-2024 (skipped where the trace is absent)', () => {
  it('shows what the thesis saw in its feeds', async () => {
    const trace = await readTrace(RSS_2024)
    const analysis = analyze(trace.sources, { maskedHours: [22, 23] })!
    // 6.2: very slow feeds are the largest class; few productive ones publish most of the items.
    expect(Math.max(...analysis.activity.map(({ sources }) => sources))).toBe(analysis.activity[0]!.sources)
    expect(analysis.itemsOfBusiest17).toBeGreaterThan(0.7)
    // 6.3: about 20 % of those above 10 items a day are periodic, about 50 % of those above 48.
    const [, above10, above48] = analysis.periodicity
    expect(above10!.periodic).toBeGreaterThan(0.1)
    expect(above10!.periodic).toBeLessThan(0.35)
    expect(above48!.periodic).toBeGreaterThan(0.35)
    // 6.4: slow feeds tend to peaks, the uniform shape to very productive ones.
    const shapes = analysis.shapes.byMajority
    const share = (index: number, shape: 'peaks' | 'uniform') => {
      const { peaks, uniform, waves } = shapes[index]!
      return shapes[index]![shape] / (peaks + uniform + waves)
    }
    expect(share(0, 'peaks')).toBeGreaterThan(share(4, 'peaks') + 0.3)
    expect(share(4, 'uniform')).toBeGreaterThan(share(0, 'uniform') + 0.2)
    // SCC07 4.1, 4.2: rates fall off as a power law, and hold from one fortnight to the next.
    expect(analysis.rates.fit!.r2).toBeGreaterThan(0.9)
    expect(analysis.stability!.next.correlation).toBeGreaterThan(0.95)
  })
})

describe('parts of the report', () => {
  it('reads CSV with quotes, commas and line breaks', () => {
    expect(parseCsv('a,"b, ""c""\nd"\r\n1,2')).toEqual([
      ['a', 'b, "c"\nd'],
      ['1', '2'],
    ])
    expect(readDescriptions('').size).toBe(0)
    expect(readDescriptions('source_id,subreddit\nr1,jokes').get('r1')).toMatchObject({ title: 'jokes', url: null })
  })

  it('aligns words left and numbers right', () => {
    const text = tableAsText({
      title: 'T',
      columns: ['name', 'n'],
      rows: [
        ['a', '10'],
        ['bb', '5'],
      ],
    })
    expect(text.split('\n')).toEqual(['T', 'name   n', 'a     10', 'bb     5'])
  })

  it('places ticks at round numbers', () => {
    expect(linearScale(0, 97, 0, 100).ticks).toEqual([0, 20, 40, 60, 80])
    expect(logScale(3, 800, 0, 100).ticks).toEqual([1, 10, 100, 1000])
    expect(logScale(1, 100, 0, 100).position(0)).toBe(0)
    expect([0, 0.05, 1234, 1e-5, 2e7].map(shortNumber)).toEqual(['0', '0.05', '1,234', '1e-5', '2e7'])
    expect(escapeText('<a & "b">')).toBe('&lt;a &amp; &quot;b&quot;&gt;')
  })
})
