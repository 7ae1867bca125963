import { describe, expect, it } from 'vitest'
import { bodyHash } from '../../src/crawler/dedup/hash.ts'
import type { FetchOutcome, FetchRequest } from '../../src/crawler/fetch/fetcher.ts'
import { parseFeed } from '../../src/crawler/parse/parse.ts'
import { type PipelineDeps, refreshSource, type SourceRefresh } from '../../src/crawler/pipeline.ts'
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settings } from '../contract/store.fixture.ts'

const START = Date.UTC(2026, 4, 18, 6)
const URL_HERE = 'https://site.example/feed'
const MINUTES_PER_LOOK = 5

interface FloodFixture {
  readonly guid: string
  readonly link: string
  readonly title: string
}

/** New in every respect, by a name that nobody has had. */
const fresh = (name: string): FloodFixture => ({
  guid: name,
  link: `https://site.example/${name}`,
  title: `About ${name}`,
})
const many = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => fresh(name(index)))

function rss(items: readonly FloodFixture[], head = ''): string {
  const entries = items.map(
    ({ guid, link, title }) => `<item><guid>${guid}</guid><link>${link}</link><title>${title}</title></item>`,
  )
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title>${head}${entries.join('')}</channel></rss>`
}

/** A source whose document is made for every request, newest first, served as a careful site does: 304 to a client that has it. */
async function follow(document: (look: number, url: string) => string, mostPages = 0) {
  let now = START
  let look = 0
  const requests: FetchRequest[] = []
  const clock = { ...systemClock, now: () => now }
  const { store } = createMemoryStore({ clock })
  const [added] = await store.addSources([settings(URL_HERE)], START)
  const { id } = added!.source
  const fetcher = {
    async fetch(request: FetchRequest): Promise<FetchOutcome> {
      requests.push(request)
      const body = Buffer.from(document(look, request.url))
      const etag = `"${bodyHash(body)}"`
      const hints = { maxAgeMs: null, expiresAt: null }
      const answer = { finalUrl: request.url, permanentUrl: null, bytes: body.length, latencyMs: 1, hints }
      if (request.etag === etag) return { kind: 'not-modified', status: 304, ...answer, etag, lastModified: null }
      return { kind: 'content', status: 200, ...answer, body, contentType: null, etag, lastModified: null }
    },
    close: async () => {},
  }
  const deps: PipelineDeps = {
    store,
    fetcher,
    parse: parseFeed,
    mostPages,
    pageFolders: [],
    clock,
    random: seededRandom(1),
    plan: ({ at }) => {
      const facts = { earliestAt: at, hurriesAfterLoss: true, expected: null }
      return { at: at + MINUTES_PER_LOOK * MINUTE_MS, reason: 'every 5 min', ...facts }
    },
    ...(mostPages === 0 ? {} : { pages: { enter: async () => true, recordAnswer: () => {} } }),
  }
  return {
    store,
    id,
    requests,
    /** Looks again after a while. */
    async refresh(afterMs = MINUTES_PER_LOOK * MINUTE_MS): Promise<SourceRefresh> {
      now += afterMs
      look++
      const refreshed = await refreshSource((await store.source(id))!, {}, deps)
      if (refreshed === 'aborted') throw new Error('aborted')
      return refreshed
    },
    count: () => store.itemCount(id),
    state: async () => (await store.source(id))!.state,
  }
}

describe('a feed that is new in every respect at every look', () => {
  it('is read whole at first, then as much as its allowance; the rest is counted, and no loss', async () => {
    const { store, id, refresh, count, state } = await follow((look) => rss(many(6_000, (n) => `l${look}n${n}`)))
    await refresh()
    expect(await count()).toBe(6_000)
    const { record } = await refresh()
    expect(await count()).toBe(11_000)
    expect(record.observation).toMatchObject({ newItems: 5_000, windowSize: 6_000, overlap: 'some', lostAtLeast: 0 })
    expect(await state()).toMatchObject({
      refusal: { items: 1_000, allowance: 5_000 },
      saturation: null,
      nextCheckAt: (dayOf(START) + 1) * DAY_MS,
      nextCheckReason:
        'tomorrow: it showed more new items than the 5,000 a day that are stored of it; 1,000 were refused',
    })
    // A person looks all the same.
    expect((await refresh()).added).toBe(0)
    expect(await store.intake(id, { from: 0, to: dayOf(START) })).toEqual([
      { day: dayOf(START), taken: 5_000, repaired: 0, refused: 7_000 },
    ])
    expect((await refresh(DAY_MS)).added).toBe(5_000)
    const quality = await store.quality({ kind: 'node' }, 0, START + 9 * DAY_MS)
    expect(quality).toMatchObject({ items: 10_000, lost: 0, lostAtMost: 0, saturated: 0 })
  })

  it('is stored whole when a person has lifted the allowance, and up to the number that one gives', async () => {
    const { store, id, refresh, state } = await follow((look) => rss(many(6_000, (n) => `l${look}n${n}`)))
    await refresh()
    await refresh()
    await store.updateSource(id, { dailyAllowance: 'off' })
    expect((await refresh()).added).toBe(6_000)
    expect(await state()).toMatchObject({ refusal: null, nextCheckReason: expect.stringMatching(/^every 5 min/) })
    await store.updateSource(id, { dailyAllowance: 12_000 })
    expect((await refresh()).added).toBe(1_000)
  })

  it('does not get around it by older pages', async () => {
    const page = (look: number, url: string) => {
      const number = Number(new URL(url).searchParams.get('page') ?? 0)
      const next = `<atom:link rel="next" href="${URL_HERE}?page=${number + 1}"/>`
      return rss(
        many(20, (n) => `l${look}p${number}n${n}`),
        next,
      )
    }
    const { store, id, refresh, count } = await follow(page, 5)
    await store.updateSource(id, { dailyAllowance: 500 })
    await refresh()
    for (let look = 0; look < 40; look++) await refresh()
    // The window 40 times, and older pages up to four times the allowance, at most one look more.
    expect(await count()).toBeGreaterThan(20 * 25)
    expect(await count()).toBeLessThanOrEqual(20 + 500 + 4 * 500 + 100)
  })
})

/** The same items at every look, with another text from look to look. */
const edited = (count: number, text: (index: number) => string) =>
  many(count, (n) => `n${n}`).map((one, index) => ({ ...one, title: text(index) }))

describe('a feed that edits more than can be stored at once', () => {
  it('is followed a thousand edits a look, the newest first, until all are stored, though it stays the same', async () => {
    const { refresh, store, id, requests, state } = await follow((look) =>
      rss(edited(2_500, (n) => `${look > 1} ${n}`)),
    )
    await refresh()
    const looks = [await refresh(), await refresh(), await refresh(), await refresh()]
    expect(looks.map(({ added, changed }) => [added, changed])).toEqual([[0, 1_000], [0, 1_000], [0, 500], [0, 0]]) // biome-ignore format: a table
    // Only what is stored whole is requested conditionally.
    expect(requests.map(({ etag }) => etag !== null)).toEqual([false, true, false, false, true])
    expect((await state()).refusal).toBeNull()
    const titles = (await store.items({ scope: { kind: 'source', sourceId: id }, limit: 3_000 })).map(
      ({ title }) => title,
    )
    expect(titles.filter((title) => title?.startsWith('true'))).toHaveLength(2_500)
  })

  it('has its news stored at once all the same', async () => {
    const { refresh } = await follow((look) =>
      rss([...many(3, (n) => `new${look}-${n}`), ...edited(1_500, (n) => `${look} ${n}`)]),
    )
    await refresh()
    for (let look = 0; look < 3; look++) expect(await refresh()).toMatchObject({ added: 3, changed: 1_000 })
  })
})

describe('what was refused', () => {
  it('comes in on the next day, newest first, though the document has not changed, and each item once', async () => {
    const { refresh, count, requests, store, id } = await follow((look) =>
      rss(look === 1 ? [fresh('old')] : [...many(8_000, (n) => `n${n}`), fresh('old')]),
    )
    await refresh()
    expect((await refresh()).added).toBe(5_000)
    const newest = await store.arrivals({ kind: 'source', sourceId: id }, 1)
    expect(newest[0]!.title).toBe('About n0')
    expect(requests.at(-1)!.etag).not.toBeNull()
    expect((await refresh(DAY_MS)).added).toBe(3_000)
    expect(requests.at(-1)!).toMatchObject({ etag: null, lastModified: null })
    expect(await count()).toBe(8_001)
    // Now that everything is there, the site may say that nothing is new.
    expect((await refresh(DAY_MS)).fetched.kind).toBe('not-modified')
  })
})

describe('who is not meant', () => {
  it('an archive of 2,000 a day with a burst of 6,000', async () => {
    let published = 0
    const bursts = [...Array.from({ length: 5 }, () => 2_000), 6_000, 6_000, 2_000]
    const { refresh, count, state } = await follow((look) => {
      published += look === 1 ? 100 : (bursts[look - 2] ?? 0)
      return rss(many(Math.min(published, 6_100), (n) => `n${published - n}`))
    })
    await refresh()
    for (const items of bursts) {
      expect((await refresh(DAY_MS)).added).toBe(items)
      expect((await state()).refusal).toBeNull()
    }
    expect(await count()).toBe(published)
  })

  it('a site that makes new guids and texts for every reader: it is still found out', async () => {
    const { refresh, state } = await follow((look) =>
      rss(
        Array.from({ length: 6_000 }, (_, n) => ({
          guid: `l${look}n${n}`,
          link: `https://site.example/${n}`,
          title: `About ${n}, seen ${look} times`,
        })),
      ),
    )
    await refresh()
    await refresh()
    expect(await state()).toMatchObject({ refusal: { items: 1_000, until: null }, nextCheckReason: 'every 5 min' })
    await refresh()
    await refresh()
    expect((await state()).guidChanges).toBe(3)
    const later = await refresh(HOUR_MS / 2)
    expect(later.added).toBe(0)
    expect((await refresh(DAY_MS)).added).toBeLessThanOrEqual(1_000)
    expect((await refresh(DAY_MS)).added).toBe(0)
  })
})
