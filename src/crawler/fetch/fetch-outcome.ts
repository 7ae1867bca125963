import { field } from '../../http/header-fields.ts'
import { retryAfter } from '../../http/retry-after.ts'
import type { InstantMs } from '../../model/index.ts'
import { ERRORS, type ErrorCode } from '../../runtime/errors.ts'
import { type ExchangeResult, isContent } from './exchange.ts'
import type { FetchOutcome, FetchRequest } from './fetcher.ts'
import { httpHints, linkedHints } from './hints.ts'
import { hostKey } from './host-key.ts'
import type { Journey } from './journey.ts'
import type { Hop } from './redirects.ts'
import { validators } from './response-headers.ts'

export type FetchAnswer = Extract<ExchangeResult, { kind: 'answer' }>
type FetchFailed = Extract<FetchOutcome, { kind: 'failed' }>

/** What the last answer of a chain means. */
export function answerOutcome(
  answer: FetchAnswer,
  hop: Hop,
  request: FetchRequest,
  wasConditional: boolean,
  journey: Journey,
  now: InstantMs,
): FetchOutcome {
  const { status, headers, body } = answer
  const isNotModified = status === 304 && wasConditional
  if (!isNotModified && (!isContent(status) || body === null)) {
    const retryAt = status === 429 || status === 503 ? retryAfter(headers, now) : null
    return failureOutcome(codeOfStatus(status, request.proxyUrl !== null), `status ${status}`, hop.url, journey, {
      status,
      retryAt,
    })
  }
  const common = {
    status,
    finalUrl: hop.url.href,
    permanentUrl: permanentUrl(hop, request.url),
    bytes: journey.bytes,
    latencyMs: journey.latencyMs,
    hints: { ...httpHints(headers, now), ...linkedHints(headers, hop.url.href) },
  }
  const { etag, lastModified } = validators(headers)
  if (isNotModified) {
    // A 304 need not repeat what did not change (RFC 9110 §15.4.5).
    const known = { etag: etag ?? request.etag, lastModified: lastModified ?? request.lastModified }
    return { kind: 'not-modified', ...common, ...known }
  }
  return { kind: 'content', ...common, body: body!, contentType: field(headers, 'content-type'), etag, lastModified }
}

export function failureOutcome(
  code: ErrorCode,
  detail: string,
  url: URL | null,
  journey: Journey,
  more: { readonly status?: number | null; readonly retryAt?: InstantMs | null } = {},
): FetchFailed {
  // Only the host is named: path and query of a feed often hold a token.
  const where = url === null ? '' : ` (${url.host})`
  return {
    kind: 'failed',
    code,
    message: `${ERRORS[code].summary}: ${detail}${where}`,
    status: more.status ?? null,
    retryAt: more.retryAt ?? null,
    host: url === null ? '' : hostKey(url),
    bytes: journey.bytes,
    latencyMs: journey.latencyMs,
  }
}

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'HTTP_UNAUTHORIZED',
  403: 'HTTP_FORBIDDEN',
  404: 'HTTP_NOT_FOUND',
  407: 'HTTP_UNAUTHORIZED',
  410: 'HTTP_GONE',
  429: 'HTTP_TOO_MANY_REQUESTS',
  503: 'HTTP_UNAVAILABLE',
}

function codeOfStatus(status: number, viaProxy: boolean): ErrorCode {
  if (viaProxy && status === 407) return 'FETCH_PROXY'
  if (status >= 400 && status < 500) return BY_STATUS[status] ?? 'HTTP_CLIENT_ERROR'
  if (status >= 500 && status < 600) return BY_STATUS[status] ?? 'HTTP_SERVER_ERROR'
  return 'HTTP_UNEXPECTED'
}

/** The log-in written into the old address goes along while the move stays within the origin, or it would be lost. */
function permanentUrl(hop: Hop, requestUrl: string): string | null {
  if (hop.permanentUrl === null) return null
  const [from, to] = [new URL(requestUrl), new URL(hop.permanentUrl)]
  if (from.origin !== to.origin) return to.href
  to.username = from.username
  to.password = from.password
  return to.href
}
