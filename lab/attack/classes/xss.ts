import { Parser } from 'htmlparser2'
import type { AttackClass } from '../attack.ts'
import { hostileJsonFeed, rssFeed } from '../hostile/feeds.ts'
import { OLD_HANDLERS } from '../hostile/handlers.ts'
import { allVectors } from '../hostile/index.ts'
import { lookInBrowser } from '../in-browser.ts'
import { sampleEvenly } from '../in-parallel.ts'
import { type AttackedNode, NEAR } from '../stage.ts'

const PER_FEED = 60
const HANDLERS = [
  'onerror',
  'onload',
  'onclick',
  'onfocus',
  'ontoggle',
  'onpointerdown',
  'onbeforetoggle',
  ...OLD_HANDLERS,
]

export const xss: AttackClass = {
  name: 'xss',
  promise: 'Nothing that a feed writes runs, loads a document or leads elsewhere in what the node publishes or shows',
  async run(stage, effort) {
    const vectors = sampleEvenly(allVectors(HANDLERS), effort === 'full' ? Number.POSITIVE_INFINITY : 150)
    const feeds = Math.ceil(vectors.length / PER_FEED)
    const part = (i: number) => vectors.slice(i * PER_FEED, (i + 1) * PER_FEED)
    const title = 'Evil <script>pwned()</script><img src=x onerror=pwned()>'
    const server = await stage.startServer((request, response) => {
      const i = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0)
      const isJson = i % 2 === 0
      response.writeHead(200, { 'content-type': isJson ? 'application/feed+json' : 'application/xml; charset=utf-8' })
      response.end(isJson ? hostileJsonFeed(title, part(i)) : rssFeed(title, part(i)))
    })
    const node = await stage.startNode({
      flags: [...NEAR, '--budget', '60000/min', '--host-concurrency', '16', '--feed-items', String(PER_FEED)],
    })
    for (let i = 0; i < feeds; i++) {
      await node.owner.must('POST', '/api/sources', { url: server.url(`/${i}`), discover: false, categories: [title] })
    }
    const isThere = async () => (await node.owner.must('GET', '/api/overview')).counts.items >= vectors.length
    if (!(await stage.eventually(isThere))) throw new Error('the hostile items do not arrive')
    await node.owner.must('POST', '/api/queries', { text: `CREATE FEED evil TITLE "${title}" AS RETURN ALL;` })
    const hits: string[] = []
    for (let id = 1; id <= feeds; id++) await lookAtFeeds(node, `/feeds/source/${id}`, hits)
    await lookAtFeeds(node, '/feeds/evil', hits)
    await lookAtFeeds(node, '/feeds/all', hits)
    const read = await lookAtItems(node, hits)
    await lookAtPages(node, hits)
    const inBrowser = await lookInBrowser(node, { category: title, effort }, hits)
    return {
      tries: vectors.length,
      hits: hits.slice(0, 50),
      figures: { vectors: vectors.length, documents: 3 * (feeds + 2), itemsRead: read, ...inBrowser.figures },
      skipped: inBrowser.skipped,
    }
  },
}

async function lookAtFeeds(node: AttackedNode, path: string, hits: string[]): Promise<void> {
  const json = await node.ask('GET', `${path}.json`)
  if (json.status !== 200) throw new Error(`${path}.json: ${json.status}`)
  for (const item of json.body.items) {
    judge(item.content_html ?? '', `${path}.json ${item.id}`, hits)
    for (const url of [item.url, item.external_url, ...(item.attachments ?? []).map(addressOf)])
      judgeAddress(url, path, hits)
  }
  judgeAddress(json.body.home_page_url, path, hits)
  for (const format of ['rss', 'atom']) {
    const { status, text, headers } = await node.ask('GET', `${path}.${format}`)
    if (status !== 200) throw new Error(`${path}.${format}: ${status}`)
    if (/html/.test(headers['content-type'] ?? '')) hits.push(`${path}.${format} is served as a page`)
    if (headers['x-content-type-options'] !== 'nosniff') hits.push(`${path}.${format} may be taken for a page`)
    judgeXml(text, `${path}.${format}`, hits)
  }
}

