import type { FastifyInstance } from 'fastify'
import { dayOf, type InstantMs } from '../model/index.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { QualityReader, ServerDeps } from './deps.ts'
import { EXPOSITION_TYPE, expose } from './exposition.ts'
import { nodeMetrics } from './metrics.ts'
import { openFeeds } from './open-feeds.ts'

/** `/api/quality?scope=node|source:ID|category:PATH|feed:NAME&over=hour|day|week`, and `/metrics` for Prometheus. */
export function addQualityRoutes(app: FastifyInstance, deps: ServerDeps, quality: QualityReader): void {
  const { store, buffer, clock, version, health } = deps

  // With users, the caller needs a right: then it is one of the operations.
  if (deps.api === undefined) addReport(app, deps, quality)

  app.get('/metrics', async (_request, reply) => {
    const [counts, state, ever, refusals, hour, day, week] = await Promise.all([
      store.counts(),
      buffer?.state(),
      quality.ever(),
      store.refusals(dayOf(clock.now())),
      quality.report('node', 'hour'),
      quality.report('node', 'day'),
      quality.report('node', 'week'),
    ])
    const recent = { hour, day, week }
    const refusedCalls = deps.refused?.list() ?? []
    const now = { counts, buffer: state ?? null, ever, recent, refusals, refusedCalls }
    const families = nodeMetrics({ version, health, ...now })
    return reply.header('cache-control', 'no-store').type(EXPOSITION_TYPE).send(expose(families))
  })
}

function addReport(app: FastifyInstance, deps: ServerDeps, quality: QualityReader): void {
  app.get<{ Querystring: { scope?: string | string[]; over?: string | string[] } }>(
    '/api/quality',
    async (request, reply) => {
      const { scope, over } = request.query
      const name = /^feed:(.*)$/s.exec(last(scope) ?? '')?.[1]
      const isOpen = name === undefined || (await openFeeds(deps))({ kind: 'query', name })
      if (!isOpen) throw new HeadwaterError('FEED_NOT_FOUND', name)
      return reply.header('cache-control', 'no-store').send(await qualityReport(quality, last(scope), last(over)))
    },
  )
}

export async function qualityReport(quality: QualityReader, scope = 'node', over = 'day') {
  const report = await quality.report(scope, over)
  return { ...report, from: iso(report.from), to: iso(report.to) }
}

function last(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : value
}

function iso(at: InstantMs): string {
  return new Date(at).toISOString()
}
