// Queries in a program of your own: node docs/examples/match.mjs
import { parseFeed } from 'headwater'
import { formatQueryError, Matcher, NO_SOURCE, parseQuery, QueryEngine } from 'headwater/query'

const document = `<rss version="2.0"><channel><title>News</title>
  <item><title>Ash cloud over Iceland</title><link>https://example.org/1</link><category>Volcano</category></item>
  <item><title>Football: all results</title><link>https://example.org/2</link></item>
  <item><title>Ash cloud over all Iceland</title><link>https://example.org/3</link></item>
</channel></rss>`
const { items } = parseFeed(Buffer.from(document), { url: 'https://example.org/feed.xml' })
const now = Date.UTC(2024, 4, 31)
const archived = items.map((item, index) => ({
  ...item,
  seq: index + 1,
  firstSeenAt: now + index,
  sortAt: now + index,
}))

// Filters: as many as you like, an item touches only those that it gives reason to.
const matcher = new Matcher()
for (const [id, text] of Object.entries({
  ice: 'ITEM CONTAINS "iceland" OR "volcano"',
  sport: 'TITLE CONTAINS "football" AND NOT ITEM CONTAINS "ash"',
  wrong: 'TITEL CONTAINS "x"',
})) {
  const query = parseQuery(text)
  if (query.ok) matcher.add(id, query.value)
  else console.log(query.errors.map(formatQueryError).join('\n'))
}
for (const item of archived) console.log(`${item.title}: ${matcher.match(item).join(', ')}`)

// Joins and DISTINCT remember items, so they need an order: seq.
const engine = new QueryEngine()
const once = parseQuery('RETURN ALL DISTINCT BY SIMILAR > 0.6 LAST 3 DAYS')
if (once.ok) engine.set('once', once.value)
const source = { ...NO_SOURCE, url: 'https://example.org/feed.xml', title: 'News', language: 'en' }
for (const item of archived) {
  for (const { feed } of engine.process({ item, source })) console.log(`${feed}: ${item.title}`)
}
