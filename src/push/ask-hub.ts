import { Agent, type Dispatcher } from 'undici'
import { createAddressGuard } from '../http/address-guard.ts'
import { guardedConnector, type Resolve } from '../http/connector.ts'
import { FetchFailure, failureCode, failureDetail } from '../http/failure.ts'
import { retryAfter } from '../http/retry-after.ts'
import { readTarget } from '../http/target.ts'
import { type DurationMs, type InstantMs, SECOND_MS } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'

export interface HubClientOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Ranges that may be reached although they are not public, as for the fetcher. */
  readonly allowRanges: readonly string[]
  readonly userAgent: string
  readonly timeoutMs?: DurationMs
  readonly resolve?: Resolve
}

/** null: the hub took it. */
export type HubAnswer = null | { readonly error: string; readonly notBefore: InstantMs | null }

export interface HubClient {
  post(hub: string, form: URLSearchParams, signal: AbortSignal): Promise<HubAnswer>
  close(): Promise<void>
}

const MOST_ANSWER_BYTES = 64 * 1024
const MOST_REDIRECTS = 3

/** Speaks to hubs, behind the address guard: a feed of a stranger names them. */
export function createHubClient(options: HubClientOptions): HubClient {
  const { clock, userAgent, timeoutMs = 15 * SECOND_MS } = options
  const guard = createAddressGuard(options.allowRanges)
  const agent = new Agent({
    connect: guardedConnector({ connectTimeoutMs: timeoutMs, resolve: options.resolve ?? null }, guard),
    connections: 2,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MOST_ANSWER_BYTES,
  })
  return { post, close: () => agent.destroy() }

  async function post(hub: string, form: URLSearchParams, signal: AbortSignal): Promise<HubAnswer> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      return await follow(hub, form.toString(), within)
    } catch (error) {
      const code = within.aborted ? 'FETCH_TIMEOUT_TOTAL' : failureCode(error, 'waiting', false)
      return { error: `${code}: ${failureDetail(error)}`, notBefore: null }
    }
  }

  /** WebSub §5.1: a hub may have moved (307, 308). Each address is checked like the first. */
  async function follow(hub: string, body: string, signal: AbortSignal): Promise<HubAnswer> {
    let address = hub
    for (let redirects = 0; ; redirects++) {
      const answer = await send(address, body, signal)
      const { statusCode: status, headers } = answer
      if (status >= 200 && status < 300) return null
      const { location } = headers
      if ((status !== 307 && status !== 308) || typeof location !== 'string') {
        return { error: `HTTP_UNEXPECTED: status ${status}`, notBefore: retryAfter(headers, clock.now()) }
      }
      if (redirects >= MOST_REDIRECTS) throw new FetchFailure('FETCH_TOO_MANY_REDIRECTS', `more than ${MOST_REDIRECTS}`)
      address = new URL(location, address).href
    }
  }

  async function send(address: string, body: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { url } = readTarget(address, guard)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent }
    const path = url.pathname + url.search
    const answer = await agent.request({ origin: url.origin, path, method: 'POST', headers, body, signal })
    await answer.body.dump({ limit: MOST_ANSWER_BYTES, signal }).catch(() => {})
    return answer
  }
}
