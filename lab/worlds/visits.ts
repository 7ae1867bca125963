import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerWithFault } from './faults/answer.ts'
import { type FaultSpec, readFault } from './faults/fault.ts'
import { answerFeed, answerPage } from './feed-answer.ts'
import type { FeedSet, FeedSlot } from './feed-set.ts'
import { FORMATS } from './formats/index.ts'
import type { LiveFeed } from './live-feed.ts'
import { indexPage, itemPage, opmlOfFeeds, sitePage } from './pages.ts'
import { pictureOf } from './picture.ts'
import type { WorldRoute } from './routes.ts'
import type { Running } from './running.ts'
import { soundOf } from './sound.ts'

/** One request with its parsed query. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: URLSearchParams
}

export function answerVisit(route: Exclude<WorldRoute, { kind: 'control' }>, visit: Visit, running: Running): void {
  const { feeds } = running
  const { response } = visit
  switch (route.kind) {
    case 'feed': {
      const slot = feeds.slot(route.feed)
      if (slot === null) sendNothing(response)
      else answerSlot(slot, slot.fault, visit, running)
      break
    }
    case 'fault':
      answerSlot(
        feeds.faultSlot(route.fault),
        readFault(route.fault, (key) => visit.query.get(key)),
        visit,
        running,
      )
      break
    case 'site': {
      const slot = feeds.slot(route.feed)
      if (slot === null) sendNothing(response)
      else sendHtml(response, sitePage([slot.feed]))
      break
    }
    case 'item': {
      const slot = feeds.slot(route.feed)
      if (slot === null) sendNothing(response)
      else sendHtml(response, itemPage(slot.feed, route.key))
      break
    }
    case 'image':
    case 'sound':
      sendMedium(route, response, running)
      break
    case 'host':
      sendHtml(response, sitePage(feeds.ofHost(route.host).map((slot) => slot.feed)))
      break
    case 'index':
      sendHtml(response, indexPage(liveFeeds(feeds), feeds.count))
      break
    case 'opml':
      response.writeHead(200, { 'content-type': 'text/x-opml; charset=utf-8' }).end(opmlOfFeeds(liveFeeds(feeds)))
      break
    case 'nothing':
      sendNothing(response)
  }
}

function sendMedium(
  { kind, feed, key }: Extract<WorldRoute, { kind: 'image' | 'sound' }>,
  response: ServerResponse,
  { feeds }: Running,
): void {
  const slot = feeds.slot(feed)
  if (slot === null) {
    sendNothing(response)
    return
  }
  const { seed } = slot.feed.context
  const [type, body] =
    kind === 'image' ? ['image/svg+xml', pictureOf(seed, feed, key)] : ['audio/wav', soundOf(seed, feed, key)]
  response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=86400' }).end(body)
}

function answerSlot(slot: FeedSlot, fault: FaultSpec | null, visit: Visit, running: Running): void {
  const { request, response, query } = visit
  slot.counter.requests++
  if (fault !== null) {
    answerSlotWithFault(slot, fault, visit, running)
    return
  }
  const page = slot.feed.pageOf(query)
  if (page !== null) answerPage(response, slot, page, running.time.now())
  else answerFeed(request, response, slot.feed, slot.counter, running.answer)
}

function answerSlotWithFault(slot: FeedSlot, fault: FaultSpec, visit: Visit, running: Running): void {
  const { request, response, query } = visit
  const { feed, counter } = slot
  const answered = answerWithFault({
    request,
    response,
    query,
    fault,
    clock: running.clock,
    url: feed.url,
    signal: endOf(response, running.ending),
    turn: slot.turns++,
    contentType: FORMATS[feed.plan.habits.format].contentType,
    document: () => feed.render(running.time.now()),
    serve: () => answerFeed(request, response, feed, counter, running.answer),
  })
  answered?.catch(() => response.destroy())
}

/** Aborts when the answer is over or the world ends. */
function endOf(response: ServerResponse, ending: AbortSignal): AbortSignal {
  const ended = new AbortController()
  const end = () => {
    ending.removeEventListener('abort', end)
    ended.abort()
  }
  response.once('close', end)
  ending.addEventListener('abort', end)
  return ended.signal
}

function* liveFeeds(feeds: FeedSet): Generator<LiveFeed> {
  for (const slot of feeds.all()) yield slot.feed
}

function sendHtml(response: ServerResponse, html: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}

function sendNothing(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing here\n')
}
