// A document of any format becomes a feed, its items, and what is wrong with it: node docs/examples/parse.mjs
import { parseFeed } from 'headwater'

const document = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Harbour news</title><link>https://example.org/</link>
  <item><title>Ferry &amp; tide</title><link>/ferry</link><pubDate>Fri, 31 May 2024 08:00:00 PDT</pubDate></item>
  <item><title>No link</title><pubDate>yesterday evening</pubDate></item>
</channel></rss>`

const { format, feed, items, problems } = parseFeed(Buffer.from(document), {
  contentType: 'application/rss+xml',
  url: 'https://example.org/feed.xml',
})
console.log(`${feed.title} (${format})`)
for (const { title, link, published } of items) {
  console.log(`${title}: ${link ?? 'no link'}, ${published === null ? 'no date' : new Date(published).toISOString()}`)
}
for (const { code, message } of problems) console.log(`${code}: ${message}`)
