import { expect, it } from 'vitest'
import { runLive } from '../../lab/live/run-live.ts'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import type { Fetcher, FetchOutcome, FetchRequest } from '../../src/crawler/fetch/fetcher.ts'
import { DAY_MS, HOUR_MS, type InstantMs, SECOND_MS } from '../../src/model/index.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'

const START = Date.UTC(2026, 0, 5)
const DAYS = 6
const END = START + DAYS * DAY_MS
/** The list of a day is there from this hour. */
const TURN_MS = 5 * HOUR_MS
const NAMES = Array.from({ length: 24 }, (_, index) => `cs.${String.fromCharCode(65 + index)}X`)

interface Paper {
  readonly id: string
  readonly at: InstantMs
  /** A paper may be in several. */
  readonly categories: readonly string[]
}

/** On a day, of each category some, and every third in the next category, too. */
function papersOf(day: number): readonly Paper[] {
  return NAMES.flatMap((name, index) =>
    Array.from({ length: 1 + ((index * 7 + day * 5) % 9) }, (_, k) => ({
      id: `${day}.${index}.${k}`,
      at: START + day * DAY_MS + TURN_MS,
      categories: k % 3 === 0 ? [name, NAMES[(index + 1) % NAMES.length] ?? name] : [name],
    })),
  )
}

function rss(papers: readonly Paper[]): string {
  const item = ({ id, at, categories }: Paper) =>
    `<item><title>Paper ${id}</title><link>https://arxiv.org/abs/${id}</link><guid isPermaLink="false">oai:arXiv.org:${id}v1</guid>${categories.map((name) => `<category>${name}</category>`).join('')}<pubDate>${new Date(at).toUTCString()}</pubDate></item>`
  return `<rss version="2.0"><channel><title>arXiv</title><link>https://rss.arxiv.org</link><description>new</description>${papers.map(item).join('')}</channel></rss>`
}

it('categories whose list is another one each day are asked for together, in the pace of the site, and nothing is lost', async () => {
  const clock = new VirtualClock(START)
  const asked: { readonly names: readonly string[]; readonly at: InstantMs }[] = []
  const fetcher: Fetcher = {
    async fetch({ url }: FetchRequest): Promise<FetchOutcome> {
      const now = clock.now()
      const names = decodeURIComponent(new URL(url).pathname.replace('/rss/', '')).split('+')
      asked.push({ names, at: now })
      const common = { finalUrl: url, permanentUrl: null, etag: null, lastModified: null, latencyMs: 20 }
      const hints = { maxAgeMs: null, expiresAt: null }
      const day = Math.floor((now - TURN_MS - START) / DAY_MS)
      const isRobots = url.endsWith('/robots.txt')
      const papers = papersOf(day).filter(({ categories }) => categories.some((name) => names.includes(name)))
      const body = new TextEncoder().encode(isRobots ? 'User-agent: *\nDisallow: /auth' : rss(papers))
      const contentType = isRobots ? 'text/plain' : 'application/rss+xml'
      return { ...common, hints, kind: 'content', status: 200, body, contentType, bytes: body.length }
    },
    close: async () => {},
  }
  const data = createMemoryStore({ clock })
  const urls = NAMES.map((name) => `https://rss.arxiv.org/rss/${name}`)
  await runLive({ clock, data, fetcher, urls, endMs: END, seed: 1, flags: { budget: `${4 * NAMES.length}/day` } })
  const stored = await data.store.items({ scope: { kind: 'all' }, limit: 10_000 })
  const seen = stored.map(({ sourceId, link }) => `${sourceId} ${link}`)
  const due = [1, 2, 3, 4].flatMap(papersOf)
  const expected = due.flatMap(({ id, categories }) =>
    categories.map((name) => `${NAMES.indexOf(name) + 1} https://arxiv.org/abs/${id}`),
  )
  expect(expected.filter((key) => !seen.includes(key))).toEqual([])
  expect(new Set(seen).size).toBe(seen.length)
  const composed = asked.filter(({ names }) => names.length > 1)
  expect(composed.length).toBeGreaterThan(10)
  expect(Math.max(...composed.map(({ names }) => names.length))).toBe(10)
  const gaps = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3 * SECOND_MS)
})
