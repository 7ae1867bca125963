import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Reader } from '../readers/app-door.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { ReaderFailure } from '../readers/failure.ts'
import { Library } from '../readers/library.ts'
import { readForm } from '../readers/read-form.ts'
import { pathOf } from '../request-path.ts'
import { sendJson } from '../send-json.ts'
import type { Endpoint, GReaderAnswer } from './endpoint.ts'
import { listEndpoints } from './list-endpoints.ts'
import { markEndpoints } from './mark-endpoints.ts'
import { Params } from './params.ts'
import { atomEndpoint, readEndpoints } from './read-endpoints.ts'
import { subscriptionEndpoints } from './subscription-endpoints.ts'

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  ...readEndpoints,
  ...markEndpoints,
  ...listEndpoints,
  ...subscriptionEndpoints,
}

/** Google's own place, and that of FreshRSS, which many apps add to the address that they are given. */
const MOUNTS = ['', '/api/greader.php'] as const
const LOG_IN_BYTES = 16_384
/** Ten thousand ids in their long form, escaped; a list of subscriptions. */
const BODY_BYTES = 8 * 1024 ** 2

const readers = new WeakMap<FastifyRequest, Reader>()

/** The Google Reader API: see docs/readers.md. */
export function addGReaderRoutes(app: FastifyInstance, deps: ReaderDeps): void {
  // Bodies are read as they come: apps name all kinds of types.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  for (const mount of MOUNTS) {
    for (const url of [`${mount}/accounts/ClientLogin`, `${mount}/accounts/ClientLogin/`]) {
      const handler = (request: FastifyRequest, reply: FastifyReply) => logIn(request, reply, deps)
      app.route({ method: ['GET', 'POST'], url, bodyLimit: LOG_IN_BYTES, handler })
    }
    const onRequest = async (request: FastifyRequest) => {
      readers.set(request, await admit(request, deps))
    }
    const open = { method: ['GET', 'POST'], bodyLimit: BODY_BYTES, onRequest }
    for (const url of [`${mount}/reader/api/0/*`, `${mount}/reader/atom/*`, `${mount}/reader/atom`]) {
      app.route({ ...open, url, handler: (request, reply) => serve(request, reply, mount, deps) })
    }
    app.route({ ...open, url: `${mount}/reader/ping`, handler: (_request, reply) => sendText(reply, 'OK') })
  }
}

async function logIn(request: FastifyRequest, reply: FastifyReply, { door }: ReaderDeps): Promise<FastifyReply> {
  const params = new Params(request.url, await readForm(request))
  const [name, password] = [params.get('Email'), params.get('Passwd')]
  const reader = name && password ? await door.open(password, 'apps', request, name) : null
  if (reader === null) return sendText(reply.code(401), 'Error=BadAuthentication\n')
  // The app shows again what it was let in with: there is nothing to store, and taking the password back ends it at once.
  const { secret } = reader
  if (params.get('output') === 'json') return sendJson(request, reply, { SID: secret, LSID: 'null', Auth: secret })
  return sendText(reply, `SID=${secret}\nLSID=null\nAuth=${secret}\n`)
}

async function admit(request: FastifyRequest, { door }: ReaderDeps): Promise<Reader> {
  const secret = /^GoogleLogin\s+auth=(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const reader = secret === undefined ? null : await door.open(secret, 'apps', request)
  if (reader === null) throw new ReaderFailure(401, 'Unauthorized')
  return reader
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  mount: string,
  deps: ReaderDeps,
): Promise<FastifyReply> {
  const reader = readers.get(request)
  if (reader === undefined) throw new ReaderFailure(401, 'Unauthorized')
  const path = pathOf(request.url).slice(mount.length)
  const params = new Params(request.url, await readForm(request))
  if (/^\/reader\/api\/0\/token\/*$/.test(path)) return sendText(reply, changeToken(reader))
  const found = endpointOf(path)
  if (found === null) throw new ReaderFailure(404, 'Not found')
  const { endpoint, rest } = found
  if (endpoint.isChange === true) {
    if (request.method !== 'POST') throw new ReaderFailure(405, 'Send this with POST')
    if (!isChangeToken(params.get('T') ?? '', reader)) {
      reply.header('x-reader-google-bad-token', 'true')
      throw new ReaderFailure(401, 'Bad token')
    }
  }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const answer = await endpoint.answer({ library: new Library(reader, deps), params, rest, body }, deps)
  return send(request, reply, answer, endpoint.isText === true)
}

/** Long names before short ones, as `stream/items/contents` before `stream`. */
function endpointOf(path: string): { readonly endpoint: Endpoint; readonly rest: string } | null {
  const atom = /^\/reader\/atom(?:\/(.*))?$/s.exec(path)
  if (atom !== null) return { endpoint: atomEndpoint, rest: streamIn(atom[1] ?? '') }
  const whole = path.slice('/reader/api/0/'.length)
  const name = whole.replace(/\/+$/, '')
  const exact = Object.hasOwn(ENDPOINTS, name) ? ENDPOINTS[name] : undefined
  if (exact !== undefined) return { endpoint: exact, rest: '' }
  const stream = /^stream\/contents\/(.+)$/s.exec(whole)?.[1]
  return stream === undefined ? null : { endpoint: readEndpoints['stream/contents'], rest: streamIn(stream) }
}

/** Where a stream is an address, the slash at its end belongs to it. */
function streamIn(path: string): string {
  const stream = decoded(path)
  return /^feed\/https?:/i.test(stream) ? stream : stream.replace(/\/+$/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Nothing but the password lets anybody in, which no page of another site can send. So `T` is only for those that insist on one: it
 * may be missing, and Liferea sends the password in its place.
 */
function changeToken({ secret }: Reader): string {
  return createHash('sha256').update(`change token\n${secret}`).digest('base64url').padEnd(57, 'Z')
}

function isChangeToken(given: string, reader: Reader): boolean {
  return given === '' || [changeToken(reader), reader.secret].some((known) => isEqual(given, known))
}

function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: GReaderAnswer,
  isText: boolean,
): Promise<FastifyReply> | FastifyReply {
  if (typeof answer === 'string') return sendText(reply, answer)
  reply.header('cache-control', 'no-store')
  if ('document' in answer) return reply.type(answer.type).send(answer.document)
  return sendJson(request, reply, answer, isText ? 'text/plain; charset=utf-8' : undefined)
}
