import { afterEach, describe, expect, it } from 'vitest'
import { crawlerFor, fetcherFor } from '../../src/app/crawling/crawling.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import type { SourceId } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settings } from '../contract/store.fixture.ts'
import { startServer } from '../support/local-server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const WINDOW = 10

function rss(numbers: readonly number[]): string {
  const items = numbers.map(
    (n) => `<item><guid>g${n}</guid><title>Number ${n}</title><description>${'word '.repeat(50)}</description></item>`,
  )
  return `<rss version="2.0"><channel><title>T</title>${items.join('')}</channel></rss>`
}

/** A publisher that speaks RFC 3229 with `feed`, and the real crawler, a refresh at a time. */
async function publisher(answer: (known: number, last: number) => readonly number[] = since) {
  let last = WINDOW
  const statuses: number[] = []
  const server = await startServer(({ headers }, response) => {
    const known = Number(/"v(\d+)"/.exec(headers['if-none-match'] ?? '')?.[1] ?? 0)
    const isDelta = known > 0 && headers['a-im'] === 'feed'
    const status = known === last ? 304 : isDelta ? 226 : 200
    statuses.push(status)
    const numbers = status === 226 ? answer(known, last) : since(last - WINDOW, last)
    response.writeHead(status, { etag: `"v${last}"`, ...(status === 226 && { im: 'feed' }) })
    response.end(status === 304 ? undefined : rss(numbers))
  })
  const config = loadConfig('none', { allowRange: ['loopback'], hostSpacing: 0, budget: '6000/min' }, {})
  const data = createMemoryStore({ clock: systemClock })
  const [added] = await data.store.addSources([settings(server.url('/feed'))], systemClock.now())
  const id: SourceId = added?.source.id ?? 0
  const fetcher = fetcherFor(config, systemClock)
  closing.push(
    () => server.close(),
    () => fetcher.close(),
  )
  return {
    statuses,
    async refresh(news: number) {
      last += news
      const stopping = new AbortController()
      const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
      const crawler = crawlerFor(config, data, fetcher, environment, { onRefreshed: () => stopping.abort() })
      await crawler.sync()
      crawler.requestRefresh([id])
      await crawler.run(stopping.signal)
      const [observation] = await data.store.observations(id, { limit: 1 })
      const source = await data.store.source(id)
      return { observation, state: source?.state, items: await data.store.itemCount(id) }
    },
  }
}

/** The newest first. */
function since(known: number, last: number): readonly number[] {
  return Array.from({ length: last - known }, (_, k) => last - k)
}

describe('deltas (RFC 3229)', () => {
  it('are asked for with the ETag, taken, and no loss is seen in a short one', async () => {
    const { refresh, statuses } = await publisher()
    expect((await refresh(0)).items).toBe(WINDOW)
    const { observation, state, items } = await refresh(2)
    expect(statuses).toEqual([200, 226])
    expect(items).toBe(WINDOW + 2)
    expect(observation).toMatchObject({ newItems: 2, overlap: 'some', lostAtLeast: 0, windowSize: WINDOW })
    expect(state).toMatchObject({ saturation: null, etag: `"v${WINDOW + 2}"`, bodyHash: null })
    expect(state?.window).toHaveLength(WINDOW)
    expect(state?.deltas).toMatchObject({ count: 1 })
    expect(state?.deltas?.savedBytes).toBeGreaterThan(1_000)
    expect((await refresh(0)).observation).toMatchObject({ notModified: true })
    expect((await refresh(3)).items).toBe(WINDOW + 5)
    expect(statuses).toEqual([200, 226, 304, 226])
  })

  it('as long as the window may hide a loss, which is then seen', async () => {
    const { refresh } = await publisher((_, last) => since(last - WINDOW, last))
    await refresh(0)
    const { observation, items } = await refresh(3 * WINDOW)
    expect(observation).toMatchObject({ newItems: WINDOW, overlap: 'none' })
    expect(items).toBe(2 * WINDOW)
  })

  it('that repeat what is known, or hold nothing, change nothing', async () => {
    const { refresh } = await publisher(() => [WINDOW, WINDOW - 1])
    await refresh(0)
    const { observation, items, state } = await refresh(1)
    expect([observation?.newItems, observation?.overlap, items]).toEqual([0, 'some', WINDOW])
    expect(state?.window).toHaveLength(WINDOW)
    const empty = await publisher(() => [])
    await empty.refresh(0)
    expect((await empty.refresh(1)).state?.window).toHaveLength(WINDOW)
  })
})
