import type { IncomingHttpHeaders } from 'node:http'
import { field } from '../../http/header-fields.ts'

const PERMANENT = new Set([301, 308])
const TEMPORARY = new Set([302, 303, 307])

export function isRedirect(status: number): boolean {
  return PERMANENT.has(status) || TEMPORARY.has(status)
}

/** Where the next request of a chain goes, and what is known of the chain by then. */
export interface Hop {
  readonly url: URL
  readonly redirects: number
  /** Every address requested so far, this one included. */
  readonly visited: ReadonlySet<string>
  /** All redirects so far were permanent. */
  readonly permanentSoFar: boolean
  readonly permanentUrl: string | null
  /** The user's log-in and own headers may be sent here; once lost, for good. */
  readonly trusted: boolean
}

export function firstHop(url: URL): Hop {
  return {
    url,
    redirects: 0,
    visited: new Set([url.href]),
    permanentSoFar: true,
    permanentUrl: null,
    trusted: true,
  }
}

/** The address in Location, resolved; null where there is none or it cannot be read. */
export function locationOf(headers: IncomingHttpHeaders, base: URL): URL | null {
  const location = field(headers, 'location')
  if (location === null) return null
  try {
    return new URL(asUtf8(location), base)
  } catch {
    return null
  }
}

/** `url` has been checked. */
export function nextHop(hop: Hop, status: number, url: URL): Hop {
  const permanentSoFar = hop.permanentSoFar && PERMANENT.has(status)
  return {
    url,
    redirects: hop.redirects + 1,
    visited: new Set(hop.visited).add(url.href),
    permanentSoFar,
    permanentUrl: permanentSoFar ? url.href : hop.permanentUrl,
    trusted: hop.trusted && keepsTrust(hop.url, url),
  }
}

/**
 * The same origin, or the same host moving from plain to encrypted on the usual ports: refusing the log-in there would
 * only teach people to leave sources at http.
 */
function keepsTrust(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return upgraded && from.hostname === to.hostname
}

/** Many servers write UTF-8 into Location without escaping it; undici hands header bytes out as latin-1. */
function asUtf8(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}
