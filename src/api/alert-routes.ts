import type { FastifyInstance } from 'fastify'
import { alertFeed } from '../publisher/alerts/alert-feed.ts'
import { ALERTS } from '../publisher/alerts/alert-state.ts'
import { renderAtom } from '../publisher/formats/atom.ts'
import { renderJsonFeed } from '../publisher/formats/json-feed.ts'
import { renderRss } from '../publisher/formats/rss.ts'
import type { FeedFormatName } from '../publisher/published-feed.ts'
import type { Store } from '../store/store.ts'
import type { Authenticate } from './access/principal.ts'
import { sendProblem } from './problem.ts'
import { pathOf } from './request-path.ts'

const FORMATS: Readonly<Record<FeedFormatName, readonly [type: string, render: typeof renderAtom]>> = {
  atom: ['application/atom+xml; charset=utf-8', renderAtom],
  rss: ['application/rss+xml; charset=utf-8', renderRss],
  json: ['application/feed+json; charset=utf-8', renderJsonFeed],
}

/** `/feeds/_alerts`: for users who may see the sources, which it names. To all others it looks as if it were not there. */
export function addAlertRoutes(
  app: FastifyInstance,
  store: Pick<Store, 'state'>,
  authenticate: Authenticate,
  baseUrl: string,
): void {
  for (const [format, [type, render]] of Object.entries(FORMATS)) {
    app.get(`/feeds/_alerts.${format}`, async (request, reply) => {
      const principal = await authenticate(request)
      if (principal === null || principal.onlyFeed !== null || !principal.rights.has('read')) {
        return sendProblem(reply, 'FEED_NOT_FOUND', pathOf(request.url))
      }
      const feed = alertFeed(await store.state(ALERTS), baseUrl)
      return reply.header('cache-control', 'private, no-cache').type(type).send(render(feed))
    })
  }
}
