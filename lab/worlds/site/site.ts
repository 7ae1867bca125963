import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DurationMs, InstantMs } from '../../../src/model/index.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { type SiteItem, siteFeedOf, sitemapOf } from './documents.ts'

/** A site of several sections, with pages that show what more than one of them has. */
export interface SiteOptions {
  readonly items: readonly SiteItem[]
  readonly clock: Clock
  /** Items in the feed of a section, in the common feed, in the sitemap, and in an answer for several sections. */
  readonly windows: { readonly section: number; readonly main: number; readonly map: number; readonly composed: number }
  /** Sections that one address may name; more are refused. */
  readonly mostComposed: number
  /** Whether the common feed and the sitemap have an item at a moment, beyond the limit of their windows. */
  readonly covers: (item: SiteItem, now: InstantMs) => boolean
  /** Whether the common feed fails at a moment. */
  readonly fails?: (now: InstantMs) => boolean
  readonly robots?: string
  /** Requests that come closer together are refused; absent: as often as anybody likes. */
  readonly leastGapMs?: DurationMs
}

export interface Site {
  readonly origin: string
  /** Paths that were asked for, with the status that each got. */
  readonly log: readonly { readonly path: string; readonly status: number; readonly at: InstantMs }[]
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly type?: string
  readonly body?: string
}

/**
 * On loopback: `/SECTION/feed.xml`, `/feed.xml` with items of all sections, `/sitemap.xml`, and `/r/a+b/new/.rss` for several
 * of them, each with an ETag.
 */
export async function startSite(options: SiteOptions): Promise<Site> {
  const log: Site['log'][number][] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const at = options.clock.now()
    const isTooSoon = at - (log.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < (options.leastGapMs ?? 0)
    const answer = isTooSoon ? { status: 429 } : answerOf(path, options)
    log.push({ path, status: send(request, response, answer), at })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerOf(path: string, { items, clock, windows, mostComposed, covers, fails, robots }: SiteOptions): Answer {
  const now = clock.now()
  const published = items.filter(({ at }) => at <= now).sort((a, b) => b.at - a.at)
  if (path === '/robots.txt') return robots === undefined ? { status: 404 } : { status: 200, type: TEXT, body: robots }
  if (path === '/feed.xml' && fails?.(now)) return { status: 503 }
  const common = published.filter((item) => covers(item, now))
  if (path === '/feed.xml') return feed(common.slice(0, windows.main), 'common')
  if (path === '/sitemap.xml') return { status: 200, type: XML, body: sitemapOf(common.slice(0, windows.map)) }
  const composed = /^\/r\/([\w+]+)\/new\/\.rss$/.exec(path)?.[1]?.split('+')
  if (composed !== undefined) {
    if (composed.length > mostComposed) return { status: 400 }
    const size = composed.length > 1 ? windows.composed : windows.section
    return feed(published.filter(({ section }) => composed.includes(section)).slice(0, size), 'composed')
  }
  const section = /^\/(\w+)\/feed\.xml$/.exec(path)?.[1]
  if (section === undefined) return { status: 404 }
  return feed(published.filter((item) => item.section === section).slice(0, windows.section), 'own')
}

const XML = 'application/xml'
const TEXT = 'text/plain'

function feed(items: readonly SiteItem[], view: 'own' | 'common' | 'composed'): Answer {
  return { status: 200, type: 'application/atom+xml', body: siteFeedOf(items, view) }
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, body = '' }: Answer): number {
  if (status !== 200) {
    response.writeHead(status).end()
    return status
  }
  const etag = `"${hash(body)}"`
  const isKnown = request.headers['if-none-match'] === etag
  response.writeHead(isKnown ? 304 : 200, { etag, ...(isKnown ? {} : { 'content-type': type ?? TEXT }) })
  response.end(isKnown ? undefined : body)
  return isKnown ? 304 : 200
}

function hash(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return (sum >>> 0).toString(16)
}
