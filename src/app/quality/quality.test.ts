import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addOne, observation, record } from '../../../test/contract/store.fixture.ts'
import { handClock } from '../../../test/support/publishing.ts'
import { SERVER_PARTS } from '../../../test/support/server-parts.ts'
import { createServer, type Server } from '../../api/server.ts'
import { runCli } from '../../cli/program.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Source } from '../../model/index.ts'
import { createFeedService } from '../../publisher/feeds.ts'
import { tallyOf } from '../../quality/live.ts'
import { systemRandom } from '../../runtime/random.ts'
import { openSqliteStore } from '../../store/sqlite/index.ts'
import type { Store } from '../../store/store.ts'
import { createShareReader } from '../crawling/shares.ts'
import { createAccessReader } from '../users/access.ts'
import { createQualityService } from './quality.ts'

const clock = handClock()
const now = clock.now()
let folder: string
let store: Store
let server: Server
let base: string

/** Refreshed an hour later, each time with items from ten minutes before. */
async function refreshed(source: Source, at: number, newItems: number, lost = 0) {
  const itemTimes = Array.from({ length: newItems }, () => at - 10 * MINUTE_MS)
  const loss = { items: lost, atLeast: lost - 1, atMost: lost + 2, basis: 'dates' as const }
  const refresh = observation(source.id, at, {
    previousAt: at - HOUR_MS,
    newItems,
    windowSize: 10,
    itemTimes,
    ...(lost > 0 ? { overlap: 'none', loss } : {}),
  })
  const quality = tallyOf(refresh, { requests: 1, bytes: 1_000, repaired: 0, windowSize: 10 })
  await store.recordRefresh(record(source, { observation: refresh, quality }))
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-quality-'))
  const opened = await openSqliteStore({ path: join(folder, 'headwater.db'), clock })
  store = opened.store
  const news = await addOne(store, 'http://news.example/', { categories: ['News'] })
  const other = await addOne(store, 'http://other.example/')
  await refreshed(news, now - MINUTE_MS, 4)
  await refreshed(news, now - 5 * HOUR_MS, 10, 10)
  await refreshed(other, now - 3 * DAY_MS, 2)
  await refreshed(other, now - 4 * DAY_MS, 0)
  const feeds = createFeedService({ store, clock, baseUrl: 'http://feeds.example' })
  server = createServer({
    ...SERVER_PARTS,
    ...opened,
    access: createAccessReader(store),
    feeds,
    clock,
    version: '1',
    quality: createQualityService(store, clock, null, createShareReader(store)),
  })
  base = (await server.listen({ host: '127.0.0.1', port: 0 })).url
})

