import type { Fetcher, FetchOutcome } from '../../src/crawler/fetch/fetcher.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import type { InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { countPublishedBy, type SimSource } from '../simulator/world.ts'

/** The address of a feed of a world that lives in this process. */
export function feedUrl(index: number): string {
  return `http://feed-${index}.test/feed.xml`
}

/** Of the k-th item of a feed; without markup. */
export type TitleOf = (index: number, k: number) => string

export interface DocumentFetcher extends Fetcher {
  /** From now on every request fails, as without a network; null: no more. */
  setOutage(outage: 'network' | null): void
  /** Requests so far. */
  readonly requests: number
}

/**
 * Answers as the feeds of a world would over HTTP, without sockets: RSS documents of the last W items with validators.
 * Small documents, because what is measured is scheduling; parser, dedup and store are the real ones.
 */
export function documentFetcher(
  sources: readonly SimSource[],
  clock: Clock,
  titleOf: TitleOf = (index, k) => `Item ${index}-${k}`,
): DocumentFetcher {
  const encoder = new TextEncoder()
  let outage: 'network' | null = null
  let requests = 0
  return {
    get requests() {
      return requests
    },
    setOutage(next) {
      outage = next
    },
    async fetch(request): Promise<FetchOutcome> {
      requests++
      const host = new URL(request.url).hostname
      const index = Number(host.slice(5, -5))
      const source = entryAt(sources, index)
      const spent = { bytes: 0, latencyMs: 0 }
      if (outage !== null) {
        const message = 'no network'
        return { kind: 'failed', code: 'FETCH_CONNECT', message, status: null, retryAt: null, host, ...spent }
      }
      const count = countPublishedBy(source.times, clock.now())
      const etag = `"${count}"`
      const answer = {
        finalUrl: request.url,
        permanentUrl: null,
        hints: { maxAgeMs: null, expiresAt: null },
        etag,
        lastModified: null,
        latencyMs: 20,
      }
      if (request.etag === etag) return { kind: 'not-modified', status: 304, bytes: 200, ...answer }
      const body = encoder.encode(rss(source, index, count, titleOf))
      const contentType = 'application/rss+xml; charset=utf-8'
      return { kind: 'content', status: 200, body, contentType, bytes: body.length, ...answer }
    },
    close: async () => {},
  }
}

function rss({ times, windowSize }: SimSource, index: number, count: number, titleOf: TitleOf): string {
  const items: string[] = []
  for (let k = count - 1; k >= Math.max(0, count - windowSize); k--)
    items.push(item(index, k, entryAt(times, k), titleOf))
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed ${index}</title>${items.join('')}</channel></rss>`
}

function item(index: number, k: number, at: InstantMs, titleOf: TitleOf): string {
  const name = `${index}-${k}`
  return `<item><guid>${name}</guid><title>${titleOf(index, k)}</title><link>http://feed-${index}.test/${k}</link><pubDate>${new Date(at).toUTCString()}</pubDate></item>`
}
