import { describe, expect, it } from 'vitest'
import { documentFetcher, feedUrl } from '../../lab/live/feed-documents.ts'
import { runLive } from '../../lab/live/run-live.ts'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import { countPublishedBy, type SimSource, simSource } from '../../lab/simulator/world.ts'
import type { Fetcher } from '../../src/crawler/fetch/fetcher.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, type Item, type Listing, type SourceSettings } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'

const START = Date.UTC(2026, 0, 5)
const MONTH_MS = 30 * DAY_MS
const CHANGES = 200
const WINDOW = 10

/** Changes at random, in the day more than at night; some come in bursts. */
function randomTimes(seed: number): Float64Array {
  const random = seededRandom(seed)
  // There is something at the start, as on most pages.
  const times = Array.from({ length: WINDOW }, (_, k) => START - (WINDOW - k) * HOUR_MS)
  while (times.length < WINDOW + CHANGES) {
    const at = START + random() * MONTH_MS
    if ((at / HOUR_MS) % 24 < 6 && random() < 0.8) continue
    for (let burst = random() < 0.1 ? 8 : 1; burst > 0 && times.length < WINDOW + CHANGES; burst--) {
      times.push(Math.floor((at + times.length * 1_000) / 1_000) * 1_000)
    }
  }
  return Float64Array.from(times.sort((a, b) => a - b))
}

type Render = (source: SimSource, count: number) => string

const listPage: Render = ({ times, windowSize }, count) => {
  const rows: string[] = []
  for (let k = count - 1; k >= Math.max(0, count - windowSize); k--) {
    const date = new Date(entryAt(times, k)).toISOString()
    rows.push(`<li><a href="/${k}">Item 0-${k}</a> <time datetime="${date}">lately</time></li>`)
  }
  return `<title>Feed 0</title><nav><a href="/">Home</a></nav><ul class="news">${rows.join('')}</ul>
    <p>Visitors: ${count}</p>`
}

/** The same few states again and again. */
const statePage: Render = (_, count) => `<main><p id="state">State ${count % 3}</p><p>${count}</p></main>`

/** The pages of a world instead of its feeds. */
function pageFetcher(source: SimSource, clock: VirtualClock, render: Render): Fetcher {
  const feeds = documentFetcher([source], clock)
  return {
    ...feeds,
    async fetch(request) {
      const fetched = await feeds.fetch(request)
      if (fetched.kind !== 'content') return fetched
      const body = new TextEncoder().encode(render(source, countPublishedBy(source.times, clock.now())))
      return { ...fetched, body, contentType: 'text/html; charset=utf-8' }
    },
  }
}

interface Month {
  readonly render?: Render
  readonly settings?: Partial<SourceSettings>
  readonly flags?: Readonly<Record<string, unknown>>
  readonly windowItems?: number
}

async function runMonth({ render, settings = {}, flags = {}, windowItems = WINDOW }: Month) {
  const clock = new VirtualClock(START)
  const source = simSource(1, randomTimes(7), windowItems)
  const memory = createMemoryStore({ clock })
  await runLive({
    clock,
    data: memory,
    fetcher: render === undefined ? documentFetcher([source], clock) : pageFetcher(source, clock, render),
    urls: [feedUrl(0)],
    endMs: START + MONTH_MS + DAY_MS,
    seed: 1,
    flags,
    settingsOf: () => settings,
  })
  const items = await memory.store.items({ scope: { kind: 'source', sourceId: 1 }, limit: 1_000 })
  const stored = await memory.store.source(1)
  return { items, source: stored, quality: await memory.store.quality({ kind: 'node' }, START, START + 2 * MONTH_MS) }
}

const seen = (items: readonly Item[]) => items.map(({ title, firstSeenAt }) => `${title} ${firstSeenAt}`).sort()
const delays = (items: readonly Item[]) =>
  items.map(({ firstSeenAt, published }) => firstSeenAt - (published ?? Number.NaN)).sort((a, b) => a - b)

const LISTING: Listing = { list: 'ul.news > li' }

describe('a month of a page with 200 changes', () => {
  it.each([
    ['with requests enough', '0.5/h', true],
    ['with too few, so that windows overflow', '1/day', false],
  ])('is as complete and as late as a feed with the same window: %s', async (_, budget, isEnough) => {
    const flags = { budget }
    const feed = await runMonth({ flags })
    const page = await runMonth({ flags, render: listPage, settings: { listing: LISTING } })
    expect(page.source?.state).toMatchObject({ status: 'active', format: 'page', title: 'Feed 0' })
    expect(seen(page.items)).toEqual(seen(feed.items))
    expect(delays(page.items)).toEqual(delays(feed.items))
    const { items, lost } = page.quality
    expect({ items, lost }).toEqual({ items: feed.quality.items, lost: feed.quality.lost })
    if (isEnough) expect(page.items).toHaveLength(WINDOW + CHANGES)
    else expect(page.items.length).toBeLessThan(WINDOW + CHANGES)
  })

  it('is one item for each change of an element that a check finds, also where a state comes back', async () => {
    const intervalMs = 4 * HOUR_MS
    const flags = { budget: '24/day' }
    const feed = await runMonth({ flags, settings: { intervalMs }, windowItems: 1 })
    const page = await runMonth({ flags, render: statePage, settings: { intervalMs, listing: { element: '#state' } } })
    const changes = stateChanges(feed.items)
    expect(page.items.length).toBe(changes)
    expect(page.items.length).toBeGreaterThan(30)
    expect(page.source?.state).toMatchObject({ status: 'active', saturation: null })
    const last = page.items[0]
    expect(last?.content).toMatch(/<del>− State \d<\/del>.*<ins>\+ State \d<\/ins>.*<hr><p>State \d<\/p>/)
    expect(page.quality.lost).toBe(0)
  })
})

/** Of the states that checks of a feed with one item saw, how many differ from the one before. */
function stateChanges(items: readonly Item[]): number {
  const states = items
    .map(({ title, firstSeenAt }) => ({ at: firstSeenAt, state: (Number(title?.split('-')[1]) + 1) % 3 }))
    .sort((a, b) => a.at - b.at)
    .map(({ state }) => state)
  return states.filter((state, at, all) => at === 0 || all[at - 1] !== state).length
}