afterEach(async () => {
  await server.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function get(path: string): Promise<{ status: number; body: Record<string, never>; text: string }> {
  const { statusCode, body } = await request(`${base}${path}`)
  const text = await body.text()
  return { status: statusCode, text, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

describe('GET /api/quality', () => {
  it.each([
    ['', { scope: 'node', over: 'day', items: 14, requests: 2, usefulShare: 1 }],
    ['?over=hour', { items: 4, completeness: { value: 1, estimated: false }, lost: { items: 0, estimated: false } }],
    ['?over=week', { items: 16, requests: 4, usefulShare: 0.75, bytes: 4_000 }],
    ['?scope=source:2&over=week', { items: 2, requests: 2, usefulShare: 0.5 }],
    ['?scope=source:2&over=hour', { items: 0, completeness: null, delay: null, usefulShare: null }],
    ['?scope=category:News&over=day', { completeness: { value: 14 / 24, estimated: true } }],
    ['?scope=category:News', { lost: { items: 10, atLeast: 9, atMost: 12, estimated: true }, saturatedRefreshes: 1 }],
  ])('%s', async (query, expected) => {
    const { status, body } = await get(`/api/quality${query}`)
    expect(status).toBe(200)
    expect(body).toMatchObject(expected)
  })

  it('reports delays and freshness', async () => {
    const { body } = await get('/api/quality?over=hour')
    expect(body).toMatchObject({ delay: { meanMs: 10 * MINUTE_MS, estimated: false }, freshness: { estimated: true } })
    // Four of ten items were missing for ten of sixty minutes.
    expect((body as unknown as { freshness: { value: number } }).freshness.value).toBeCloseTo(1 - (0.4 * 10) / 60, 9)
  })

  it.each([
    ['?scope=planet', 400, 'QUALITY_SCOPE'],
    ['?over=century', 400, 'QUALITY_SCOPE'],
    ['?scope=source:99', 404, 'SOURCE_NOT_FOUND'],
    ['?scope=source:news', 400, 'QUALITY_SCOPE'],
    ['?scope=category:Nothing', 400, 'QUALITY_SCOPE'],
    ['?scope=feed:nothing', 404, 'FEED_NOT_FOUND'],
  ])('%s is refused with %i %s', async (query, status, code) => {
    const answer = await get(`/api/quality${query}`)
    expect(answer).toMatchObject({ status, body: { code } })
  })
})

describe('GET /metrics', () => {
  it('counts for ever and measures lately', async () => {
    const { text, status } = await get('/metrics')
    expect(status).toBe(200)
    expect(text).toContain('\nheadwater_requests_total 4\n')
    expect(text).toContain('\nheadwater_lost_items_estimated_total 10\n')
    expect(text).toContain('\nheadwater_completeness_ratio{over="hour"} 1\n')
    expect(text).toContain('\nheadwater_item_delay_seconds_count 16\n')
  })
})

describe('a query feed', () => {
  it('has what it has published; only what it lost is estimated, of each source by what its selectivity says', async () => {
    const service = createQualityService(
      {
        quality: (scope, since, until) => store.quality(scope, since, until),
        qualities: (groups, since, until) => store.qualities(groups, since, until),
        qualityEver: () => store.qualityEver(),
        source: (id) => store.source(id),
        categories: () => store.categories(),
        queryFeed: async (name) => ({ id: 7, name, createdAt: 0 }) as never,
        publishedBetween: async () => 9,
      },
      clock,
      null,
      { ofFeed: async () => [{ feedId: 7, sourceId: 1, share: 0.5, atLeast: 0.4, atMost: 0.6, isByForm: false }] },
    )
    expect(await service.report('feed:ice', 'week')).toMatchObject({
      items: 9,
      lost: { items: 5, estimated: true },
      completeness: { value: 9 / 14, estimated: true },
      delay: { estimated: true },
    })
  })
})

describe('headwater quality', () => {
  const run = async (...words: string[]) => {
    let out = ''
    let err = ''
    const context = {
      out: (text: string) => void (out += text),
      err: (text: string) => void (err += text),
      isTerminal: false,
      env: {},
      clock,
      random: systemRandom,
      readStdin: async () => new Uint8Array(),
      ask: null,
      signal: new AbortController().signal,
    }
    const code = await runCli(['quality', '--data', folder, ...words], context, {
      startDemo: () => Promise.reject(new Error('no demo')),
      more: [],
    })
    return { code, out, err }
  }

  it('shows hour, day and week beside each other, with what is estimated marked', async () => {
    const { code, out } = await run()
    expect(code).toBe(0)
    expect(out).toMatch(/LAST HOUR\s+LAST DAY\s+LAST WEEK/)
    expect(out).toMatch(/completeness\s+100\.0 %\s+≈ 58\.3 %\s+≈ 61\.5 %/)
    expect(out).toMatch(/items lost\s+0\s+≈ 10 \(9 to 12\)/)
  })

  it('prints reports as JSON for programs', async () => {
    const { out } = await run('--source', '2', '--over', 'week', '--json')
    const [report] = JSON.parse(out) as [{ scope: string; items: number; from: string }]
    expect(report).toMatchObject({ scope: 'source:2', items: 2 })
    expect(Number.isNaN(Date.parse(report.from))).toBe(false)
  })

  it.each([
    [['--source', '1', '--category', 'News'], 2, 'USAGE'],
    [['--over', 'century'], 2, 'Allowed choices'],
    [['--category', 'Nothing'], 1, 'QUALITY_SCOPE'],
    [['--source', '99'], 1, 'SOURCE_NOT_FOUND'],
  ])('%j fails with %i', async (words, code, message) => {
    const result = await run(...words)
    expect(result.code).toBe(code)
    expect(result.err).toContain(message)
  })
})
