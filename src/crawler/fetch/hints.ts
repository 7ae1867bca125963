import type { IncomingHttpHeaders } from 'node:http'
import { field, listField } from '../../http/header-fields.ts'
import { parseHttpDate } from '../../http/http-date.ts'
import { serverNow } from '../../http/retry-after.ts'
import { DAY_MS, type InstantMs, SECOND_MS } from '../../model/index.ts'
import type { HttpHints } from './fetcher.ts'
import { linksIn } from './link-header.ts'

/** Assets are often "immutable" for ten years; for a feed nothing beyond a year means anything (RFC 2616 §14.21). */
const LONGEST_FRESHNESS_MS = 365 * DAY_MS

const NO_HINTS: HttpHints = { maxAgeMs: null, expiresAt: null }

/** How long the answer stays fresh (RFC 9111 §4.2), less the age it already has; Expires only where max-age is absent. */
export function httpHints(headers: IncomingHttpHeaders, now: InstantMs): HttpHints {
  if (headers['cache-control'] === undefined && headers['expires'] === undefined) return NO_HINTS
  const cacheControl = listField(headers, 'cache-control').toLowerCase()
  if (/(^|[\s,])no-(store|cache)($|[\s,])/.test(cacheControl)) return NO_HINTS
  const maxAge = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/.exec(cacheControl)?.[1]
  if (maxAge !== undefined) {
    const ageMs = Number(/^\d+$/.exec(field(headers, 'age') ?? '')?.[0] ?? 0) * SECOND_MS
    const leftMs = Number(maxAge) * SECOND_MS - ageMs
    return { maxAgeMs: Math.min(Math.max(leftMs, 0), LONGEST_FRESHNESS_MS), expiresAt: null }
  }
  // "0" and "-1" are common and mean: stale at once (RFC 9111 §5.3).
  const expires = parseHttpDate(field(headers, 'expires') ?? '', now)
  if (expires === null) return NO_HINTS
  const leftMs = expires - serverNow(headers, now)
  return leftMs <= 0 ? NO_HINTS : { maxAgeMs: null, expiresAt: now + Math.min(leftMs, LONGEST_FRESHNESS_MS) }
}

const FEED_TYPE = /^(?:application|text)\/(?:x-)?(?:rss|atom|rdf|feed)(?:\+|$|;)/

/** WebSub §4: hubs and the feed's own address in the Link field of the answer; and feeds beside what was answered. */
export function linkedHints(headers: IncomingHttpHeaders, url: string): Pick<HttpHints, 'hubs' | 'selfUrl' | 'feeds'> {
  if (headers['link'] === undefined) return {}
  const links = linksIn(listField(headers, 'link'), url)
  const hubs = links.filter(({ rels }) => rels.includes('hub')).map((link) => link.url)
  const self = links.find(({ rels }) => rels.includes('self'))
  const feeds = links
    .filter(({ rels, type }) => rels.includes('alternate') && FEED_TYPE.test(type))
    .map((link) => link.url)
  return { ...(hubs.length > 0 && { hubs }), ...(self && { selfUrl: self.url }), ...(feeds.length > 0 && { feeds }) }
}
