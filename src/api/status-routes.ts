import type { FastifyInstance } from 'fastify'
import { allSources } from '../store/all-sources.ts'
import type { Dashboard } from './dashboard.ts'
import type { ServerDeps } from './deps.ts'
import { PAGE_POLICY } from './html.ts'
import { openFeeds } from './open-feeds.ts'
import { overviewPage } from './overview-page.ts'

const SOURCES_PER_PAGE = 200

export function addStatusRoutes(app: FastifyInstance, deps: ServerDeps, dashboard: Dashboard | null): void {
  const { store, feeds, clock, version } = deps

  // Alive is who answers at all: a store that is slow or gone must not have the process killed.
  app.get('/health', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok', version }))
  // Whether it is ready is decided in one place. Relative: a proxy may have this below a path.
  app.get('/ready', (_request, reply) => reply.header('cache-control', 'no-store').redirect('api/health', 308))

  app.get<{ Querystring: { page?: string } }>('/', async (request, reply) => {
    if (dashboard !== null) return dashboard.send(request, reply)
    const [counts, folders, all, queries, isOpen] = await Promise.all([
      store.counts(),
      store.categories(),
      allSources(store),
      store.queryFeeds(),
      openFeeds(deps),
    ])
    const sources = all.filter(({ id }) => isOpen({ kind: 'source', sourceId: id }))
    const categories = folders.filter(({ category }) => isOpen({ kind: 'category', category }))
    const queryFeeds = queries.filter(({ name }) => isOpen({ kind: 'query', name }))
    const pages = Math.max(1, Math.ceil(sources.length / SOURCES_PER_PAGE))
    const current = Math.min(pages, Math.max(1, Math.trunc(Number(request.query.page)) || 1))
    const pageOfSources = sources.slice((current - 1) * SOURCES_PER_PAGE, current * SOURCES_PER_PAGE)
    const failing = sources.filter(({ state }) => state.lastError !== null).length
    const view = {
      baseUrl: feeds.baseUrl,
      counts,
      categories,
      queryFeeds,
      isAllOpen: isOpen({ kind: 'all' }),
      sources: pageOfSources,
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
