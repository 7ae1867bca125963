import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Served</title><link>http://example.invalid/</link>
<description>d</description><item><guid isPermaLink="false">a</guid><title>Served item</title></item></channel></rss>`

/** A site with one feed, on loopback. */
export async function startFeedServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(FEED),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/feed.xml`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
