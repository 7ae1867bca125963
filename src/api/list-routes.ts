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
    reply.header('vary', 'Accept')
    return prefersJson(request.headers.accept) ? sendJson(reply, await list()) : sendPage(reply, await list())
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

const KIND_WORDS: Readonly<Record<ListedFeed['kind'], string>> = {
  all: 'all sources',
  category: 'folder',
  query: 'query feed',
  source: 'source',
}

function* rowsOf(feeds: readonly ListedFeed[]): Generator<Html> {
  for (const { kind, title, urls } of feeds)
    yield html`<tr><td>${title}</td><td class="soft">${KIND_WORDS[kind]}</td>
<td class="short"><a href="${urls.rss}">RSS</a> <a href="${urls.atom}">Atom</a> <a href="${urls.json}">JSON</a></td></tr>
`
}

async function sendPage(reply: FastifyReply, feeds: readonly ListedFeed[]): Promise<FastifyReply> {
  const rows = await collect(rowsOf(feeds))
  const body = html`<h1>Published feeds</h1>
<p class="soft">What anybody can subscribe to with any reader: everything, folders, query feeds and single sources.</p>
<nav><a href="./">Overview</a> <a href="feeds.json">as JSON</a> <a href="feeds.opml">as OPML</a></nav>
<div class="scroll"><table><thead><tr><th>Feed</th><th>Kind</th><th>Subscribe</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
  return reply
    .headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY })
    .type('text/html; charset=utf-8')
    .send(htmlPage('Published feeds · Headwater', html``, body))
}

async function openSources(deps: ServerDeps) {
  const isOpen = await openFeeds(deps)
  const open = (await allListedSources(deps.store)).filter(({ id }) => isOpen({ kind: 'source', sourceId: id }))
  return open.map((source) => {
    const categories = source.categories.filter((category) => isOpen({ kind: 'category', category }))
    return opmlSource({ ...source, categories })
  })
}
