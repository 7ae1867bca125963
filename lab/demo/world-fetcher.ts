import type { Fetcher, FetchOutcome, FetchRequest } from '../../src/crawler/fetch/fetcher.ts'
import { type DurationMs, type InstantMs, SECOND_MS } from '../../src/model/index.ts'
import type { ErrorCode } from '../../src/runtime/errors.ts'
import type { FaultSpec } from '../worlds/faults/fault.ts'
import type { LiveFeed } from '../worlds/live-feed.ts'

/** A feed with what is wrong with it at a moment. */
export interface VisitedFeed {
  readonly feed: LiveFeed
  faultAt(at: InstantMs): FaultSpec | null
}

const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  404: 'HTTP_NOT_FOUND',
  410: 'HTTP_GONE',
  429: 'HTTP_TOO_MANY_REQUESTS',
}
const USUAL_LATENCY_MS = 80

/**
 * Answers as the demo's world does over HTTP, without sockets: three weeks of it are gone through before anybody looks.
 * Documents, parser, dedup and store are the real ones. `shiftMs`: from the time of the world to that of the node.
 */
export function worldFetcher(feeds: readonly VisitedFeed[], now: () => InstantMs, shiftMs: DurationMs): Fetcher {
  const byUrl = new Map(feeds.map((visited) => [visited.feed.url, visited]))
  return {
    async fetch(request) {
      const visited = byUrl.get(request.url)
      if (visited === undefined) return failure(request, 404, null)
      const fault = visited.faultAt(now())
      if (fault === null) return answer(request, visited.feed, now() - shiftMs)
      const { name, retryAfterS } = fault
      // Faults of the demo are named by their status.
      return failure(
        request,
        Number.parseInt(name, 10),
        retryAfterS === undefined ? null : now() + retryAfterS * SECOND_MS,
      )
    },
    close: async () => {},
  }
}

function failure({ url }: FetchRequest, status: number, retryAt: InstantMs | null): FetchOutcome {
  const code = STATUS_CODES[status] ?? 'HTTP_SERVER_ERROR'
  const { host } = new URL(url)
  return {
    kind: 'failed',
    code,
    message: `status ${status}`,
    status,
    retryAt,
    host,
    bytes: 200,
    latencyMs: USUAL_LATENCY_MS,
  }
}

function answer(request: FetchRequest, feed: LiveFeed, at: InstantMs): FetchOutcome {
  const version = feed.version(at)
  const etag = version === null || feed.plan.habits.validators === 'none' ? null : `"${version}"`
  const common = {
    finalUrl: request.url,
    permanentUrl: null,
    hints: { maxAgeMs: null, expiresAt: null },
    etag,
    lastModified: null,
    latencyMs: USUAL_LATENCY_MS,
  }
  if (etag !== null && request.etag === etag) return { kind: 'not-modified', status: 304, bytes: 200, ...common }
  const body = feed.render(at)
  return { kind: 'content', status: 200, body, contentType: null, bytes: body.length, ...common }
}
