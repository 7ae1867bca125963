import type { FastifyInstance } from 'fastify'
import type { ServerDeps } from './deps.ts'
import { PAGE_POLICY } from './html.ts'
import { overviewPage } from './overview-page.ts'

const SOURCES_PER_PAGE = 200

export function addStatusRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { store, feeds, buffer, clock, version } = deps

  app.get('/health', async (_request, reply) => {
    const [counts, state] = await Promise.all([store.counts(), buffer?.state()])
    return reply.header('cache-control', 'no-store').send({ status: 'ok', version, ...counts, buffer: state ?? null })
  })

  app.get<{ Querystring: { page?: string } }>('/', async (request, reply) => {
    const [counts, categories, sources, queries] = await Promise.all([
      store.counts(),
      store.categories(),
      store.sources(),
      store.queryFeeds(),
    ])
    const queryFeeds = queries.filter(({ isPrivate }) => !isPrivate)
    const pages = Math.max(1, Math.ceil(sources.length / SOURCES_PER_PAGE))
    const current = Math.min(pages, Math.max(1, Math.trunc(Number(request.query.page)) || 1))
    const shown = sources.slice((current - 1) * SOURCES_PER_PAGE, current * SOURCES_PER_PAGE)
    const failing = sources.filter(({ state }) => state.lastError !== null).length
    const view = {
      baseUrl: feeds.baseUrl,
      counts,
      categories,
      queryFeeds,
      shown,
      failing,
      page: current,
      pages,
      now: clock.now(),
    }
    return reply
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY })
      .type('text/html; charset=utf-8')
      .send(overviewPage(view))
  })
}
