import { entryAt } from '../../src/model/entry-at.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type FeedItem, rss } from './documents.ts'
import type { HostileServer } from './servers.ts'
import type { AttackedNode, AttackStage } from './stage.ts'

/** Feeds that others follow while a node is attacked, and whose every item must be there once. */
export interface GrowingFeeds {
  readonly server: HostileServer
  /** Requests so far, of each feed. */
  readonly requestCounts: readonly number[]
  /** When each feed was requested, by a clock that nobody sets. */
  readonly arrivalsMs: readonly (readonly number[])[]
  /** Nothing new is published from now on. */
  stop(): void
  /** Everything that was ever shown. */
  titles(): readonly string[]
  /** Adds them to a node. */
  follow(node: AttackedNode, intervalMs: number): Promise<void>
}

/** Items in a document: each is shown so often that a few requests without success lose nothing. */
const WINDOW = 60
const PER_REQUEST = 3

/** A document is a function of how often it was requested, never of time: what must be there is known exactly. */
export async function growingFeeds(stage: AttackStage, count: number): Promise<GrowingFeeds> {
  const requestCounts = Array.from({ length: count }, () => 0)
  const arrivalsMs = Array.from({ length: count }, (): number[] => [])
  const counts = Array.from({ length: count }, () => 0)
  let isGrowing = true
  const title = (feed: number, item: number) => `feed ${feed} item ${item}`
  const server = await stage.startServer((request, response) => {
    const feed = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0) % count
    requestCounts[feed] = (requestCounts[feed] ?? 0) + 1
    entryAt(arrivalsMs, feed).push(systemClock.monotonicMs())
    if (isGrowing) counts[feed] = (counts[feed] ?? 0) + PER_REQUEST
    const newest = entryAt(counts, feed)
    const items = Array.from(
      { length: Math.min(WINDOW, newest) },
      (_, i): FeedItem => ({ id: title(feed, newest - i) }),
    )
    response.writeHead(200, { 'content-type': 'application/xml' }).end(rss(`feed ${feed}`, items))
  })
  return {
    server,
    requestCounts,
    arrivalsMs,
    stop() {
      isGrowing = false
    },
    titles: () => counts.flatMap((items, feed) => Array.from({ length: items }, (_, i) => title(feed, i + 1))),
    async follow(node, intervalMs) {
      for (let feed = 0; feed < count; feed++) {
        await node.owner.must('POST', '/api/sources', { url: server.url(`/${feed}`), discover: false, intervalMs })
      }
    },
  }
}

/** Lines for what is missing or there twice. */
export function compareTitles(where: string, expected: readonly string[], found: readonly string[]): string[] {
  const there = new Set(found)
  const missing = expected.filter((one) => !there.has(one))
  const doubled = found.length - there.size
  return [
    ...(missing.length === 0 ? [] : [`${missing.length} items are missing in ${where}, as ${missing[0]}`]),
    ...(doubled === 0 ? [] : [`${doubled} items are in ${where} twice`]),
  ]
}

/** Titles in the archive, page by page. */
export async function archivedTitles(node: AttackedNode, filter = ''): Promise<readonly string[]> {
  const titles: string[] = []
  for (let cursor = ''; ; ) {
    const { items, next } = await node.owner.must('GET', `/api/items?limit=200${filter}${cursor}`)
    titles.push(...items.map((one: { readonly title: string }) => one.title))
    if (next === null) return titles
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}
