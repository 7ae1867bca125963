import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseFeedPath } from '../publisher/addresses.ts'
import type { FeedService, RenderedFeed } from '../publisher/feeds.ts'
import { pickEncoding } from './accept.ts'
import { isNotModified } from './conditional.ts'
import { sendProblem } from './problem.ts'

/** Readers poll every few minutes at most; a minute in a shared cache spares us without being late. */
const CACHE_CONTROL = 'public, max-age=60'

export function addFeedRoutes(app: FastifyInstance, feeds: FeedService): void {
  app.get('/feeds/*', async (request, reply) => {
    // The router has decoded the path already; a category needs it as sent.
    const wanted = parseFeedPath(request.url.split('?', 1)[0])
    const feed = wanted && (await feeds.get(wanted.address, wanted.format))
    return feed ? sendFeed(request, reply, feed) : sendProblem(reply, 'FEED_NOT_FOUND', request.url)
  })
}

async function sendFeed(request: FastifyRequest, reply: FastifyReply, feed: RenderedFeed): Promise<FastifyReply> {
  const encoding = pickEncoding(header(request, 'accept-encoding'))
  const etag = encoding === 'gzip' ? feed.gzipEtag : feed.etag
  reply.headers({
    etag,
    'last-modified': new Date(feed.lastModified).toUTCString(),
    'cache-control': CACHE_CONTROL,
    vary: 'Accept-Encoding',
  })
  if (isNotModified(request.headers, { etag, lastModified: feed.lastModified })) return reply.code(304).send()
  reply.header('content-type', feed.contentType)
  if (encoding === 'identity') return reply.send(feed.body)
  return reply.header('content-encoding', 'gzip').send(await feed.gzip())
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
