import { describe, expect, it } from 'vitest'
import { runLive } from '../../lab/live/run-live.ts'
import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import { poissonTimes } from '../../lab/simulator/poisson.ts'
import { countPublishedBy } from '../../lab/simulator/world.ts'
import type { Fetcher, FetchOutcome, FetchRequest } from '../../src/crawler/fetch/fetcher.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, type InstantMs, SECOND_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'

const START = Date.UTC(2026, 0, 5)
const DAYS = 6
const END = START + DAYS * DAY_MS
const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
const OWN_WINDOW = 25
const SHARED_WINDOW = 100
/** Three a day for each of them. */
const BUDGET = `${3 * NAMES.length}/day`

interface Site {
  readonly robots?: string | ((now: InstantMs) => string)
  /** Whether a composed address fails, or leaves a community out, at a moment. */
  readonly fails?: (now: InstantMs) => boolean
  readonly leavesOut?: (name: string, now: InstantMs) => boolean
}

interface Asked {
  readonly path: string
  readonly at: InstantMs
}

interface Post {
  readonly name: string
  readonly id: string
  readonly at: InstantMs
}

function postsOf(): readonly (readonly Post[])[] {
  const random = seededRandom(7)
  return NAMES.map((name, index) =>
    [...poissonTimes((2 + 2 * index) / DAY_MS, START - DAY_MS, END, random)].map((at, k) => ({
      name,
      id: `${name}${k}`,
      at,
    })),
  )
}

/** Communities with a list of new posts each, and addresses that name several. */
function siteFetcher(posts: readonly (readonly Post[])[], clock: VirtualClock, site: Site, log: Asked[]): Fetcher {
  const shown = (name: string, now: InstantMs) => {
    const own = entryAt(posts, NAMES.indexOf(name))
    return own.slice(
      0,
      countPublishedBy(
        Float64Array.from(own, ({ at }) => at),
        now,
      ),
    )
  }
  const answer = async ({ url, etag }: FetchRequest): Promise<FetchOutcome> => {
    const now = clock.now()
    const { pathname } = new URL(url)
    log.push({ path: pathname, at: now })
    const robots = typeof site.robots === 'function' ? site.robots(now) : site.robots
    if (pathname === '/robots.txt') return robots === undefined ? failed(404) : content(url, robots, null)
    const names = (/^\/r\/([\w+]+)\/new\/\.rss$/.exec(pathname)?.[1] ?? '').split('+')
    const isComposed = names.length > 1
    if (isComposed && site.fails?.(now)) return failed(503)
    const visible = isComposed ? names.filter((name) => !site.leavesOut?.(name, now)) : names
    const all = visible.flatMap((name) => shown(name, now)).sort((a, b) => b.at - a.at)
    const document = all.slice(0, isComposed ? SHARED_WINDOW : OWN_WINDOW)
    const tag = `"${document[0]?.id} ${document.length}"`
    return etag === tag
      ? { ...base(url, tag), kind: 'not-modified', status: 304, bytes: 100 }
      : content(url, atom(document), tag)
  }
  return { fetch: answer, close: async () => {} }
}

function base(url: string, etag: string | null) {
  const hints = { maxAgeMs: null, expiresAt: null }
  return { finalUrl: url, permanentUrl: null, hints, etag, lastModified: null, latencyMs: 20 }
}

function content(url: string, text: string, etag: string | null): FetchOutcome {
  const body = new TextEncoder().encode(text)
  const contentType = text.startsWith('<') ? 'application/atom+xml' : 'text/plain'
  return { ...base(url, etag), kind: 'content', status: 200, body, contentType, bytes: body.length }
}

function failed(status: number): FetchOutcome {
  const code = status === 404 ? 'HTTP_NOT_FOUND' : 'HTTP_SERVER_ERROR'
  const host = 'www.reddit.com'
  return { kind: 'failed', code, message: `status ${status}`, status, retryAt: null, host, bytes: 0, latencyMs: 5 }
}

function atom(posts: readonly Post[]): string {
  const entry = ({ name, id, at }: Post) =>
    `<entry><id>t3_${id}</id><title>Post ${id}</title><link href="https://www.reddit.com/r/${name}/comments/${id}/"/><updated>${new Date(at).toISOString()}</updated></entry>`
  return `<feed xmlns="http://www.w3.org/2005/Atom"><title>new</title>${posts.map(entry).join('')}</feed>`
}

