import { gunzipSync } from 'node:zlib'
import { parseFeed, parseOpml } from 'feedsmith'
import { afterEach, describe, expect, it } from 'vitest'
import { CLEAN_HABITS, type FeedHabits, type FeedPlan, type WorldFormat } from '../../lab/worlds/feed-plan.ts'
import { startWorld } from '../../lab/worlds/server.ts'
import type { World, WorldOptions, WorldStats } from '../../lab/worlds/world.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { get, post, settableClock } from './world-client.ts'

const NOON = Date.UTC(2026, 4, 6, 12)

const worlds: World[] = []
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()))
})

async function worldWith(options: Partial<WorldOptions> = {}): Promise<World> {
  const world = await startWorld({ feeds: 5, speed: 0, startAt: NOON, clock: settableClock(NOON), ...options })
  worlds.push(world)
  return world
}

function planWith(habits: Partial<FeedHabits>, intervalMs = HOUR_MS, windowItems = 10): FeedPlan {
  return {
    title: 'Fish & <Chips>',
    category: null,
    publication: { kind: 'constant', intervalMs, phaseMs: 0 },
    windowItems,
    habits: { ...CLEAN_HABITS, ...habits },
    fault: null,
    headlines: null,
  }
}

/** Ids, or links where there are none, in the order of the document. */
function namesOf(body: Buffer): string[] {
  const { format, feed } = parseFeed(body.toString())
  if (format === 'json') return (feed.items ?? []).map((item) => item.id ?? item.url ?? '')
  if (format === 'atom') return (feed.entries ?? []).map((entry) => entry.id ?? '')
  if (format === 'rdf') return (feed.items ?? []).map((item) => item.rdf?.about ?? item.link ?? '')
  return (feed.items ?? []).map((item) => item.guid?.value ?? item.link ?? '')
}

