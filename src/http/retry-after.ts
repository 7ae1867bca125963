import type { IncomingHttpHeaders } from 'node:http'
import { DAY_MS, type InstantMs, SECOND_MS } from '../model/index.ts'
import { field } from './header-fields.ts'
import { parseHttpDate } from './http-date.ts'

/** A site that asks for more gets a request after a week: a typing error must not silence it for years. */
export const LONGEST_REST_MS = 7 * DAY_MS

/**
 * When a site that sent Retry-After (RFC 9110 §10.2.3) wants the next request, on our clock. A date is read against
 * the Date of the same answer, so that a server whose clock is wrong is still understood.
 */
export function retryAfter(headers: IncomingHttpHeaders, now: InstantMs): InstantMs | null {
  const text = field(headers, 'retry-after')
  if (text === null) return null
  const delayMs = /^\d+(\.\d*)?$/.test(text) ? Number(text) * SECOND_MS : delayUntil(text, headers, now)
  return delayMs === null ? null : now + Math.min(Math.max(Math.ceil(delayMs), 0), LONGEST_REST_MS)
}

function delayUntil(text: string, headers: IncomingHttpHeaders, now: InstantMs): number | null {
  const at = parseHttpDate(text, now)
  return at === null ? null : at - serverNow(headers, now)
}

/** What the server's clock said when it answered. */
export function serverNow(headers: IncomingHttpHeaders, now: InstantMs): InstantMs {
  const date = field(headers, 'date')
  return (date === null ? null : parseHttpDate(date, now)) ?? now
}
