import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import { createAddressGuard } from '../../http/address-guard.ts'
import { guardedConnector, type Resolve } from '../../http/connector.ts'
import { failureCode, failureDetail } from '../../http/failure.ts'
import { retryAfter } from '../../http/retry-after.ts'
import { basicAuthorization, readTarget } from '../../http/target.ts'
import { type DurationMs, type InstantMs, SECOND_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ErrorCode } from '../../runtime/errors.ts'
import { type Channel, DELIVERY_DONE, type DeliveryOutcome, dead, type Outgoing, retryLater } from './channel.ts'
import { publicationJson } from './publication-json.ts'
import { signMessage } from './signature.ts'

export interface WebhookOptions {
  readonly clock: Clock
  /** Ranges that may be reached although they are not public, as for the fetcher. */
  readonly allowRanges: readonly string[]
  readonly userAgent: string
  /** From the first byte sent to the last of the answer. */
  readonly timeoutMs?: DurationMs
  readonly connectTimeoutMs?: DurationMs
  readonly resolve?: Resolve
}

/** More of an answer is not read: only its status counts. */
const MOST_ANSWER_BYTES = 64 * 1024

/** One signed POST per publication; redirects are not followed, because a body should go where its owner wrote. */
export function createWebhookChannel(options: WebhookOptions): Channel {
  const { clock, userAgent, timeoutMs = 15 * SECOND_MS, connectTimeoutMs = 10 * SECOND_MS } = options
  const guard = createAddressGuard(options.allowRanges)
  const agent = new Agent({
    connect: guardedConnector({ connectTimeoutMs, resolve: options.resolve ?? null }, guard),
    connections: 2,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MOST_ANSWER_BYTES,
  })

  return { mostItems: () => 1, deliver, close: () => agent.destroy() }

  async function deliver(outgoing: Outgoing, signal: AbortSignal): Promise<DeliveryOutcome> {
    const [item] = outgoing.items
    const body = JSON.stringify(publicationJson(outgoing.feed, item))
    const stop = new AbortController()
    const end = () => stop.abort()
    signal.addEventListener('abort', end, { once: true })
    // undici's limits are per wait; a receiver that trickles would stay within them for ever.
    const timer = setTimeout(end, timeoutMs)
    try {
      if (signal.aborted) end()
      const headers = signMessage(item.publicationId, body, outgoing.secret, clock.now())
      const answer = await post(outgoing.target, { ...headers, 'content-type': 'application/json' }, body, stop.signal)
      return readAnswer(answer.statusCode, answer.headers, clock.now())
    } catch (error) {
      if (stop.signal.aborted) return notInTime(signal)
      return retryLater(failureCode(error, 'waiting', false), failureDetail(error))
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }

  async function post(
    target: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { url, credentials } = readTarget(target, guard)
    const fields: Record<string, string> = { ...headers, 'user-agent': userAgent }
    if (credentials) fields.authorization = basicAuthorization(credentials)
    const path = url.pathname + url.search
    const answer = await agent.request({ origin: url.origin, path, method: 'POST', headers: fields, body, signal })
    // Read to the end to keep the connection; how it ends does not matter any more.
    await answer.body.dump({ limit: MOST_ANSWER_BYTES, signal }).catch(() => {})
    return answer
  }

  function notInTime(signal: AbortSignal): DeliveryOutcome {
    if (signal.aborted) return retryLater('FETCH_ABORTED', 'the node was stopping')
    return retryLater('FETCH_TIMEOUT_TOTAL', `no answer within ${timeoutMs / SECOND_MS} s`)
  }
}

/** Statuses of receivers that understood the message and do not want it. */
const REFUSALS = new Set([400, 405, 406, 409, 411, 413, 414, 415, 422])

function readAnswer(status: number, headers: IncomingHttpHeaders, now: InstantMs): DeliveryOutcome {
  if (status >= 200 && status < 300) return DELIVERY_DONE
  const detail = `status ${status}`
  if (status === 410) return dead('HTTP_GONE', detail)
  return retryLater(codeOf(status), detail, {
    notBefore: retryAfter(headers, now),
    isRefusal: REFUSALS.has(status),
  })
}

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 407) return 'HTTP_UNAUTHORIZED'
  if (status === 403) return 'HTTP_FORBIDDEN'
  if (status === 404) return 'HTTP_NOT_FOUND'
  if (status === 429) return 'HTTP_TOO_MANY_REQUESTS'
  if (status === 503) return 'HTTP_UNAVAILABLE'
  if (status >= 500) return 'HTTP_SERVER_ERROR'
  return status >= 400 ? 'HTTP_CLIENT_ERROR' : 'HTTP_UNEXPECTED'
}