describe('a feed of the world', () => {
  const formats: WorldFormat[] = ['rss-2.0', 'rss-1.0', 'rss-0.91', 'atom-1.0', 'json-1.1']

  it.each(formats)('is read as %s by another parser, newest first, with all that was published', async (format) => {
    const world = await worldWith({ feeds: [planWith({ format, enclosureShare: 0.5, editShare: 0.5 })] })
    const { status, body } = await get(world.feedUrl(0))
    expect(status).toBe(200)
    const truth = world.truth(0).map((item) => item.id ?? item.link)
    expect(namesOf(body)).toEqual(truth.reverse())
    const { title } = parseFeed(body.toString()).feed
    expect(typeof title === 'object' ? title.value : title).toBe('Fish & <Chips>')
  })

  it('shows every language without damage', async () => {
    const world = await worldWith({ feeds: 40 })
    for (let i = 0; i < 40; i++) {
      const text = (await get(world.feedUrl(i))).body.toString()
      expect(text).not.toContain('\uFFFD')
      expect(text).not.toMatch(/%[NAVS]|undefined|NaN/)
      expect(namesOf(Buffer.from(text)).length).toBe(20)
    }
  })

  it('is the same under its own host name, its number and after a restart', async () => {
    const world = await worldWith({ port: 0 })
    const own = (await get(world.feedUrl(3))).body.toString()
    expect((await get(`${world.url}/feeds/3.xml`)).body.toString()).toBe(own)
    await world.close()
    const again = await worldWith({ port: world.port })
    expect((await get(again.feedUrl(3))).body.toString()).toBe(own)
  })

  it('answers 304 to its ETag or its date, until something new is published', async () => {
    const clock = settableClock(NOON + 10 * MINUTE_MS)
    const world = await worldWith({ feeds: [planWith({})], clock, speed: 1, dates: 'virtual', realStartAt: NOON })
    const first = await get(world.feedUrl(0))
    const etag = String(first.headers['etag'])
    const modified = String(first.headers['last-modified'])
    expect(etag).toMatch(/^".+"$/)
    expect(Date.parse(modified)).toBe(NOON)
    expect((await get(world.feedUrl(0), { 'if-none-match': etag })).status).toBe(304)
    expect((await get(world.feedUrl(0), { 'if-none-match': `"x", W/${etag}` })).status).toBe(304)
    expect((await get(world.feedUrl(0), { 'if-modified-since': modified })).status).toBe(304)
    expect((await get(world.feedUrl(0), { 'if-none-match': '"x"', 'if-modified-since': modified })).status).toBe(200)
    clock.set(NOON + HOUR_MS - 1)
    expect((await get(world.feedUrl(0), { 'if-none-match': etag })).status).toBe(304)
    clock.set(NOON + HOUR_MS)
    const second = await get(world.feedUrl(0), { 'if-none-match': etag, 'if-modified-since': modified })
    expect(second.status).toBe(200)
    expect(namesOf(second.body)[1]).toBe(namesOf(first.body)[0])
  })

  it('never hides an item behind a date of the same second', async () => {
    const clock = settableClock(NOON)
    const plan = planWith({ validators: 'last-modified' }, 300, 50)
    const world = await worldWith({ feeds: [plan], clock, speed: 1, dates: 'virtual' })
    let modified: string | undefined
    let known: string[] = []
    for (let at = NOON; at < NOON + 5_000; at += 100) {
      clock.set(at)
      const answer = await get(world.feedUrl(0), modified === undefined ? {} : { 'if-modified-since': modified })
      if (answer.status === 200) {
        known = namesOf(answer.body)
        modified = answer.headers['last-modified'] as string | undefined
      }
      expect(known[0]).toBe(world.truth(0).at(-1)?.id)
    }
  })

  it('compresses when asked, with an ETag of its own', async () => {
    const world = await worldWith()
    const plain = await get(world.feedUrl(0))
    const packed = await get(world.feedUrl(0), { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
    expect(packed.headers['etag']).not.toBe(plain.headers['etag'])
    expect((await get(world.feedUrl(0), { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined()
  })

  it('gives HEAD the headers alone and refuses to be written', async () => {
    const world = await worldWith({ maxAgeS: 300 })
    const head = await get(world.feedUrl(0), {}, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.body).toHaveLength(0)
    expect(head.headers['cache-control']).toBe('max-age=300')
    expect((await get(world.feedUrl(0), {}, { method: 'PUT' })).status).toBe(405)
  })

  it('leads to older items page by page, without gap or repetition', async () => {
    const world = await worldWith({ feeds: [planWith({})], pages: 2 })
    const names: string[] = []
    for (const suffix of ['', '?page=1', '?page=2']) {
      const { body } = await get(`${world.feedUrl(0)}${suffix}`)
      names.push(...namesOf(body))
      expect(body.toString().includes('rel="next"')).toBe(suffix !== '?page=2')
    }
    expect(new Set(names).size).toBe(30)
  })
})

describe('habits', () => {
  const read = async (habits: Partial<FeedHabits>, minutes = 0) => {
    const world = await worldWith({ feeds: [planWith(habits)], dates: 'virtual', startAt: NOON + minutes * MINUTE_MS })
    const answer = await get(world.feedUrl(0))
    const { feed } = parseFeed(answer.body.toString()) as { feed: { items?: { pubDate?: string; guid?: unknown }[] } }
    return { answer, items: feed.items ?? [], names: namesOf(answer.body) }
  }

  it('states true dates, none, now, the future, or midnight', async () => {
    const datesOf = async (dates: FeedHabits['dates']) =>
      (await read({ dates }, 30)).items.slice(0, 2).map((item) => item.pubDate && Date.parse(item.pubDate))
    expect(await datesOf('credible')).toEqual([NOON, NOON - HOUR_MS])
    expect(await datesOf('none')).toEqual([undefined, undefined])
    expect(await datesOf('now')).toEqual([NOON + 30 * MINUTE_MS, NOON + 30 * MINUTE_MS])
    expect(await datesOf('future')).toEqual([NOON + 5 * HOUR_MS, NOON + 4 * HOUR_MS])
    expect(await datesOf('midnight')).toEqual([NOON - 12 * HOUR_MS, NOON - 12 * HOUR_MS])
  })

  it('leaves out ids', async () => {
    expect((await read({ ids: 'link' })).items.every((item) => item.guid === undefined)).toBe(true)
    expect(new Set((await read({ ids: 'link' })).names).size).toBe(10)
    expect(new Set((await read({ ids: 'none' })).names).size).toBe(1)
  })

  it('shuffles the same items every ten minutes', async () => {
    const before = (await read({ order: 'shuffled' }, 1)).names.map(afterPort)
    const same = (await read({ order: 'shuffled' }, 9)).names.map(afterPort)
    const after = (await read({ order: 'shuffled' }, 11)).names.map(afterPort)
    expect(same).toEqual(before)
    expect(after).not.toEqual(before)
    expect([...after].sort()).toEqual([...before].sort())
  })

  it('edits items in place and moves its ETag then', async () => {
    const clock = settableClock(NOON)
    const plan = planWith({ editShare: 1 }, DAY_MS)
    const world = await worldWith({
      feeds: [plan],
      clock,
      speed: 1,
      startAt: NOON,
      realStartAt: NOON,
      dates: 'virtual',
    })
    const before = await get(world.feedUrl(0))
    clock.set(NOON + 12 * HOUR_MS + 1)
    const fresh = await get(world.feedUrl(0))
    clock.set(NOON + 23 * HOUR_MS)
    const edited = await get(world.feedUrl(0))
    expect(namesOf(edited.body)).toEqual(namesOf(fresh.body))
    expect(edited.headers['etag']).not.toBe(fresh.headers['etag'])
    expect(edited.body.length).toBeGreaterThan(fresh.body.length)
    expect(namesOf(before.body)[0]).toBe(namesOf(fresh.body)[1])
  })

  it('dates items by the real clock however fast the world runs', async () => {
    const clock = settableClock(NOON)
    const world = await worldWith({ feeds: [planWith({})], clock, speed: 3600, dates: 'real' })
    clock.set(NOON + 10_500)
    const { body } = await get(world.feedUrl(0))
    const { feed } = parseFeed(body.toString()) as { feed: { items?: { pubDate?: string }[] } }
    // An hour of the world is a second here.
    const stated = (feed.items ?? []).slice(0, 3).map((item) => Date.parse(item.pubDate ?? ''))
    expect(stated).toEqual([NOON + 10_000, NOON + 9_000, NOON + 8_000])

    // Stopped, it shows the same for ever; going on, it dates on from there.
    world.setSpeed(0)
    clock.set(NOON + 60_000)
    expect((await get(world.feedUrl(0))).body.equals(body)).toBe(true)
    world.setSpeed(3600)
    clock.set(NOON + 61_000)
    const later = (await get(world.feedUrl(0))).body.toString()
    expect(Date.parse(/<pubDate>([^<]*)/.exec(later)![1]!)).toBe(NOON + 60_000)
  })
})

function afterPort(name: string): string {
  return name.replace(/:\d+\//, '/')
}

describe('sites', () => {
  it('announce their feeds', async () => {
    const world = await worldWith({ feedsPerHost: 3 })
    const page = (await get(new URL('/', world.feedUrl(1)).href)).body.toString()
    const links = [...page.matchAll(/<link rel="alternate"[^>]*href="([^"]*)"/g)].map((match) => match[1])
    expect(links.map((href) => new URL(href!, world.feedUrl(1)).href)).toEqual([0, 1, 2].map(world.feedUrl))
    expect(new URL(world.feedUrl(1)).hostname).toBe('host-0.localhost')
    expect(new URL(world.feedUrl(4)).hostname).toBe('host-1.localhost')
    expect((await get(world.siteUrl(4))).status).toBe(200)
  })

  it('have a page behind every link', async () => {
    const world = await worldWith()
    const item = world.truth(2).at(-1)!
    const page = await get(item.link)
    expect(page.status).toBe(200)
    expect(page.body.toString()).toContain('<article>')
  })

  it('are listed as OPML with their folders, and on the index page', async () => {
    const world = await worldWith({ feeds: 30 })
    const list = parseOpml((await get(world.opmlUrl)).body.toString())
    const urls: string[] = []
    const walk = (outlines: NonNullable<typeof list.body>['outlines'], path: string) => {
      for (const outline of outlines ?? []) {
        if (outline.xmlUrl !== undefined) {
          urls.push(outline.xmlUrl)
          const index = Number(/feed-(\d+)/.exec(outline.xmlUrl)?.[1])
          expect(world.plan(index).category ?? '').toBe(path)
        } else walk(outline.outlines, path === '' ? (outline.text ?? '') : `${path}/${outline.text}`)
      }
    }
    walk(list.body?.outlines, '')
    expect(urls.sort()).toEqual(Array.from({ length: 30 }, (_, i) => world.feedUrl(i)).sort())
    expect((await get(world.url)).body.toString()).toContain(world.feedUrl(29))
    expect((await get(`${world.url}/elsewhere`)).status).toBe(404)
    expect((await get(`http://feed-30.localhost:${world.port}/feed.xml`)).status).toBe(404)
  })
})

describe('counters', () => {
  it('know what was published, served and asked for', async () => {
    const clock = settableClock(NOON)
    const world = await worldWith({ feeds: [planWith({}), planWith({})], clock, speed: 1, dates: 'virtual' })
    const { headers, body } = await get(world.feedUrl(0))
    await get(world.feedUrl(0), { 'if-none-match': String(headers['etag']) })
    clock.set(NOON + 15 * HOUR_MS)
    await get(world.feedUrl(0))
    const [read, unread] = world.stats().feeds
    expect(read).toMatchObject({ requests: 3, ok: 2, notModified: 1, published: 25, served: 20 })
    expect(read!.bytes).toBeGreaterThan(body.length * 1.5)
    expect(unread).toMatchObject({ requests: 0, ok: 0, published: 25, served: 0 })
    // Window 10, 15 items since: the first five after the start were never in a window that somebody saw.
    const served = world.truth(0).map((item) => item.firstServedAt)
    expect(served).toEqual([
      ...new Array(10).fill(NOON),
      ...new Array(5).fill(null),
      ...new Array(10).fill(NOON + 15 * HOUR_MS),
    ])
  })

  it('judge politeness by host: requests at a time, gaps, statuses', async () => {
    const world = await worldWith({ feeds: 4, feedsPerHost: 2 })
    world.setFault(0, { name: 'slow-headers', delayMs: 2_000 })
    await Promise.all([get(world.feedUrl(0)), get(world.feedUrl(0)), get(world.feedUrl(1))])
    await get(world.feedUrl(2))
    const { hosts } = world.stats()
    expect(hosts['host-0.localhost']).toMatchObject({
      requests: 3,
      maxConcurrent: expect.any(Number),
      statuses: { 200: 3 },
    })
    expect(hosts['host-0.localhost']!.maxConcurrent).toBeGreaterThanOrEqual(2)
    expect(hosts['host-0.localhost']!.smallestGapMs).toBeLessThan(2_000)
    expect(hosts['host-1.localhost']).toEqual({
      requests: 1,
      maxConcurrent: 1,
      smallestGapMs: null,
      statuses: { 200: 1 },
    })
    world.resetCounters()
    expect(world.stats().hosts).toEqual({})
  })

  it('can be read and the world be ruled over HTTP', async () => {
    const world = await worldWith({ feeds: [planWith({})], dates: 'virtual' })
    const control = `${world.url}/__world/control`
    expect(await post(control, { advanceMs: 2 * HOUR_MS })).toEqual({ status: 200, body: { now: NOON + 2 * HOUR_MS } })
    expect((await post(control, { fault: { feed: 0, name: '503', retryAfterS: 7 } })).status).toBe(200)
    expect((await get(world.feedUrl(0))).headers['retry-after']).toBe('7')
    expect((await post(control, { fault: { feed: 0, name: null } })).status).toBe(200)
    expect((await get(world.feedUrl(0))).status).toBe(200)
    for (const bad of [
      { fault: { feed: 9, name: '500' } },
      { fault: { feed: 0, name: 'boredom' } },
      { advanceMs: 'x' },
    ]) {
      expect((await post(control, bad)).status).toBe(400)
    }
    const stats = (await (await fetch(`${world.url}/__world/stats`)).json()) as WorldStats
    expect(stats).toEqual(JSON.parse(JSON.stringify(world.stats())))
    expect(stats.feeds[0]).toMatchObject({ published: 12, served: 10 })
    const truth = await (await fetch(`${world.url}/__world/truth?feed=0`)).json()
    expect(truth).toEqual(JSON.parse(JSON.stringify(world.truth(0))))
    expect((await fetch(`${world.url}/__world/truth?feed=1`)).status).toBe(404)
    await post(control, { stop: true })
    await world.closed
  })
})