async function crawl(site: Site, flags: Record<string, unknown> = {}) {
  const clock = new VirtualClock(START)
  const posts = postsOf()
  const log: Asked[] = []
  const memory = createMemoryStore({ clock })
  await runLive({
    clock,
    data: memory,
    fetcher: siteFetcher(posts, clock, site, log),
    urls: NAMES.map((name) => `https://www.reddit.com/r/${name}/new/.rss`),
    endMs: END,
    seed: 1,
    flags: { budget: BUDGET, bundleFamilies: 'reddit', ...flags },
  })
  const seen = new Map<string, InstantMs[]>()
  for (const { id, firstSeenAt } of await memory.store.items({ scope: { kind: 'all' }, limit: 10_000 })) {
    seen.set(id ?? '', [...(seen.get(id ?? '') ?? []), firstSeenAt])
  }
  const due = posts.flat().filter(({ at }) => at > START + DAY_MS && at < END - 2 * DAY_MS)
  const delays = due.flatMap(({ id, at }) => (seen.get(`t3_${id}`) ?? []).map((first) => first - at))
  return {
    composed: log.filter(({ path }) => path.includes('+')),
    own: log.filter(({ path }) => path.startsWith('/r/') && !path.includes('+')),
    leastGapMs: Math.min(...log.slice(1).map(({ at }, index) => at - (log[index]?.at ?? 0))),
    requests: log.length,
    forRobots: log.filter(({ path }) => path === '/robots.txt').length,
    lost: due.filter(({ id }) => !seen.has(`t3_${id}`)).length,
    doubled: [...seen.values()].filter(({ length }) => length > 1).length,
    items: due.length,
    meanDelayMs: delays.reduce((sum, delay) => sum + delay, 0) / delays.length,
    sources: await memory.store.sources(),
    store: memory.store,
  }
}

describe('sources of a site that answers for several at once', () => {
  it('are seen together, sooner with no more requests, and each post once', async () => {
    const together = await crawl({})
    const alone = await crawl({}, { bundles: false })
    expect(alone.composed).toEqual([])
    expect(together.composed.length).toBeGreaterThan(20)
    expect({ lost: together.lost, doubled: together.doubled }).toEqual({ lost: 0, doubled: 0 })
    expect(together.items).toBeGreaterThan(150)
    expect(together.requests).toBeLessThanOrEqual(3 * NAMES.length * (DAYS + 1))
    expect(together.meanDelayMs).toBeLessThan(0.5 * alone.meanDelayMs)
    const reasons = together.sources.map(({ state }) => state.nextCheckReason)
    expect(reasons.filter((reason) => reason?.includes('others in one request'))).toHaveLength(NAMES.length)
    expect(together.sources.map(({ state }) => state.title)).toEqual(NAMES.map(() => 'new'))
  })

  it('pay for one request together', async () => {
    // Of what is saved up over a day many go out at once.
    const { store, requests, forRobots, composed } = await crawl({}, { budget: `${(3 * NAMES.length) / 24}/h` })
    expect(composed.length).toBeGreaterThan(0)
    const counted = (await store.qualityEver()).requests
    expect(counted).toBeLessThanOrEqual(requests - forRobots)
    // In virtual time two looks may come in one millisecond, which the sums take for a repetition.
    expect(counted).toBeGreaterThanOrEqual(requests - forRobots - 3)
  })

  it('are asked themselves where robots.txt speaks against it', async () => {
    const { composed, lost } = await crawl({ robots: 'User-agent: *\nDisallow: /r/*+*' })
    expect(composed).toEqual([])
    expect(lost).toBe(0)
  })

  it('are asked themselves within two days once robots.txt speaks against it', async () => {
    const stops = START + 2 * DAY_MS
    const robots = (now: InstantMs) => (now < stops ? 'User-agent: *\nAllow: /' : 'User-agent: *\nDisallow: /r/*+*')
    const { composed, lost, doubled } = await crawl({ robots })
    expect(composed.some(({ at }) => at < stops)).toBe(true)
    expect(composed.filter(({ at }) => at > stops + DAY_MS + 2 * HOUR_MS)).toEqual([])
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
  })

  it('are asked themselves unless the site is named where it speaks against it', async () => {
    const { composed, lost, forRobots } = await crawl({}, { bundleFamilies: undefined })
    expect({ composed, lost, forRobots }).toEqual({ composed: [], lost: 0, forRobots: 0 })
  })

  it('are asked no more often than the site says, whatever the node is set to', async () => {
    const { leastGapMs, lost } = await crawl({}, { hostSpacing: 0, budget: '400/day' })
    expect(leastGapMs).toBeGreaterThanOrEqual(6 * SECOND_MS)
    expect(lost).toBe(0)
  })

  it('are asked themselves while that fails, and nothing is lost', async () => {
    const from = START + 2 * DAY_MS
    const until = from + 2 * DAY_MS
    const { lost, doubled, composed, own } = await crawl({ fails: (now) => now > from && now < until })
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
    expect(composed.length).toBeGreaterThan(10)
    // Alone they are asked some 48 times in two days.
    expect(own.filter(({ at }) => at > from && at < until).length).toBeGreaterThan(30)
  })

  it('are found when the common answer leaves them out', async () => {
    const leavesOut = (name: string, now: InstantMs) => name === 'theta' && now > START + 2 * DAY_MS
    const { lost, doubled } = await crawl({ leavesOut })
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
  })
})
