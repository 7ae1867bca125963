import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Sites on addresses of their own, since work is divided by site; who asked is known by the user agent. */
export interface Origins {
  readonly urls: readonly string[]
  /** Requests of each node, by its user agent. */
  readonly asked: Map<string, number>
  publish(title: string): void
  /** From now on this one is shown no news: what it passes on is a lie. */
  deceive(userAgent: string): void
  close(): Promise<void>
}

export async function startOrigins(count: number, options: { readonly isDated: boolean }): Promise<Origins> {
  const titles = ['first', 'second']
  const asked = new Map<string, number>()
  let deceived: { readonly agent: string; readonly titles: readonly string[] } | null = null
  const servers: Server[] = []
  const urls: string[] = []
  for (let k = 0; k < count; k++) {
    const server = createServer((request, response) => {
      const agent = request.headers['user-agent'] ?? ''
      asked.set(agent, (asked.get(agent) ?? 0) + 1)
      const shown = deceived?.agent === agent ? deceived.titles : titles
      response.end(document(shown, k, options.isDated))
    })
    const host = `127.0.1.${k + 1}`
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    servers.push(server)
    urls.push(`http://${host}:${(server.address() as AddressInfo).port}/feed`)
  }
  return {
    urls,
    asked,
    publish: (title) => void titles.unshift(title),
    deceive: (agent) => {
      deceived = { agent, titles: [...titles] }
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

/** Of a publisher with an item a day, whose window turns over in weeks; without dates nobody knows that. */
function document(titles: readonly string[], site: number, isDated: boolean): string {
  const items = titles.map((title, place) => {
    const at = new Date(Date.UTC(2026, 0, 200 - place)).toUTCString()
    const date = isDated ? `<pubDate>${at}</pubDate>` : ''
    return `<item><guid>${site}-${title}</guid><title>${title} of ${site}</title>${date}</item>`
  })
  return `<rss version="2.0"><channel><title>Site ${site}</title>${items.join('')}</channel></rss>`
}
