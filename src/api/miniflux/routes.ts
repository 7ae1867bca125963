import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Reader } from '../readers/app-door.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { notThere, ReaderFailure } from '../readers/failure.ts'
import { Library } from '../readers/library.ts'
import { pathOf } from '../request-path.ts'
import { sendJson } from '../send-json.ts'
import { MINIFLUX_ENDPOINTS, type MinifluxEndpoint } from './endpoints.ts'
import { Shelf } from './shelf.ts'

const BODY_BYTES = 8 * 1024 ** 2
const readers = new WeakMap<FastifyRequest, Reader>()

/** The Miniflux API, the part that clients use: see docs/readers.md. */
export function addMinifluxRoutes(app: FastifyInstance, deps: ReaderDeps): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const onRequest = async (request: FastifyRequest) => {
    readers.set(request, await admit(request, deps))
  }
  const open = { bodyLimit: BODY_BYTES, onRequest }
  for (const endpoint of MINIFLUX_ENDPOINTS) {
    const handler = (request: FastifyRequest, reply: FastifyReply) => serve(endpoint, request, reply, deps)
    app.route({ ...open, method: endpoint.method, url: endpoint.path, handler })
  }
  // Clients look for a reason in its words.
  const handler = async ({ method, url }: FastifyRequest) => {
    throw notThere(`${method} ${pathOf(url)}`)
  }
  app.route({ ...open, method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'], url: '/v1/*', handler })
}

/** By `X-Auth-Token`, or with name and password by Basic (RFC 7617). */
async function admit(request: FastifyRequest, { door }: ReaderDeps): Promise<Reader> {
  const token = request.headers['x-auth-token']
  const basic = /^basic +([\w+/=-]+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic ?? '', 'base64').toString()) ?? []
  const reader =
    typeof token === 'string' && token !== ''
      ? await door.open(token, 'apps', request)
      : name !== undefined && password
        ? await door.open(password, 'apps', request, name)
        : null
  if (reader === null) throw new ReaderFailure(401, 'Access Unauthorized')
  return reader
}

async function serve(
  { answer, status = 204, method }: MinifluxEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ReaderDeps,
): Promise<FastifyReply> {
  const reader = readers.get(request)
  if (reader === undefined) throw new ReaderFailure(401, 'Access Unauthorized')
  const { id, entry } = request.params as { readonly id?: string; readonly entry?: string }
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const shelf = await Shelf.open(new Library(reader, deps), deps)
  const ids = [numberOf(id), numberOf(entry)] as const
  const body = method === 'GET' ? undefined : jsonOf(raw)
  const result = await answer({ reader, shelf, ids, query: request.query, body, raw }, deps)
  reply.header('cache-control', 'no-store')
  if (result === undefined) return reply.code(status).send()
  if (Buffer.isBuffer(result)) return reply.type('text/xml; charset=utf-8').send(result)
  return sendJson(request, reply.code(status === 204 ? 200 : status), result)
}

/** What is no number is that of nothing. */
function numberOf(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0
}

/** What is no JSON is nothing: who needs it says so. */
function jsonOf(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return undefined
  }
}
