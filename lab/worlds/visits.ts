import type { IncomingMessage, ServerResponse } from 'node:http'
import { articlePage, pageFault } from './article-pages.ts'
import { answerWithFault } from './faults/answer.ts'
import { type FaultSpec, readFault } from './faults/fault.ts'
import type { FaultExchange } from './faults/fault-exchange.ts'
import { answerFeed, answerPage } from './feed-answer.ts'
import type { FeedSet, FeedSlot } from './feed-set.ts'
import { FORMATS } from './formats/index.ts'
import { itemLink } from './items.ts'
import type { LiveFeed } from './live-feed.ts'
import { indexPage, itemPage, opmlOfFeeds, sitePage } from './pages.ts'
import { pictureOf } from './picture.ts'
import type { WorldRoute } from './routes.ts'
import type { Running } from './running.ts'
import { soundOf } from './sound.ts'

const HTML = 'text/html; charset=utf-8'

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
      else answerItem(slot, route.key, visit, running)
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

function answerItem(slot: FeedSlot, key: string, visit: Visit, running: Running): void {
  const { feed, pageVisits } = slot
  const { articles } = running
  const turn = pageVisits.get(key) ?? 0
  // Where a redirect leads is the same visit.
  if (visit.query.size === 0) pageVisits.set(key, turn + 1)
  const html = articles === null ? itemPage(feed, key) : articlePage(feed.context, key)
  const fault = articles === null ? null : pageFault(key, feed.context, articles.faultShare)
  const serve = () => sendHtml(visit.response, html)
  const document = () => Buffer.from(html)
  const page = { url: itemLink(key, feed.context), turn, contentType: HTML, document, serve }
  if (fault === null) serve()
  else answerFaulty(fault, page, visit, running)
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
  const { feed, counter } = slot
  const document = {
    url: feed.url,
    turn: slot.turns++,
    contentType: FORMATS[feed.plan.habits.format].contentType,
    document: () => feed.render(running.time.now()),
    serve: () => answerFeed(visit.request, visit.response, feed, counter, running.answer),
  }
  answerFaulty(fault, document, visit, running)
}

type FaultyDocument = Pick<FaultExchange, 'url' | 'turn' | 'contentType' | 'document' | 'serve'>

function answerFaulty(fault: FaultSpec, document: FaultyDocument, visit: Visit, { clock, ending }: Running): void {
  const { response } = visit
  const answered = answerWithFault({ ...visit, ...document, fault, clock, signal: endOf(response, ending) })
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
  response.writeHead(200, { 'content-type': HTML }).end(html)
}

function sendNothing(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing here\n')
}
