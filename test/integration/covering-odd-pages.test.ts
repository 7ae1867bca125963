import { describe, expect, it } from 'vitest'
import { runLive } from '../../lab/live/run-live.ts'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import { poissonTimes } from '../../lab/simulator/poisson.ts'
import type { Fetcher, FetchOutcome } from '../../src/crawler/fetch/fetcher.ts'
import { DAY_MS, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'

const START = Date.UTC(2026, 0, 5)
const DAYS = 7
const END = START + DAYS * DAY_MS
const SECTIONS = ['arts', 'books', 'chess']
const ORIGIN = 'https://site.example'

interface Article {
  readonly section: string
  readonly k: number
  readonly at: InstantMs
}

/** The common page of a site, and what is odd about it. */
interface Oddity {
  readonly window?: number
  /** So long after the section the common page has an article. */
  readonly lateMs?: number
  /** The link of an article on its own page, and on the common one. */
  readonly folderOf?: (article: Article) => string
  readonly commonQuery?: string
  readonly commonPages?: readonly string[]
  /** Every so many-th article is in the next section, too. */
  readonly sharedOneIn?: number
}

function articlesOf(seed: number): readonly Article[] {
  const random = seededRandom(seed)
  return SECTIONS.flatMap((section, index) =>
    [...poissonTimes((6 + 5 * index) / DAY_MS, START - DAY_MS, END, random)].map((at, k) => ({
      section,
      k,
      at: Math.floor(at / 1000) * 1000,
    })),
  ).sort((a, b) => b.at - a.at)
}

function sectionsOf({ section, k }: Article, { sharedOneIn }: Oddity): readonly string[] {
  const next = SECTIONS[(SECTIONS.indexOf(section) + 1) % SECTIONS.length] ?? section
  return sharedOneIn !== undefined && k % sharedOneIn === 0 ? [section, next] : [section]
}

const usualFolder = ({ section }: Article) => section

function siteFetcher(articles: readonly Article[], clock: VirtualClock, odd: Oddity): Fetcher {
  const { window = 60, lateMs = 0, folderOf = usualFolder, commonQuery = '' } = odd
  const entry = (article: Article, query: string, guid: string) => {
    const date = new Date(article.at).toISOString()
    return `<entry><id>${guid}:${article.section}${article.k}</id><title>${article.section} ${article.k}</title><link href="${ORIGIN}/${folderOf(article)}/${article.section}${article.k}${query}"/><updated>${date}</updated><published>${date}</published></entry>`
  }
  const documentOf = (path: string, now: InstantMs): readonly string[] => {
    const section = path.split('/')[1] ?? ''
    const shown = articles.filter(({ at }) => at <= now)
    if (SECTIONS.includes(section)) {
      const own = shown.filter((article) => sectionsOf(article, odd).includes(section))
      return own.slice(0, 20).map((article) => entry(article, '', 'own'))
    }
    const old = shown.filter(({ at }) => at <= now - lateMs).slice(0, window)
    return old.map((one) => entry(one, commonQuery, section))
  }
  return {
    async fetch({ url, etag }): Promise<FetchOutcome> {
      const entries = documentOf(new URL(url).pathname, clock.now())
      const text = `<feed xmlns="http://www.w3.org/2005/Atom"><title>a page</title><id>urn:page</id>${entries.join('')}</feed>`
      const tag = `"${entries.length} ${entries[0]?.length} ${/<id>[^<]*/.exec(entries[0] ?? '')?.[0]}"`
      const hints = { maxAgeMs: null, expiresAt: null }
      const base = { finalUrl: url, permanentUrl: null, hints, etag: tag, lastModified: null, latencyMs: 20 }
      if (etag === tag) return { ...base, kind: 'not-modified', status: 304, bytes: 100 }
      const body = new TextEncoder().encode(text)
      return { ...base, kind: 'content', status: 200, body, contentType: 'application/atom+xml', bytes: body.length }
    },
    close: async () => {},
  }
}

async function crawl(odd: Oddity, seed: number) {
  const clock = new VirtualClock(START)
  const articles = articlesOf(seed)
  const data = createMemoryStore({ clock })
  const common = odd.commonPages ?? ['/all/feed.xml']
  const paths = [...SECTIONS.map((section) => `/${section}/feed.xml`), ...common]
  await runLive({
    clock,
    data,
    fetcher: siteFetcher(articles, clock, odd),
    urls: paths.map((path) => `${ORIGIN}${path}`),
    endMs: END,
    seed,
    flags: { budget: `${6 * paths.length}/day` },
  })
  const stored = await data.store.items({ scope: { kind: 'all' }, limit: 20_000 })
  const nameOf = (link: string | null) => /\/(\w+)(?:\?|$)/.exec(link ?? '')?.[1] ?? ''
  const seen = stored
    .filter(({ sourceId }) => sourceId <= SECTIONS.length)
    .map(({ sourceId, link }) => `${SECTIONS[sourceId - 1]} ${nameOf(link)}`)
  const keysOf = (article: Article) =>
    sectionsOf(article, odd).map((section) => `${section} ${article.section}${article.k}`)
  const published = new Set(articles.flatMap(keysOf))
  const due = articles.filter(({ at }) => at > START + HOUR_MS && at < END - DAY_MS).flatMap(keysOf)
  const reasons = (await data.store.sources()).map(({ state }) => state.nextCheckReason ?? '')
  return {
    used: reasons.filter((reason) => reason.includes('in one request')).length,
    lost: due.filter((key) => !seen.includes(key)).length,
    doubled: seen.length - new Set(seen).size,
    wrong: seen.filter((key) => !published.has(key)).length,
  }
}

const MOVES = START + 3 * DAY_MS
const ODDITIES: Readonly<Record<string, Oddity>> = {
  'shows items hours late': { lateMs: 7 * HOUR_MS },
  'has room for a few of them only': { window: 6 },
  'marks its links for those who count visits': { commonQuery: '?utm_source=all&utm_medium=rss' },
  'is there twice': { commonPages: ['/all/feed.xml', '/latest/feed.xml'] },
  'shows articles that are in two sections': { sharedOneIn: 3 },
  'shows a section that moves to another folder': {
    folderOf: ({ section, at }) => (section === 'arts' && at > MOVES ? 'culture' : section),
  },
}
const SEEDS = [1, 2, 3]

describe('a page that shows the items of others', () => {
  it.each(Object.entries(ODDITIES))('and %s loses, doubles and mixes up nothing', async (_name, odd) => {
    for (const seed of SEEDS) {
      const { used, ...rest } = await crawl(odd, seed)
      expect({ seed, ...rest }).toEqual({ seed, lost: 0, doubled: 0, wrong: 0 })
      expect(used).toBeGreaterThan(2)
    }
  })

  it('by links of its own is not used', async () => {
    expect(await crawl({ commonQuery: '?from=all' }, 1)).toEqual({ used: 0, lost: 0, doubled: 0, wrong: 0 })
  })

  it('and a section that moves into the folder of another is told from that after its next look at most', async () => {
    const folderOf = ({ section, at }: Article) => (section === 'arts' && at > MOVES ? 'books' : section)
    for (const seed of SEEDS) {
      const { lost, doubled, wrong } = await crawl({ folderOf }, seed)
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
      // Of some 24 that are in that folder; each is in its own section, too.
      expect(wrong).toBeLessThanOrEqual(6)
    }
  })
})
