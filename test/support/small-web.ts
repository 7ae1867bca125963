import type { Fetcher, FetchRequest } from '../../src/crawler/fetch/fetcher.ts'
import { createFetcher } from '../../src/crawler/fetch/http.ts'
import { startServer } from './local-server.ts'

/** What a host answers at an address; a text is a document with status 200. */
export type Page =
  | string
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

export interface SmallWeb {
  readonly fetcher: Fetcher
  /** Addresses that were fetched, in their order, and what was sent along. */
  readonly visits: string[]
  readonly sent: FetchRequest[]
  close(): Promise<void>
}

/**
 * Many hosts on one loopback server: the real fetcher makes real requests, but each host is found at the same address, and
 * without TLS. What is not in `pages` is 404.
 */
export async function openSmallWeb(pages: Readonly<Record<string, Page>>): Promise<SmallWeb> {
  const visits: string[] = []
  const sent: FetchRequest[] = []
  const table = new Map(Object.entries(pages))
  const server = await startServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/\.localhost(?::\d+)?$/, '')
    const page = table.get(`https://${host}${request.url}`)
    const {
      status = 200,
      headers = {},
      body = '',
    } = typeof page === 'string' ? { body: page } : (page ?? { status: 404 })
    const location = headers['location']
    response.writeHead(status, {
      ...(body.startsWith('<!doctype html>') && { 'content-type': 'text/html' }),
      ...headers,
      ...(location && { location: inwards(location) }),
    })
    response.end(body)
  })
  const inner = createFetcher({ allowRanges: ['loopback'] })
  const inwards = (url: string) => {
    const { hostname, pathname, search } = new URL(url)
    return server.url(pathname + search, `${hostname}.localhost`)
  }
  const outwards = (url: string) => url.replace(/^http:\/\/([^/]*?)\.localhost:\d+/, 'https://$1')
  const fetcher: Fetcher = {
    async fetch(request) {
      visits.push(request.url)
      sent.push(request)
      const fetched = await inner.fetch({ ...request, url: inwards(request.url) })
      if (fetched.kind === 'failed') return fetched
      const { permanentUrl } = fetched
      const feeds = fetched.hints.feeds?.map(outwards)
      return {
        ...fetched,
        finalUrl: outwards(fetched.finalUrl),
        permanentUrl: permanentUrl === null ? null : outwards(permanentUrl),
        hints: { ...fetched.hints, ...(feeds && { feeds }) },
      }
    },
    close: () => inner.close(),
  }
  return {
    fetcher,
    visits,
    sent,
    async close() {
      await inner.close()
      await server.close()
    },
  }
}
