import type { IncomingHttpHeaders } from 'node:http'
import { Agent } from 'undici'
import { createAddressGuard } from '../../http/address-guard.ts'
import { guardedConnector, type Resolve } from '../../http/connector.ts'
import { failureCode, failureDetail } from '../../http/failure.ts'
import { readTarget } from '../../http/target.ts'
import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import type { ErrorCode } from '../../runtime/errors.ts'

export interface CallbackClientOptions {
  /** Ranges that may be reached although they are not public, as for the fetcher. */
  readonly allowRanges: readonly string[]
  readonly userAgent: string
  /** From the first byte sent to the last of the answer. */
  readonly timeoutMs?: DurationMs
  readonly resolve?: Resolve
}

export interface CallbackCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Redirects are answers like others (WebSub §5.3.1, §7: they are failures). */
export type CallbackAnswer =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }
  | { readonly status: null; readonly code: ErrorCode; readonly detail: string }

/** Calls subscribers, behind the address guard: a stranger has named their addresses. */
export interface CallbackClient {
  call(call: CallbackCall, signal: AbortSignal): Promise<CallbackAnswer>
  close(): Promise<void>
}

/** A challenge is shorter, and of other answers only the status counts. */
const MOST_ANSWER_BYTES = 4 * 1024

export function createCallbackClient(options: CallbackClientOptions): CallbackClient {
  const { userAgent, timeoutMs = 10 * SECOND_MS } = options
  const guard = createAddressGuard(options.allowRanges)
  const agent = new Agent({
    connect: guardedConnector({ connectTimeoutMs: timeoutMs, resolve: options.resolve ?? null }, guard),
    connections: 4,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MOST_ANSWER_BYTES,
    keepAliveTimeout: SECOND_MS,
  })
  return { call, close: () => agent.destroy() }

  async function call(one: CallbackCall, signal: AbortSignal): Promise<CallbackAnswer> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      return await send(one, within)
    } catch (error) {
      if (signal.aborted) return { status: null, code: 'FETCH_ABORTED', detail: 'the node was stopping' }
      if (!within.aborted)
        return { status: null, code: failureCode(error, 'waiting', false), detail: failureDetail(error) }
      return { status: null, code: 'FETCH_TIMEOUT_TOTAL', detail: `no answer within ${timeoutMs / SECOND_MS} s` }
    }
  }

  async function send({ method, url: text, headers, body }: CallbackCall, signal: AbortSignal) {
    const { url } = readTarget(text, guard)
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, 'user-agent': userAgent },
      body: body ?? null,
      signal,
    })
    if (method === 'GET') return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    // §7: the body is ignored. Read to the end to keep the connection; how it ends does not matter any more.
    await answer.body.dump({ limit: MOST_ANSWER_BYTES, signal }).catch(() => {})
    return { status: answer.statusCode, headers: answer.headers, text: '' }
  }
}
