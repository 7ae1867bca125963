import type { RequestListener } from './servers.ts'

export interface FeedItem {
  readonly id: string
  readonly title?: string
  readonly link?: string
  /** Markup of the content. */
  readonly html?: string
  readonly publishedAt?: number
}

/** A plain RSS document. */
export function rss(title: string, items: readonly FeedItem[]): string {
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>${escapeForXml(title)}</title>
<link>http://feed.example/</link><description>x</description>${items.map(rssItem).join('\n')}</channel></rss>`
}

function rssItem({ id, title = id, link = `http://feed.example/${id}`, html = title, publishedAt }: FeedItem): string {
  const date = publishedAt === undefined ? '' : `<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>`
  return `<item><guid isPermaLink="false">${escapeForXml(id)}</guid><title>${escapeForXml(title)}</title>
<link>${escapeForXml(link)}</link><description>${escapeForXml(html)}</description>${date}</item>`
}

/** As text in XML 1.0, which has no control characters but tab and ends of line. */
export function escapeForXml(text: string): string {
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Answers with a document that is made for each request. */
export function serving(document: () => string | Buffer, type = 'application/xml; charset=utf-8'): RequestListener {
  return (_request, response) => response.writeHead(200, { 'content-type': type }).end(document())
}

export function opmlOfUrls(urls: readonly string[]): string {
  const outlines = urls.map((url) => `<outline type="rss" xmlUrl="${escapeForXml(url)}"/>`)
  return `<?xml version="1.0"?><opml version="2.0"><head/><body>${outlines.join('')}</body></opml>`
}
