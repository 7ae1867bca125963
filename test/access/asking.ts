import { Readable } from 'node:stream'
import type { Server } from '../../src/api/server.ts'

export interface AccessAnswer {
  readonly status: number
  /** But the time of day. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
}

export type Headers = Readonly<Record<string, string>>

/** Somebody who listens to events. */
export interface Listening {
  readonly status: number
  /** What was received so far. */
  text(): string
  /** Whether the other side ends it, before it says again that it lives. */
  ends(): Promise<boolean>
  close(): void
}

export interface Asking {
  ask(method: string, path: string, headers: Headers, body?: unknown): Promise<AccessAnswer>
  listen(headers: Headers): Promise<Listening>
}

const CSRF_HEADER = { 'x-headwater': '1' }

export function askingInside({ app }: Server): Asking {
  return {
    async ask(method, path, headers, body) {
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { ...CSRF_HEADER, ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return readAnswer(answer.statusCode, Object.entries(answer.headers), answer.body)
    },
    async listen(headers) {
      const answer = await app.inject({ url: '/api/events', headers, payloadAsStream: true })
      return listening(answer.statusCode, answer.stream())
    },
  }
}

export async function askingOverHttp(server: Server): Promise<Asking> {
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    async ask(method, path, headers, body) {
      const isText = typeof body === 'string'
      const type: Headers = body === undefined || isText ? {} : { 'content-type': 'application/json' }
      const payload = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }
      const sent: Headers = { ...CSRF_HEADER, ...type, ...headers }
      const answer = await fetch(`${url}${path}`, { method, redirect: 'manual', headers: sent, ...payload })
      return readAnswer(answer.status, [...answer.headers], await answer.text())
    },
    async listen(headers) {
      const answer = await fetch(`${url}/api/events`, { headers })
      return listening(answer.status, Readable.fromWeb(answer.body as never))
    },
  }
}

function readAnswer(status: number, headers: readonly (readonly [string, unknown])[], text: string): AccessAnswer {
  const headerTexts: Record<string, string> = {}
  for (const [name, value] of headers)
    if (name !== 'date')
      headerTexts[name] = headerTexts[name] === undefined ? String(value) : `${headerTexts[name]},${value}`
  const isJson = headerTexts['content-type']?.includes('json') === true && text !== ''
  return { status, headers: headerTexts, text, body: isJson ? JSON.parse(text) : null }
}

/** The stream says that it lives every so often; a listener that still hears that was not shut out. */
const BEAT = /^: $/m

function listening(status: number, stream: Readable): Listening {
  let text = ''
  const ended = new Promise<boolean>((resolve) => {
    stream.on('data', (chunk) => {
      text += String(chunk)
      if (BEAT.test(text)) resolve(false)
    })
    stream.on('error', () => {})
    for (const event of ['close', 'end']) stream.once(event, () => resolve(true))
  })
  return { status, text: () => text, ends: () => ended, close: () => void stream.destroy() }
}
