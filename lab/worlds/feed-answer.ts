import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, gzipSync } from 'node:zlib'
import type { InstantMs } from '../../src/model/index.ts'
import type { BodyCache } from './body-cache.ts'
import type { FeedCounter } from './counters.ts'
import { FORMATS } from './formats/index.ts'
import type { LiveFeed } from './live-feed.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface FeedAnswerContext {
  readonly time: VirtualTime
  readonly cache: BodyCache
  readonly maxAgeS: number | null
}

/** Answers a request for a feed as a careful publisher would: validators, 304, gzip. */
export function answerFeed(
  request: IncomingMessage,
  response: ServerResponse,
  feed: LiveFeed,
  counter: FeedCounter,
  context: FeedAnswerContext,
): void {
  const at = context.time.now()
  const version = feed.version(at)
  const gzip = acceptsGzip(request.headers['accept-encoding'])
  const headers = validators(feed, version, gzip, at, context)
  if (context.maxAgeS !== null) headers['cache-control'] = `max-age=${context.maxAgeS}`

  if (notModified(request, headers)) {
    counter.notModified++
    response.writeHead(304, headers).end()
    return
  }
  const body = encodedBody(feed, version, gzip, at, context.cache)
  headers['content-type'] = FORMATS[feed.plan.habits.format].contentType
  headers['content-length'] = String(body.length)
  headers['vary'] = 'accept-encoding'
  if (gzip) headers['content-encoding'] = 'gzip'
  response.writeHead(200, headers)
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  const { entries } = feed.window(at)
  response.end(body, () => counter.recordAnswer(version, entries, at, body.length))
}

/** An older page (RFC 5005): rare, so neither cached nor validated. */
export function answerPage(
  response: ServerResponse,
  { feed, counter }: { readonly feed: LiveFeed; readonly counter: FeedCounter },
  page: string,
  at: InstantMs,
): void {
  const older = feed.olderPage(page, at)
  if (older === null) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('No such page\n')
    return
  }
  const { body, entries } = older
  response.writeHead(200, { 'content-type': FORMATS[feed.plan.habits.format].contentType })
  response.end(body, () => counter.recordAnswer(null, entries, at, body.length))
}

function encodedBody(feed: LiveFeed, version: string | null, gzip: boolean, at: InstantMs, cache: BodyCache): Buffer {
  const make = () => {
    const body = feed.render(at)
    return gzip ? gzipSync(body, { level: constants.Z_BEST_SPEED }) : body
  }
  return version === null ? make() : cache.get(`${feed.index}${gzip ? 'z' : ''}`, version, make)
}

function validators(
  feed: LiveFeed,
  version: string | null,
  gzip: boolean,
  at: InstantMs,
  { time }: FeedAnswerContext,
): Record<string, string> {
  const kind = feed.plan.habits.validators
  const headers: Record<string, string> = {}
  if (version === null || kind === 'none') return headers
  // Strong, hence different for the two encodings (RFC 9110 §8.8.3.3).
  if (kind !== 'last-modified') headers['etag'] = `"${version}${gzip ? '-gz' : ''}"`
  if (kind !== 'etag') {
    // Rounded up and held back until that second has come: two versions of one second would otherwise share a date, and
    // a 304 would hide the later one (RFC 9110 §8.8.2.2).
    const second = Math.ceil(time.stated(feed.window(at).changedAt) / 1000) * 1000
    if (second > 0 && second <= time.stated(at)) headers['last-modified'] = new Date(second).toUTCString()
  }
  return headers
}

/** If-None-Match decides alone where it is given (RFC 9110 §13.1.3). */
function notModified(request: IncomingMessage, headers: Readonly<Record<string, string>>): boolean {
  const known = request.headers['if-none-match']
  if (known !== undefined) {
    const { etag } = headers
    if (etag === undefined) return false
    if (known === etag || known.trim() === '*') return true
    return known.split(',').some((tag) => withoutEncoding(tag) === withoutEncoding(etag))
  }
  const since = request.headers['if-modified-since']
  const modified = headers['last-modified']
  if (since === undefined || modified === undefined) return false
  return since === modified || Date.parse(modified) <= Date.parse(since)
}

/** The weak comparison, blind to W/ and to our mark of the encoding. */
function withoutEncoding(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/(-gz)?"$/, '"')
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header)
}
