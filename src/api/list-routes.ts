import type { FastifyInstance, FastifyReply } from 'fastify'
import { withoutCredentials } from '../publisher/web-address.ts'
import { type OpmlSource, opmlParts, outlineParts } from '../sources/opml.ts'
import { allListedSources } from '../store/all-sources.ts'
import type { ListedSource } from '../store/source-summaries.ts'
import { prefersJson } from './accept.ts'
import type { ServerDeps } from './deps.ts'
import { feedOutlines, type ListedFeed, listFeeds } from './feed-list.ts'
import { type Html, html, htmlPage, PAGE_POLICY } from './html.ts'
import { jsonParts } from './json-parts.ts'
import { openFeeds } from './open-feeds.ts'
import { LANGUAGE_VARIES, pageWordsFor } from './page-language.ts'
import type { PageWords } from './page-words.ts'
import { bytesOf, collect } from './parts.ts'

/** The lists: what is published, as page, JSON and OPML, and the sources as OPML. */
export function addListRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { store, feeds, clock } = deps
  const list = async () => {
    const isOpen = await openFeeds(deps)
    const sources = await allListedSources(store)
    const all = await collect(listFeeds(feeds.baseUrl, await store.categories(), sources, await store.queryFeeds()))
    return all.filter((feed) => isOpen(feed))
  }

  app.get('/feeds', async (request, reply) => {
    reply.header('vary', `Accept, ${LANGUAGE_VARIES}`)
    if (prefersJson(request.headers.accept)) return sendJson(reply, await list())
    return sendPage(reply, await list(), pageWordsFor(request))
  })
  app.get('/feeds.json', async (_request, reply) => sendJson(reply, await list()))
  app.get('/feeds.opml', async (_request, reply) => {
    const outlines = feedOutlines(await list())
    return sendOpml(reply, 'feeds.opml', outlineParts(outlines, 'Feeds published by Headwater', clock.now()))
  })
  app.get('/opml', async (_request, reply) => {
    const sources = await openSources(deps)
    return sendOpml(reply, 'sources.opml', opmlParts(sources, 'Sources of Headwater', clock.now()))
  })
}

/** Without passwords: whoever can read the feeds can read this list. */
function opmlSource({ url, name, title, siteUrl, categories }: ListedSource): OpmlSource {
  return { url: withoutCredentials(url), name: name ?? title, siteUrl, categories }
}

async function sendJson(reply: FastifyReply, feeds: readonly ListedFeed[]): Promise<FastifyReply> {
  const body = await bytesOf(jsonParts({ feeds }))
  return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(body)
}

async function sendOpml(reply: FastifyReply, fileName: string, parts: Iterable<string>): Promise<FastifyReply> {
  const body = await bytesOf(parts)
  return reply
    .headers({ 'cache-control': 'no-cache', 'content-disposition': `inline; filename="${fileName}"` })
    .type('text/x-opml; charset=utf-8')
    .send(body)
}

function* rowsOf(feeds: readonly ListedFeed[], words: PageWords['feeds']): Generator<Html> {
  for (const { kind, title, urls } of feeds)
    yield html`<tr><td>${kind === 'all' ? words.everything : title}</td><td class="soft">${words.kinds[kind]}</td>
<td class="short"><a href="${urls.rss}">RSS</a> <a href="${urls.atom}">Atom</a> <a href="${urls.json}">JSON</a></td></tr>
`
}

async function sendPage(reply: FastifyReply, list: readonly ListedFeed[], words: PageWords): Promise<FastifyReply> {
  const { feeds } = words
  const rows = await collect(rowsOf(list, feeds))
  const body = html`<h1>${feeds.title}</h1>
<p class="soft">${feeds.lead}</p>
<nav><a href="./">${words.overview}</a> <a href="feeds.json">${feeds.asJson}</a> <a href="feeds.opml">${feeds.asOpml}</a></nav>
<div class="scroll"><table class="feeds"><thead><tr><th>${feeds.feed}</th><th>${feeds.kind}</th><th>${feeds.subscribe}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
  return reply
    .headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY })
    .type('text/html; charset=utf-8')
    .send(htmlPage(`${feeds.title} · Headwater`, html``, body, './', words.language))
}

async function openSources(deps: ServerDeps) {
  const isOpen = await openFeeds(deps)
  const open = (await allListedSources(deps.store)).filter(({ id }) => isOpen({ kind: 'source', sourceId: id }))
  return open.map((source) => {
    const categories = source.categories.filter((category) => isOpen({ kind: 'category', category }))
    return opmlSource({ ...source, categories })
  })
}
