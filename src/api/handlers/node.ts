import type { Readable } from 'node:stream'
import { type FeedAddress, feedPath, parseFeedPath } from '../../publisher/addresses.ts'
import { canonicalPath, isPrivateIn, readPrivateFeeds, setPrivateFeed } from '../../publisher/feed-access.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { urlsOfFeed } from '../feed-list.ts'
import type { labOperations, nodeOperations } from '../operations/node.ts'
import { qualityReport } from '../quality-routes.ts'
import { readinessOf } from '../readiness.ts'
import type { CallContext, Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { demandBuiltIn, feedReadBy } from './feed-rights.ts'
import { overviewOf } from './overview.ts'

export function nodeHandlers(
  deps: HandlerDeps,
): Pick<Handlers, keyof typeof nodeOperations | keyof typeof labOperations> {
  const { store, buffer, services, quality, jobs, events, feeds, health, clock, version } = deps
  return {
    async health(_input, { reply, isAdmin }) {
      const counts = () => store.counts()
      const state = async () => (await buffer?.state()) ?? null
      const readiness = await readinessOf({ counts, buffer: state, health, version, withDetails: isAdmin })
      if (readiness.status === 'unready') reply.code(503).header('cache-control', 'no-store').send(readiness)
      return readiness
    },
    overview: ({ query }, call) => overviewOf(query.over, call, deps),
    async qualityReport({ query: { scope, over } }, call) {
      await demandScope(scope, call, deps)
      return qualityReport(quality, scope, over)
    },
    async qualitySeries({ query: { scope, over } }, call) {
      await demandScope(scope, call, deps)
      const { stepMs, points } = await quality.series(scope, over)
      return { scope, over, stepMs, points: [...points] }
    },
    showBudget: () => services.budget.show(),
    async setBudget({ body }) {
      await services.budget.set(withoutUndefined(body))
      return services.budget.show()
    },
    async listFeeds() {
      const hidden = await readPrivateFeeds(store)
      const describe = (address: FeedAddress, title: string) => ({
        feed: feedPath(address),
        title,
        isPrivate: isPrivateIn(hidden, address),
        urls: urlsOfFeed(feeds.baseUrl, address),
      })
      const categories = await store.categories()
      return {
        feeds: [
          describe({ kind: 'all' }, 'Everything'),
          ...categories.map(({ category }) => describe({ kind: 'category', category }, category)),
        ],
        sourcesArePrivate: hidden.has('/feeds/source/*'),
      }
    },
    async setFeedAccess({ body: { feed, isPrivate } }, call) {
      const path = canonicalPath(feed)
      await demandBuiltIn(parseFeedPath(`${path}.rss`)?.address ?? { kind: 'all' }, 'change', call, deps)
      await setPrivateFeed(path, isPrivate, store)
      return undefined
    },

    listSettings: async () => ({ settings: [...(await services.settings.list())] }),
    checkSettings: async ({ body }) => ({ errors: [...services.settings.check(body)] }),
    setSettings: ({ body }) => services.settings.set(body),
    async backup() {
      const { stream, bytes } = await services.backups.read()
      const day = new Date(clock.now()).toISOString().slice(0, 10)
      return {
        body: stream,
        headers: {
          'content-disposition': `attachment; filename="headwater-${day}.db"`,
          'content-length': String(bytes),
        },
      }
    },
    async restore(_input, { request, reply }) {
      const body = request.body as Readable | undefined | null
      if (body === undefined || body === null || typeof body.pipe !== 'function')
        throw new HeadwaterError('BACKUP_INVALID')
      const restored = await services.backups.take(body)
      const { restart } = services
      // Not before the answer is out.
      if (restart !== null) reply.raw.once('finish', restart)
      return { ...restored, restarts: restart !== null, startedAt: health.startedAt() }
    },

    async events(_input, { reply, request, user }) {
      reply.hijack()
      const isStillIn = async () => (await deps.authenticate(request))?.rights.has('read') === true
      events.listen(reply.raw, user.id, isStillIn)
      return { body: null }
    },
    async showJob({ params }, { user }) {
      const job = await jobs.find(params.id, user.id)
      if (job === null) throw new HeadwaterError('JOB_NOT_FOUND')
      return job
    },
    async runLab({ body }, { user }) {
      const { lab } = services
      if (lab === null) throw new HeadwaterError('LAB_UNAVAILABLE')
      return { job: await jobs.start('lab', user.id, (onProgress) => lab.run(body, onProgress)) }
    },
  }
}

/** The quality of a feed reveals something of it: one that the caller may not read is answered as missing. */
async function demandScope(scope: string, call: CallContext, deps: HandlerDeps): Promise<void> {
  if (scope.startsWith('feed:')) await feedReadBy(scope.slice('feed:'.length), call, deps)
}

function withoutUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
