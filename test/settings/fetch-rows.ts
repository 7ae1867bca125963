import { expect } from 'vitest'
import { fetcherFor } from '../../src/app/crawling/crawling.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type RequestHandler, startServer } from '../support/local-server.ts'
import { row, type SettingRow } from './setting-row.ts'

type Flags = Readonly<Record<string, unknown>>

interface FetchResult {
  /** The code of a failure, or how it came. */
  readonly outcome: string
  readonly userAgent: string | undefined
}

/** One request of the node's fetcher to a server on loopback. */
async function fetched(flags: Flags, handler: RequestHandler): Promise<FetchResult> {
  const server = await startServer(handler)
  const config = loadConfig('none', { allowRange: 'loopback', ...flags }, {})
  const fetcher = fetcherFor(config, systemClock)
  try {
    const request = { headers: {}, etag: null, lastModified: null, basicAuth: null, userAgent: null, proxyUrl: null }
    const outcome = await fetcher.fetch({ ...request, url: server.url('/feed') })
    const userAgent = server.requests[0]?.headers['user-agent']
    return { outcome: outcome.kind === 'failed' ? outcome.code : outcome.kind, userAgent }
  } finally {
    await fetcher.close()
    await server.close()
  }
}

const FEED = `<rss version="2.0"><channel><title>${'T'.repeat(5_000)}</title></channel></rss>`
const atOnce: RequestHandler = (_request, response) => response.end(FEED)

/** What one request may do. */
export const FETCH_ROWS: readonly SettingRow[] = [
  row('allowRange', {
    values: [[], ['loopback']],
    effect: async (flags) => (await fetched(flags, atOnce)).outcome,
    shows: (none, loopback) => expect([none, loopback]).toEqual(['FETCH_ADDRESS_REFUSED', 'content']),
  }),
  row('timeout', {
    values: ['300ms', '60s'],
    // Far later than the one, far sooner than the other.
    effect: async (flags) =>
      (await fetched(flags, (_request, response) => void setTimeout(() => response.end(FEED), 2_000))).outcome,
    shows: (short, long) => expect([short, long]).toEqual(['FETCH_TIMEOUT_TOTAL', 'content']),
  }),
  row('maxBody', {
    values: ['1KiB', '1MiB'],
    effect: async (flags) => (await fetched(flags, atOnce)).outcome,
    shows: (small, large) => expect([small, large]).toEqual(['FETCH_TOO_LARGE', 'content']),
  }),
  row('userAgent', {
    values: [undefined, 'Our Reader/1'],
    effect: async (flags) => (await fetched(flags, atOnce)).userAgent,
    shows: (usual, own) => {
      expect(usual).toContain('Headwater')
      expect(own).toBe('Our Reader/1')
    },
  }),
  row('contact', {
    values: [undefined, 'https://example.org/about'],
    effect: async (flags) => (await fetched(flags, atOnce)).userAgent,
    shows: (usual, own) => {
      expect(usual).toMatch(/^Headwater\/[\d.]+ \(feed aggregator\)$/)
      expect(own).toMatch(/\(feed aggregator; \+https:\/\/example\.org\/about\)$/)
    },
  }),
]
