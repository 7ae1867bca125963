import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { systemClock } from '../../src/runtime/clock.ts'
import type { SiteRequest } from './requests.ts'
import { answerDelay, countShown, documentOf, type SitesPlan } from './sites.ts'
import type { SentMessage, SitesAnswer, SitesHello, SitesQuestion } from './sites-process.ts'

/** The sites, in a process of their own: a host for each, on an address that it has for itself; they log who asks what when. */
const { addresses, ...given }: Omit<SitesPlan, 'startsAt'> & { addresses: readonly string[] } = JSON.parse(
  process.argv[2] ?? '',
)
let plan: SitesPlan = { ...given, startsAt: Number.POSITIVE_INFINITY }
const requests: SiteRequest[] = []
const messages: SentMessage[] = []
/** null: items go on coming. */
let endedAt: number | null = null

const countOf = (feed: number) => countShown(plan, feed, endedAt ?? systemClock.now())

async function answer(host: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') return takeMessage(request, response)
  const feed = Number(request.url?.slice('/feed/'.length))
  const entry: SiteRequest = { by: request.headers['user-agent'] ?? '', host, feed, fromMs: systemClock.monotonicMs() }
  requests.push(entry)
  response.once('close', () => {
    entry.untilMs = systemClock.monotonicMs()
  })
  await systemClock.sleep(answerDelay(plan, feed, requests.length))
  const count = countOf(feed)
  const headers = { 'content-type': 'application/rss+xml', etag: `"${count}"` }
  const isKnown = request.headers['if-none-match'] === headers.etag
  response.writeHead(isKnown ? 304 : 200, headers).end(isKnown ? undefined : documentOf(plan, feed, count))
}

async function takeMessage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: { readonly item: { readonly id: string } } = JSON.parse(await text(request))
  messages.push({ id: String(request.headers['webhook-id']), item: body.item.id })
  response.end()
}

const ports = await Promise.all(
  addresses.map(async (address, host) => {
    const server = createServer(
      (request, response) => void answer(host, request, response).catch(() => response.destroy()),
    )
    server.listen(0, address)
    await once(server, 'listening')
    const bound = server.address()
    return typeof bound === 'object' ? (bound?.port ?? 0) : 0
  }),
)

process.on('message', (question: SitesQuestion) => {
  if (question.begin) plan = { ...given, startsAt: systemClock.now() }
  if (question.end) endedAt ??= systemClock.now()
  const published = Array.from({ length: plan.feeds }, (_, feed) => countOf(feed))
  process.send?.({ published, requests: question.log ? requests : [], messages } satisfies SitesAnswer)
})
process.once('disconnect', () => process.exit())
process.send?.({ ports } satisfies SitesHello)
