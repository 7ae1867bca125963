import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { Agent, request } from 'undici'
import { parseFeed } from '../src/crawler/parse/parse.ts'
import type { ParsedItem } from '../src/model/index.ts'

const BATCH = 1_000

/**
 * The least that a crawler can do: request (compressed, as every site sends it), parse, insert in batches, each item with
 * all its fields and once (a second pass must not double it). No politeness, validators, limits, edits, observations,
 * order, buffer or full text; an upper bound to measure ourselves against.
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
    `CREATE TABLE items (url TEXT, id TEXT, title TEXT, link TEXT, published INTEGER, updated INTEGER, summary TEXT,
       content TEXT, authors TEXT, categories TEXT, enclosures TEXT, UNIQUE (url, id))`,
  )
  const statement = database.prepare('INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insert = database.transaction((rows: readonly [string, ParsedItem][]) => {
    for (const [url, item] of rows) statement.run(...valuesOf(url, item))
  })
  let rows: [string, ParsedItem][] = []
  let count = 0
  // All workers take from the same list.
  const waiting = urls.values()
  const worker = async () => {
    for (const url of waiting) {
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

function valuesOf(url: string, item: ParsedItem): unknown[] {
  const { id, title, link, published, updated, summary, content } = item
  const lists = [item.authors, item.categories, item.enclosures].map((list) => JSON.stringify(list))
  return [url, id ?? link ?? title, title, link, published, updated, summary, content, ...lists]
}
