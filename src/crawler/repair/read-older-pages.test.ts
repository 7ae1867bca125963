import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParsedItem, Source, WindowEntry } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { NEW_SOURCE_STATE } from '../../store/defaults.ts'
import { deduplicate, NO_GUID_HISTORY, prepare } from '../dedup/deduplicate.ts'
import type { FetchOutcome, FetchRequest } from '../fetch/fetcher.ts'
import { parseFeed } from '../parse/parse.ts'
import { type Gap, readOlderPages } from './read-older-pages.ts'

const ORIGIN = 'https://site.example'
const START = Date.UTC(2024, 0, 1)

interface Story {
  /** Items seen at the refresh before, and published by now. */
  readonly known: number
  readonly published: number
  readonly windowSize: number
  readonly pageSize: number
  /** Items that a page shows although the page before it did too. */
  readonly overlap: number
  readonly dated: boolean
  readonly shuffled: boolean
  readonly how: 'prev-archive' | 'next'
}

/** A site whose pages hold all it ever published, newest first: /0 is the feed itself. */
class Site {
  readonly requests: FetchRequest[] = []
  readonly #story: Story

  constructor(story: Story) {
    this.#story = story
  }

  page(number: number): string {
    const { published, windowSize, pageSize, overlap, how } = this.#story
    const start = published - windowSize - (number - 1) * pageSize
    const newest = number === 0 ? published : Math.min(published, start + overlap)
    const oldest = Math.max(0, number === 0 ? published - windowSize : start - pageSize)
    const numbers = Array.from({ length: Math.max(0, newest - oldest) }, (_, index) => newest - 1 - index)
    const link = oldest > 0 ? `<atom:link rel="${how}" href="${ORIGIN}/${number + 1}"/>` : ''
    return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title>${link}${this.#ordered(
      numbers,
    )
      .map((n) => this.#item(n))
      .join('')}</channel></rss>`
  }

  readonly fetcher = {
    fetch: async (request: FetchRequest): Promise<FetchOutcome> => {
      this.requests.push(request)
      const body = Buffer.from(this.page(Number(new URL(request.url).pathname.slice(1))))
      const hints = { maxAgeMs: null, expiresAt: null }
      const answer = { status: 200, finalUrl: request.url, permanentUrl: null, bytes: body.length, latencyMs: 1, hints }
      return { kind: 'content', ...answer, body, contentType: null, etag: null, lastModified: null }
    },
    close: async () => {},
  }

  #ordered(numbers: readonly number[]): number[] {
    if (!this.#story.shuffled) return [...numbers]
    const random = seededRandom(this.#story.published)
    return numbers
      .map((n) => ({ n, order: random() }))
      .sort((a, b) => a.order - b.order)
      .map(({ n }) => n)
  }

  #item(n: number): string {
    const date = this.#story.dated ? `<pubDate>${new Date(START + n * 60_000).toUTCString()}</pubDate>` : ''
    return `<item><guid>g${n}</guid><title>t${n}</title>${date}</item>`
  }
}

const parse = (document: string, url: string) => parseFeed(Buffer.from(document), { contentType: null, url })
const numberOf = ({ id }: ParsedItem) => Number(id!.slice(1))

/** One date in the future, as of an event that is announced. */
function spoilt(entry: WindowEntry, index: number): WindowEntry {
  return index === 0 && entry.published !== null ? { ...entry, published: entry.published + 1e10 } : entry
}

async function repaired(story: Story) {
  const site = new Site(story)
  const before = parse(new Site({ ...story, published: story.known }).page(0), `${ORIGIN}/0`)
  const { window } = deduplicate(prepare(before.items, []), new Map(), NO_GUID_HISTORY)
  const source = {
    id: 1,
    headers: {},
    basicAuth: null,
    userAgent: null,
    proxyUrl: null,
    state: { ...NEW_SOURCE_STATE, window: window.map(spoilt), lastSuccessAt: START + story.known * 60_000 },
  } as unknown as Source
  const now = parse(site.page(0), `${ORIGIN}/0`)
  const dedup = deduplicate(prepare(now.items, window), new Map(), NO_GUID_HISTORY)
  const gap: Gap = { source, feed: now.feed, dedup, url: `${ORIGIN}/0`, datesCredible: story.dated }
  const result = await readOlderPages(
    gap,
    {},
    {
      store: { knownItems: async () => new Map() },
      fetcher: site.fetcher,
      parse: parseFeed,
      mostPages: 20,
      pages: { enter: async () => true, recordAnswer: () => {} },
    },
  )
  return { result, dedup, site }
}

const stories = fc
  .record({
    windowSize: fc.integer({ min: 1, max: 12 }),
    known: fc.integer({ min: 1, max: 40 }),
    pageSize: fc.integer({ min: 1, max: 15 }),
    overlap: fc.integer({ min: 0, max: 5 }),
    dated: fc.boolean(),
    shuffled: fc.boolean(),
    how: fc.constantFrom('prev-archive' as const, 'next' as const),
    missed: fc.integer({ min: 0, max: 60 }),
  })
  // Without dates the order of the document is all there is to distinguish old from new.
  .map(({ missed, ...story }) => ({
    ...story,
    shuffled: story.shuffled && story.dated,
    published: story.known + story.windowSize + missed,
  }))

describe('reading older pages', () => {
  it('brings what was missed, once and in order, and nothing from before', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        const { result, dedup, site } = await repaired(story)
        const missed = story.published - story.windowSize - story.known
        const needed = Math.ceil((missed + 1) / story.pageSize)
        expect(dedup.overlap).toBe('none')
        expect(site.requests.length).toBeLessThanOrEqual(20)
        const numbers = result.added.map(({ item }) => numberOf(item))
        const expected = Array.from({ length: missed }, (_, index) => story.known + index)
        if (needed <= 20) {
          expect(numbers).toEqual(expected)
          expect(result.closed).toBe(true)
          expect(result.requests).toBeLessThanOrEqual(needed)
        } else {
          // Given up in between: the newest of what was missed.
          expect(numbers).toEqual(expected.slice(-numbers.length))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('gives secrets of the source to its own site only', async () => {
    const story = { known: 2, published: 9, windowSize: 3, pageSize: 3, overlap: 0, dated: true, shuffled: false }
    const site = new Site({ ...story, how: 'next' })
    const now = parse(site.page(0).replace(`${ORIGIN}/1`, 'https://other.example/1'), `${ORIGIN}/0`)
    const source = {
      id: 1,
      headers: { cookie: 'secret' },
      basicAuth: { user: 'u', password: 'p' },
      userAgent: 'agent',
      proxyUrl: null,
      state: NEW_SOURCE_STATE,
    } as unknown as Source
    const dedup = deduplicate(prepare(now.items, []), new Map(), NO_GUID_HISTORY)
    const deps = {
      store: { knownItems: async () => new Map() },
      fetcher: site.fetcher,
      parse: parseFeed,
      mostPages: 20,
    }
    const gap = { source, feed: now.feed, dedup, url: `${ORIGIN}/0`, datesCredible: true }
    await readOlderPages(gap, {}, { ...deps, pages: { enter: async () => true, recordAnswer: () => {} } })
    expect(site.requests[0]).toMatchObject({
      url: 'https://other.example/1',
      headers: {},
      basicAuth: null,
      userAgent: 'agent',
    })
    expect(site.requests[1]).toMatchObject({ url: `${ORIGIN}/2`, headers: { cookie: 'secret' } })
  })

  it('ends where a site shows the same page again and again', async () => {
    const site = new Site({
      known: 1,
      published: 30,
      windowSize: 5,
      pageSize: 5,
      overlap: 0,
      dated: true,
      shuffled: false,
      how: 'next',
    })
    const front = parse(site.page(0), `${ORIGIN}/0`)
    let requests = 0
    const fetcher = {
      ...site.fetcher,
      fetch: async (request: FetchRequest) => {
        requests++
        return site.fetcher.fetch({ ...request, url: `${ORIGIN}/0` })
      },
    }
    const source = { id: 1, headers: {}, basicAuth: null, state: NEW_SOURCE_STATE } as unknown as Source
    const dedup = deduplicate(prepare(front.items, []), new Map(), NO_GUID_HISTORY)
    const gap = { source, feed: front.feed, dedup, url: `${ORIGIN}/0`, datesCredible: true }
    const pages = { enter: async () => true, recordAnswer: () => {} }
    const result = await readOlderPages(
      gap,
      {},
      {
        store: { knownItems: async () => new Map() },
        fetcher,
        parse: parseFeed,
        mostPages: 20,
        pages,
      },
    )
    expect(requests).toBe(1)
    expect(result).toMatchObject({ added: [], closed: false })
  })
})
