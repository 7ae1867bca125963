import { Agent } from 'undici'
import type { RefreshTrace } from '../../crawler/traced-refresh.ts'
import { basicAuthorization, takeCredentials } from '../../http/target.ts'
import { type DurationMs, HOUR_MS, SECOND_MS } from '../../model/index.ts'
import { randomKey } from '../../runtime/random.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { Environment } from '../environment.ts'
import { otlpJson, type TraceOrigin } from './otlp-json.ts'

export interface TraceExporter {
  /** Takes it at once, and without waiting; the oldest goes where there is no room. */
  take(trace: RefreshTrace): void
  readonly layer: Layer
}

/** Some 2 KB each. A collector that is away for longer than this lasts misses the rest. */
const MOST_WAITING = 2_000
const MOST_AT_ONCE = 200
const EVERY_MS: DurationMs = 2 * SECOND_MS
const TIMEOUT_MS: DurationMs = 10 * SECOND_MS
const LAST_MS: DurationMs = SECOND_MS
/** A collector that is away is no news. */
const WARN_EVERY_MS: DurationMs = HOUR_MS
const MOST_ANSWER_BYTES = 64 * 1024

/** Sends traces to a collector beside the work (OTLP over HTTP, in JSON). What it sends is never traced itself. */
export function createTraceExporter(
  url: string,
  origin: TraceOrigin,
  { clock, logger }: Pick<Environment, 'clock' | 'logger'>,
): TraceExporter {
  const waiting: RefreshTrace[] = []
  let lost = 0
  let warnedMs = Number.NEGATIVE_INFINITY
  const sender = createSender(url)
  const send = repeat({ clock, everyMs: EVERY_MS, action: sendAll })
  return { take, layer: { name: 'traces', run } }

  function take(trace: RefreshTrace): void {
    waiting.push(trace)
    if (waiting.length > MOST_WAITING) {
      waiting.shift()
      lost++
    }
  }

  async function run(signal: AbortSignal, succeeded?: () => void): Promise<void> {
    // A node that stops waits for no collector.
    signal.addEventListener('abort', () => void setTimeout(sender.giveUp, LAST_MS).unref(), { once: true })
    try {
      await send(signal, succeeded)
    } finally {
      await sender.close()
    }
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.splice(0, MOST_AT_ONCE)
      const body = JSON.stringify(otlpJson(some, origin, (bytes) => randomKey(bytes).toString('hex')))
      const problem = await sender.post(body)
      if (problem === null) continue
      lost += problem.mayWantIt ? 0 : some.length
      if (problem.mayWantIt) waiting.unshift(...some.slice(0, Math.max(0, MOST_WAITING - waiting.length)))
      warn(problem.detail)
      return
    }
  }

  function warn(error: string): void {
    if (clock.monotonicMs() - warnedMs < WARN_EVERY_MS) return
    warnedMs = clock.monotonicMs()
    logger.warn({ error, waiting: waiting.length, lost }, 'traces cannot be sent; see traceUrl')
  }
}

interface Refusal {
  /** It is away, or has too much to do; else it does not want this. */
  readonly mayWantIt: boolean
  readonly detail: string
}

/** The operator has named the address, which is mostly on the same machine: it is not behind the guard for addresses of others. */
function createSender(text: string) {
  const url = new URL(text)
  const headers = headersWith(takeCredentials(url))
  const agent = new Agent({ connections: 1, pipelining: 1, maxResponseSize: MOST_ANSWER_BYTES })
  const end = new AbortController()
  return {
    async post(body: string): Promise<Refusal | null> {
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), end.signal])
      try {
        const path = url.pathname + url.search
        const answer = await agent.request({ origin: url.origin, path, method: 'POST', headers, body, signal })
        await answer.body.dump({ limit: MOST_ANSWER_BYTES, signal })
        const { statusCode: status } = answer
        if (status >= 200 && status < 300) return null
        return { mayWantIt: status === 429 || status >= 500, detail: `status ${status}` }
      } catch (error) {
        const { code, name } = error as NodeJS.ErrnoException
        return { mayWantIt: true, detail: code ?? name }
      }
    },
    giveUp: () => end.abort(),
    close: () => agent.destroy(),
  }
}

function headersWith(credentials: ReturnType<typeof takeCredentials>) {
  return {
    'content-type': 'application/json',
    ...(credentials && { authorization: basicAuthorization(credentials) }),
  }
}
