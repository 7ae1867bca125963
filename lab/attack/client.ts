import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface AttackAnswer {
  /** 0: none came; `text` then says why. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Of JSON; undefined where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: attacks look into answers freely
  readonly body: any
}

export interface AttackRequest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly cookie?: string | undefined
  readonly token?: string | undefined
  /** Of the asking machine: any of 127.0.0.0/8. */
  readonly from?: string
  /** Without the header that pages of other sites cannot send. */
  readonly isBare?: boolean
  readonly withinMs?: number
  readonly mostBytes?: number
}

/** Generous: a hang must end, a busy machine must not matter. */
const WITHIN_MS = 120_000
const MOST_BYTES = 64 * 1024 ** 2

export interface Client {
  /** The path goes out as it is given: nothing is normalised. Never rejects. */
  ask(method: string, path: string, options?: AttackRequest): Promise<AttackAnswer>
  close(): void
}

/** Requests that are bounded in time and size, whatever the other side does. */
export function createClient(host: string, port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    ask: (method, path, options = {}) => ask({ host, port, agent, method, path }, options),
    close: () => agent.destroy(),
  }
}

interface Target {
  readonly host: string
  readonly port: number
  readonly agent: Agent
  readonly method: string
  readonly path: string
}

function ask(target: Target, options: AttackRequest): Promise<AttackAnswer> {
  const { body, from, withinMs = WITHIN_MS, mostBytes = MOST_BYTES } = options
  const payload = payloadOf(body)
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    const chunks: Buffer[] = []
    const end = (answer: AttackAnswer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    const request = httpRequest(
      { ...target, headers: headersOf(options, payload), ...(from === undefined ? {} : { localAddress: from }) },
      (response) => {
        let size = 0
        const finish = () => {
          received = Buffer.concat(chunks)
          end(answerOf(response.statusCode ?? 0, response.headers, received.toString('utf8')))
        }
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (size > mostBytes) response.destroy()
        })
        response.on('end', finish)
        response.on('close', finish)
        response.on('error', finish)
      },
    )
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${withinMs} ms`)), withinMs)
    request.on('socket', bearErrors)
    request.on('error', (error) => end({ status: 0, headers: {}, text: error.message, body: undefined }))
    request.end(payload)
  })
}

const borne = new WeakSet<Socket>()

/** A server that refuses an upload hangs up while it is still sent; once the answer is here, nothing else handles that error. */
function bearErrors(socket: Socket): void {
  if (borne.has(socket)) return
  borne.add(socket)
  socket.on('error', () => {})
}

function payloadOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function headersOf(options: AttackRequest, payload: Buffer | undefined): Record<string, string | string[]> {
  const { body, cookie, token, isBare, headers = {} } = options
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const entries = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]])
  return {
    ...(isBare === true ? {} : { 'x-headwater': '1' }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined ? {} : { 'content-type': isRaw ? 'application/octet-stream' : 'application/json' }),
    ...(payload === undefined ? {} : { 'content-length': String(payload.length) }),
    ...Object.fromEntries(entries),
  }
}

function answerOf(status: number, headers: IncomingHttpHeaders, text: string): AttackAnswer {
  const isJson = /json/.test(headers['content-type'] ?? '')
  return { status, headers, text, body: isJson ? parseJson(text) : undefined }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends bytes as they are and returns what came until the other side closed, or the time was over. */
export function sendRaw(host: string, port: number, bytes: string | Buffer, withinMs = 10_000): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, host, () => socket.write(bytes))
    const timer = setTimeout(() => socket.destroy(), withinMs)
    socket.on('data', (chunk) => {
      if (received.length < 1_000_000) received += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(received)
    })
  })
}
