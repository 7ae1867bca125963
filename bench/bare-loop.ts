import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { Agent, request } from 'undici'
import { parseFeed } from '../src/crawler/parse/parse.ts'
import type { ParsedItem } from '../src/model/index.ts'

const BATCH = 1_000

/**
 * The least that a crawler can do: request (compressed, as every site sends it), parse, insert in batches into a table without any index but the row id. No
 * politeness, identity, validators, limits, observations or full text; an upper bound to measure ourselves against.
 */
export async function bareLoop(urls: readonly string[], path: string, concurrency: number): Promise<number> {
  const agent = new Agent({
    connections: 2,
    connect: { lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
  })
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.exec(
    'CREATE TABLE items (url TEXT, id TEXT, title TEXT, link TEXT, published INTEGER, summary TEXT, content TEXT)',
  )
  const statement = database.prepare('INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)')
  const insert = database.transaction((rows: readonly [string, ParsedItem][]) => {
    for (const [url, i] of rows) statement.run(url, i.id, i.title, i.link, i.published, i.summary, i.content)
  })
  let rows: [string, ParsedItem][] = []
  let next = 0
  let count = 0
  const worker = async () => {
    while (next < urls.length) {
      const url = urls[next++]
      const { body, headers } = await request(url, { dispatcher: agent, headers: { 'accept-encoding': 'gzip' } })
      const sent = new Uint8Array(await body.arrayBuffer())
      const parsed = parseFeed(headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent, {
        contentType: String(headers['content-type']),
        url,
      })
      for (const item of parsed.items) rows.push([url, item])
      count += parsed.items.length
      if (rows.length >= BATCH) {
        const full = rows
        rows = []
        insert(full)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  insert(rows)
  database.close()
  await agent.close()
  return count
}
