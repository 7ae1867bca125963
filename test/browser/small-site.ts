import type { IncomingMessage, ServerResponse } from 'node:http'

/** A site with feeds of a few letters each, and a page that announces one; `/hook` takes messages. */
export function answerAsSite(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '/'
  if (path === '/hook') {
    request.resume()
    response.writeHead(204).end()
    return
  }
  const name = /^\/(\w+)\.xml$/.exec(path)?.[1]
  if (name === undefined) {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<link rel="alternate" type="application/rss+xml" href="/harbour.xml"><h1>A harbour</h1>')
    return
  }
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  response.end(feed(name))
}

function feed(name: string): string {
  const items = Array.from({ length: 4 }, (_, i) => {
    const published = new Date(Date.UTC(2026, 1, 1, 12, i)).toUTCString()
    return `<item><guid isPermaLink="false">${name}-${i}</guid><title>${name} ${i}</title>
<description>A letter of ${name}</description><pubDate>${published}</pubDate></item>`
  })
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>The ${name}</title><link>http://${name}.localhost/</link>
<description>x</description>${items.join('')}</channel></rss>`
}
