import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReadAccess } from '../access/index.ts'
import { type FeedAddress, parseArchive, parseFeedPath } from '../publisher/addresses.ts'
import { absence, type CheckAccess, type FeedAccess } from '../publisher/feed-access.ts'
import type { FeedService, RenderedFeed } from '../publisher/feeds.ts'
import { hubLinks, topicUrl } from '../publisher/hub/topic.ts'
import type { FeedFormatName } from '../publisher/published-feed.ts'
import { pickEncoding } from './accept.ts'
import { addressGroup } from './access/address-group.ts'
import { sessionOf } from './access/principal.ts'
import { isNotModified } from './conditional.ts'
import { tokenOf } from './credentials.ts'
import { sendProblem } from './problem.ts'
import { pathOf } from './request-path.ts'

/** Readers poll every few minutes at most; a minute in a shared cache spares us without being late. */
const MAX_AGE_S = 60
/** Nothing is added to a document of an archive; an edit may still show. */
const ARCHIVE_MAX_AGE_S = 3_600

/** Of what a program calls itself. */
const LONGEST_AGENT = 500

type Query = Readonly<Record<string, unknown>>

interface RequestedFeed {
  readonly address: FeedAddress
  readonly format: FeedFormatName
}

export function addFeedRoutes(
  app: FastifyInstance,
  feeds: FeedService,
  checkAccess: CheckAccess,
  readAccess: ReadAccess,
): void {
  const sendAbsent = async (reply: FastifyReply, path: string, access: FeedAccess) => {
    // Who was let in may know that there is nothing.
    const answer = access === 'granted' ? 'missing' : access === 'open' ? absence(await readAccess()) : access
    return answer === 'denied' ? askForToken(reply, path) : sendProblem(reply, 'FEED_NOT_FOUND', path)
  }
  app.get<{ Querystring: Query }>('/feeds/*', async (request, reply) => {
    // The router has decoded the path already; a category needs it as sent.
    const path = pathOf(request.url)
    const requested = parseFeedPath(path)
    // Without what follows the path: there may be a token in it.
    if (requested === null) return sendProblem(reply, 'FEED_NOT_FOUND', path)
    const access = await checkAccess(
      requested.address,
      tokenOf(request.headers.authorization, request.query.token),
      sessionOf(request),
    )
    if (access === 'denied' || access === 'missing') return sendAbsent(reply, path, access)
    if (requested.address.kind === 'query' && request.query.after !== undefined) {
      return sendOn(request, reply, requested, feeds)
    }
    const document = documentOf(requested.address, request.query)
    const found = document && (await find(request, feeds, document, requested.format))
    if (!found)
      return requested.address.kind === 'query'
        ? sendProblem(reply, 'FEED_NOT_FOUND', path)
        : sendAbsent(reply, path, access)
    if (feeds.hubUrl !== null && !isArchive(document)) {
      const { token } = request.query
      const topic = { address: document, format: requested.format, token: typeof token === 'string' ? token : null }
      // The header goes before the document (WebSub §4), and only here is the token that the hub will ask for.
      reply.header('link', hubLinks(feeds.hubUrl, topicUrl(topic, feeds.baseUrl)))
    }
    return sendFeed(request, reply, found, document, access)
  })
}

function documentOf(address: FeedAddress, query: Query): FeedAddress | null {
  if (address.kind !== 'query' || query.archive === undefined) return address
  const archive = parseArchive(String(query.archive))
  return archive && { ...address, archive }
}

/** To the document that follows a place in the archive, which is the feed itself until there is one. */
async function sendOn(
  request: FastifyRequest,
  reply: FastifyReply,
  { address, format }: RequestedFeed,
  feeds: FeedService,
) {
  const { after, token } = request.query as Query
  const path = pathOf(request.url)
  const isPlace = typeof after === 'string' && /^\d{1,15}$/.test(after) && address.kind === 'query'
  const rest = isPlace ? await feeds.documentAfter(address.name, Number(after)) : null
  if (rest === null) return sendProblem(reply, 'FEED_NOT_FOUND', path)
  const name = path.slice(path.lastIndexOf('/') + 1, -format.length - 1)
  const own = typeof token === 'string' ? `${rest === '' ? '?' : '&'}token=${encodeURIComponent(token)}` : ''
  return reply.header('cache-control', 'no-cache').redirect(`${name}.${format}${rest}${own}`, 302)
}

interface FeedRequest {
  readonly feed: RenderedFeed
  readonly isDelta: boolean
}

async function find(
  request: FastifyRequest,
  feeds: FeedService,
  address: FeedAddress,
  format: FeedFormatName,
): Promise<FeedRequest | null> {
  const by = {
    address: addressGroup(request.ip),
    userAgent: (header(request, 'user-agent') ?? '').slice(0, LONGEST_AGENT),
  }
  const whole = await feeds.get(address, format, by)
  if (whole === null) return null
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch === undefined || address.kind !== 'query' || address.archive || !acceptsDelta(request)) {
    return { feed: whole, isDelta: false }
  }
  const part = await feeds.delta(address, format, ifNoneMatch)
  return part ? { feed: part, isDelta: true } : { feed: whole, isDelta: false }
}

/** RFC 3229 §10.5.3: `A-IM: feed`, perhaps among others, unless its q is 0. */
function acceptsDelta(request: FastifyRequest): boolean {
  const methods = (header(request, 'a-im') ?? '').toLowerCase().split(',')
  return methods.some((method) => /^\s*feed\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(method))
}

function askForToken(reply: FastifyReply, path: string): FastifyReply {
  const challenge = 'Basic realm="Headwater", charset="UTF-8", Bearer realm="Headwater"'
  return sendProblem(reply.header('www-authenticate', challenge), 'FEED_PRIVATE', path)
}

async function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  { feed, isDelta }: FeedRequest,
  address: FeedAddress,
  access: FeedAccess,
): Promise<FastifyReply> {
  const encoding = pickEncoding(header(request, 'accept-encoding'))
  const etag = encoding === 'gzip' ? feed.gzipEtag : feed.etag
  reply.headers({
    etag,
    'last-modified': new Date(feed.lastModified).toUTCString(),
    'cache-control': cacheControl(address, access),
    vary: varyOf(address, access),
  })
  if (isNotModified(request.headers, { etag, lastModified: feed.lastModified })) return reply.code(304).send()
  reply.header('content-type', feed.contentType)
  // §10.9: a cache that does not know the manipulation must not keep its result for the feed.
  if (isDelta) reply.code(226).headers({ im: 'feed', 'cache-control': 'no-store, im' })
  if (encoding === 'identity') return reply.send(feed.body)
  return reply.header('content-encoding', 'gzip').send(await feed.gzip())
}

function cacheControl(address: FeedAddress, access: FeedAccess): string {
  return `${access === 'open' ? 'public' : 'private'}, max-age=${isArchive(address) ? ARCHIVE_MAX_AGE_S : MAX_AGE_S}`
}

function isArchive(address: FeedAddress): boolean {
  return address.kind === 'query' && address.archive !== undefined
}

function varyOf(address: FeedAddress, access: FeedAccess): string {
  if (address.kind !== 'query') return 'Accept-Encoding'
  return `Accept-Encoding, A-IM, If-None-Match${access === 'open' ? '' : ', Authorization'}`
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