const addressOf = ({ url }: { readonly url: string }) => url

/** As the reader of the dashboard gets them. */
async function lookAtItems(node: AttackedNode, hits: string[]): Promise<number> {
  let read = 0
  for (let cursor = ''; ; ) {
    const { items, next } = await node.owner.must('GET', `/api/items?limit=200${cursor}`)
    for (const { seq } of items) {
      const item = await node.owner.must('GET', `/api/items/${seq}`)
      judge(item.html ?? '', `/api/items/${seq}`, hits)
      for (const url of [item.link, item.commentsUrl]) judgeAddress(url, `/api/items/${seq}`, hits)
      read += 1
    }
    if (next === null) return read
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}

/** Pages that the node itself writes, and what their policy lets run. */
async function lookAtPages(node: AttackedNode, hits: string[]): Promise<void> {
  for (const path of ['/', '/feeds', '/read', '/queries/evil', '/nothing<script>pwned()</script>']) {
    const { text, headers } = await node.owner.ask('GET', path, { headers: { accept: 'text/html' } })
    if (/<script>pwned|<img[^>]*onerror=pwned/.test(text)) hits.push(`${path} repeats what a feed wrote`)
    const isPage = /text\/html/.test(headers['content-type'] ?? '')
    const policy = String(headers['content-security-policy'] ?? '')
    if (isPage && (policy === '' || /script-src[^;]*unsafe-inline/.test(policy))) hits.push(`${path} has no policy`)
  }
}

/** In XML the content of strangers is text: unfolded once, it must be as harmless as in JSON. */
function judgeXml(xml: string, where: string, hits: string[]): void {
  let name = ''
  let text = ''
  const parser = new Parser(
    {
      onopentag(tag, { href, src, url, type }) {
        ;[name, text] = [tag, '']
        for (const address of [href, src, url]) judgeAddress(address, where, hits)
        if (/[<>]/.test(type ?? '')) hits.push(`${where}: type ${type}`)
      },
      ontext(piece) {
        text += piece
      },
      onclosetag(tag) {
        if (tag !== name) return
        if (/^(description|content|content:encoded|summary)$/.test(tag)) judge(text, where, hits)
        if (/^(link|comments|uri|guid)$/.test(tag) && /^\s*[a-z]+:/i.test(text)) judgeAddress(text, where, hits)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
}

const FORBIDDEN =
  /^(script|style|iframe|frame|frameset|object|embed|applet|base|meta|link|form|input|button|select|textarea|svg|math|template|noscript|portal|dialog|marquee|plaintext|xmp)$/

/** Another parser than the sanitiser's, with lists of its own. */
function judge(html: string, where: string, hits: string[]): void {
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (FORBIDDEN.test(tag)) hits.push(`${where}: element ${tag}`)
        for (const [name, value] of Object.entries(attributes)) {
          if (/^on|^(id|name|formaction|srcdoc|background|ping|autoplay|is|slot)$/i.test(name))
            hits.push(`${where}: ${tag} ${name}`)
          if (name === 'style' && /[\\@]|url|expression|javascript|binding|position/i.test(value))
            hits.push(`${where}: style ${value.slice(0, 80)}`)
          if (/^(href|src|cite|poster|action|longdesc)$/.test(name)) judgeAddress(value, `${where}: ${tag}`, hits)
        }
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
}

function judgeAddress(value: string | null | undefined, where: string, hits: string[]): void {
  if (value == null) return
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value.replace(/[\u0000-\u0020\u007f-\u009f]/g, ''))?.[1]?.toLowerCase()
  if (
    scheme === undefined ||
    !/^(javascript|vbscript|livescript|mocha|file|blob|filesystem|jar|view-source|data)$/.test(scheme)
  )
    return
  if (/^data:image\/(png|gif|jpe?g|webp);base64,/i.test(value)) return
  hits.push(`${where} leads to ${value.slice(0, 60)}`)
}
