import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Params } from '../greader/params.ts'
import { Shelf } from '../miniflux/shelf.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { Library } from '../readers/library.ts'
import { readForm } from '../readers/read-form.ts'
import { sendJson } from '../send-json.ts'
import { FEVER_ANSWERS, type FeverCall } from './answers.ts'
import { markByFever } from './marks.ts'

/** Fever's own place, and that of FreshRSS. Apps add `?api` to it. */
const PATHS = ['/fever', '/fever/', '/api/fever.php'] as const
const BODY_BYTES = 65_536
const API_VERSION = 3

/** The Fever API, for apps that know nothing else: see docs/readers.md. */
export function addFeverRoutes(app: FastifyInstance, deps: ReaderDeps): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  for (const url of PATHS) {
    app.route({
      method: ['GET', 'POST'],
      url,
      bodyLimit: BODY_BYTES,
      handler: (request, reply) => serve(request, reply, deps),
    })
  }
}

async function serve(request: FastifyRequest, reply: FastifyReply, deps: ReaderDeps): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const form = await readForm(request)
  // A key in the address would stand in the logs of every proxy: it is taken from the body alone.
  const key = new Params('', form).get('api_key')?.toLowerCase() ?? ''
  const reader = key === '' ? null : await deps.door.open(key, 'fever', request)
  // Apps look at `auth`, not at the status.
  if (reader === null) return sendJson(request, reply, { api_version: API_VERSION, auth: 0 })
  const shelf = await Shelf.open(new Library(reader, deps), deps)
  const params = new Params(request.url, form)
  const call: FeverCall = { shelf, scope: await shelf.library.scope(), params }
  const changed = request.method === 'POST' ? await markByFever(call, deps) : []
  const wanted = Object.entries(FEVER_ANSWERS).filter(([name]) => changed.includes(name) || params.get(name) !== null)
  const parts = []
  for (const [, answer] of wanted) parts.push(await answer(call, deps))
  return sendJson(request, reply, {
    api_version: API_VERSION,
    auth: 1,
    last_refreshed_on_time: await lastRefreshS(deps),
    ...Object.assign({}, ...parts),
  })
}

async function lastRefreshS({ directory }: ReaderDeps): Promise<number> {
  let last = 0
  for (const { lastCheckAt } of (await directory.byId()).values()) last = Math.max(last, lastCheckAt ?? 0)
  return Math.floor(last / 1_000)
}
