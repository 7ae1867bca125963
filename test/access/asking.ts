import { Readable } from 'node:stream'
import type { Server } from '../../src/api/server.ts'
import { PATIENCE_MS } from '../support/patience.ts'

export interface Answered {
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
  /** What was told so far. */
  text(): string
  /** Whether the other side ends it, within a generous time. */
  ends(): Promise<boolean>
  close(): void
}

export interface Asking {
  ask(method: string, path: string, headers: Headers, body?: unknown): Promise<Answered>
  listen(headers: Headers): Promise<Listening>
}

const OWN = { 'x-headwater': '1' }

export function askingInside({ app }: Server): Asking {
  return {
    async ask(method, path, headers, body) {
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { ...OWN, ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return answered(answer.statusCode, Object.entries(answer.headers), answer.body)
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
      const sent: Headers = { ...OWN, ...type, ...headers }
      const answer = await fetch(`${url}${path}`, { method, redirect: 'manual', headers: sent, ...payload })
      return answered(answer.status, [...answer.headers], await answer.text())
    },
    async listen(headers) {
      const answer = await fetch(`${url}/api/events`, { headers })
      return listening(answer.status, Readable.fromWeb(answer.body as never))
    },
  }
}

function answered(status: number, headers: readonly (readonly [string, unknown])[], text: string): Answered {
  const kept: Record<string, string> = {}
  for (const [name, value] of headers)
    if (name !== 'date') kept[name] = kept[name] === undefined ? String(value) : `${kept[name]},${value}`
  const isJson = kept['content-type']?.includes('json') === true && text !== ''
  return { status, headers: kept, text, body: isJson ? JSON.parse(text) : null }
}

function listening(status: number, stream: Readable): Listening {
  let text = ''
  stream.on('data', (chunk) => {
    text += String(chunk)
  })
  stream.on('error', () => {})
  const ended = new Promise<boolean>((resolve) =>
    stream.once('close', () => resolve(true)).once('end', () => resolve(true)),
  )
  return {
    status,
    text: () => text,
    ends() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), PATIENCE_MS)
      })
      return Promise.race([ended, late]).finally(() => clearTimeout(timer))
    },
    close: () => void stream.destroy(),
  }
}
