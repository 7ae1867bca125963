import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DAY_MS, type InstantMs } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'

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
  const now = systemClock.now()
  const shown: Entry[] = [
    { title: 'second', at: now - 20 * DAY_MS },
    { title: 'first', at: now - 40 * DAY_MS },
  ]
  const asked = new Map<string, number>()
  let deceived: { readonly agent: string; readonly shown: readonly Entry[] } | null = null
  const servers: Server[] = []
  const urls: string[] = []
  for (let k = 0; k < count; k++) {
    const server = createServer((request, response) => {
      const agent = request.headers['user-agent'] ?? ''
      asked.set(agent, (asked.get(agent) ?? 0) + 1)
      response.end(document(deceived?.agent === agent ? deceived.shown : shown, k, options.isDated))
    })
    const host = `127.0.1.${k + 1}`
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    servers.push(server)
    urls.push(`http://${host}:${(server.address() as AddressInfo).port}/feed`)
  }
  return {
    urls,
    asked,
    publish: (title) => void shown.unshift({ title, at: systemClock.now() }),
    deceive: (agent) => {
      deceived = { agent, shown: [...shown] }
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

interface Entry {
  readonly title: string
  readonly at: InstantMs
}

/** Of a publisher whose window turns over in weeks; without dates nobody knows that. */
function document(shown: readonly Entry[], site: number, isDated: boolean): string {
  const items = shown.map(({ title, at }) => {
    const date = isDated ? `<pubDate>${new Date(at).toUTCString()}</pubDate>` : ''
    return `<item><guid>${site}-${title}</guid><title>${title} of ${site}</title>${date}</item>`
  })
  return `<rss version="2.0"><channel><title>Site ${site}</title>${items.join('')}</channel></rss>`
}
