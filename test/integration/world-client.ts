import { request } from 'node:http'
import { connect } from 'node:net'
import type { InstantMs } from '../../src/model/index.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { PATIENCE_MS } from '../support/patience.ts'

export interface WorldAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The answer ended as announced. */
  readonly complete: boolean
  readonly error: string | null
}

/** A request that follows nothing, decodes nothing and hides nothing. Names under .localhost are on the loopback. */
export function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  limits: { readonly maxBytes?: number; readonly timeoutMs?: number; readonly method?: string } = {},
): Promise<WorldAnswer> {
  const { hostname, port, pathname, search, host } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const outgoing = request({
      host: hostname.endsWith('localhost') ? '127.0.0.1' : hostname,
      port,
      path: `${pathname}${search}`,
      method: limits.method ?? 'GET',
      headers: { host, ...headers },
      agent: false,
      timeout: limits.timeoutMs ?? PATIENCE_MS,
    })
    const finish = (answer: Partial<WorldAnswer>) =>
      resolve({ status: 0, headers: {}, body: Buffer.concat(chunks), complete: false, error: null, ...answer })
    outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')))
    outgoing.on('error', (error: NodeJS.ErrnoException) => finish({ error: error.code ?? error.message }))
    outgoing.on('response', (response) => {
      const result = { status: response.statusCode ?? 0, headers: response.headers }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (limits.maxBytes !== undefined && bytes >= limits.maxBytes) {
          finish({ ...result, error: 'enough' })
          outgoing.destroy()
        }
      })
      response.on('end', () => finish({ ...result, complete: response.complete }))
      response.on('error', (error: NodeJS.ErrnoException) => finish({ ...result, error: error.code ?? error.message }))
    })
    outgoing.end()
  })
}

export async function post(url: string, message: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(message) })
  return { status: answer.status, body: await answer.json() }
}

/** What really comes over the wire. */
export function rawAnswer(port: number, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}

/** Stands still until it is set; sleeping and measuring are real. */
export function settableClock(start: InstantMs): Clock & { set(at: InstantMs): void } {
  let now = start
  return {
    ...systemClock,
    now: () => now,
    set(at) {
      now = at
    },
  }
}
