import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import { coveredShare } from '../bundles/coverage.ts'
import { SiteCovers } from './site-covers.ts'

const START = Date.UTC(2026, 0, 5)
const MAIN = 1
const SPORT = 2
const ART = 3

interface Post {
  readonly section: number
  readonly k: number
  readonly at: InstantMs
}

const posts: readonly Post[] = Array.from({ length: 400 }, (_, k) => ({
  section: k % 2 === 0 ? SPORT : ART,
  k,
  at: START + k * HOUR_MS,
}))

const shownOf = (some: readonly Post[], isTitled = true, marks = (post: Post) => [`/${post.section}`]) => ({
  isPart: false,
  items: some.map((post) => ({ link: `link ${post.k}`, published: post.at, isTitled, marks: () => marks(post) })),
})

interface Habits {
  /** Whether the common page has a post at a moment. */
  readonly has?: (post: Post, now: InstantMs) => boolean
  readonly isTitled?: boolean
  readonly marks?: (post: Post) => string[]
}

/** All are looked at every four hours, the common page in between. */
function watch(site: SiteCovers, from: number, days: number, { has = () => true, isTitled, marks }: Habits = {}): void {
  const end = START + (from + days) * DAY_MS
  for (let now = START + from * DAY_MS; now < end; now += 4 * HOUR_MS) {
    const until = (at: InstantMs) => posts.filter((post) => post.at <= at)
    const common = until(now).filter((post) => has(post, now))
    site.look(MAIN, shownOf(common.slice(-40), isTitled, marks), 1, now)
    for (const section of [SPORT, ART]) {
      const own = until(now + HOUR_MS).filter((post) => post.section === section)
      site.look(section, shownOf(own.slice(-20)), 1, now + HOUR_MS)
    }
  }
}

const shareOf = (site: SiteCovers, cover: number, member: number) => {
  const coverage = site.coverage(cover, member)
  return coverage === null ? null : coveredShare(coverage.record)
}

describe('who shows whose items on a site', () => {
  it('is learnt from their links, one way and the other', () => {
    const site = new SiteCovers()
    watch(site, 0, 4)
    expect(shareOf(site, MAIN, SPORT)).toBeGreaterThan(0.95)
    expect(shareOf(site, SPORT, MAIN)).toBeCloseTo(0.5, 1)
    expect(site.coverage(SPORT, ART)).toBeNull()
    expect(site.isNamed(MAIN, SPORT, [`/${SPORT}`])).toBe(true)
    expect(site.isNamed(MAIN, SPORT, [`/${ART}`])).toBe(false)
  })

  it.each([0.25, 0.5, 0.75])('as a share: %d', (share) => {
    const site = new SiteCovers()
    watch(site, 0, 8, { has: ({ k }) => (Math.floor(k / 2) * 37) % 100 < 100 * share })
    expect(Math.abs((shareOf(site, MAIN, SPORT) ?? 0) - share)).toBeLessThan(0.06)
  })

  it('is forgotten within a look or two when it stops, and comes back when it begins again', () => {
    const site = new SiteCovers()
    watch(site, 0, 4)
    watch(site, 4, 1, { has: ({ at }) => at < START + 4 * DAY_MS })
    expect(shareOf(site, MAIN, SPORT) ?? 0).toBeLessThan(0.4)
    watch(site, 5, 6)
    expect(shareOf(site, MAIN, SPORT)).toBeGreaterThan(0.8)
  })

  it('says how late, and waits for what is on its way', () => {
    const site = new SiteCovers()
    watch(site, 0, 8, { has: ({ at }, now) => at <= now - 5 * HOUR_MS })
    const coverage = site.coverage(MAIN, SPORT)
    expect(coverage?.lagMs).toBeGreaterThan(3 * HOUR_MS)
    expect(coverage?.lagMs).toBeLessThan(9 * HOUR_MS)
    expect(shareOf(site, MAIN, SPORT)).toBeGreaterThan(0.8)
    expect(coverage?.stayMs).toBeGreaterThan(DAY_MS)
  })

  it('does not say whose an item is where nothing distinguishes them, or where it cannot be read', () => {
    const alike = new SiteCovers()
    watch(alike, 0, 4, { marks: () => ['*'] })
    expect(alike.coverage(MAIN, SPORT)?.isNamed).toBe(false)
    expect(alike.isNamed(MAIN, SPORT, ['*'])).toBe(false)
    expect(alike.expected(MAIN, SPORT, 0)).toBeGreaterThan(0)
    const addresses = new SiteCovers()
    watch(addresses, 0, 4, { isTitled: false })
    expect(addresses.coverage(MAIN, SPORT)?.isNamed).toBe(false)
    expect(addresses.expected(MAIN, SPORT, 3)).toBe(3)
  })

  it('is doubted while another section shows what one took for its own, until it was asked itself', () => {
    const site = new SiteCovers()
    watch(site, 0, 6)
    const now = START + 6 * DAY_MS
    const stray = (k: number) => ({
      link: `stray ${k}`,
      published: now + k * MINUTE_MS,
      isTitled: true,
      marks: () => [`/${SPORT}`],
    })
    const shows = (id: number, k: number, minute: number) => {
      const posted = posts.filter(({ section, at }) => at <= now && (id === MAIN || section === id)).slice(-20)
      const { items } = shownOf(posted)
      return site.look(id, { isPart: false, items: [...items, stray(k)] }, 1, now + minute * MINUTE_MS)
    }
    expect(shows(MAIN, 1, 10)).toEqual([])
    expect(site.isNamed(MAIN, SPORT, [`/${SPORT}`])).toBe(true)
    expect(shows(ART, 1, 20)).toEqual([SPORT])
    expect(site.isNamed(MAIN, SPORT, [`/${SPORT}`])).toBe(false)
    expect(site.coverage(MAIN, SPORT)?.isNamed).toBe(false)
    // It is in both: the next one that is may pass.
    expect(shows(SPORT, 1, 30)).toEqual([])
    expect(site.coverage(MAIN, SPORT)?.isNamed).toBe(true)
    shows(MAIN, 40, 50)
    expect(shows(ART, 40, 60)).toEqual([])
    expect(site.isNamed(MAIN, SPORT, [`/${SPORT}`])).toBe(true)
  })

  it('is nothing where two items have one link, or for a source that is gone', () => {
    const site = new SiteCovers()
    watch(site, 0, 4)
    const twin = { link: 'one', published: START, isTitled: true, marks: () => [] }
    site.look(SPORT, { isPart: false, items: [twin, twin] }, 0, START + 4 * DAY_MS + MINUTE_MS)
    expect(site.coverage(MAIN, SPORT)).toBeNull()
    site.forget(ART)
    expect(site.coverage(MAIN, ART)).toBeNull()
    expect(site.pairs().every(({ cover, member }) => cover !== ART && member !== ART)).toBe(true)
  })

  it('is looked for again when a source joins one that shared nothing with anybody', () => {
    const site = new SiteCovers()
    for (let day = 0; day < 5; day++) {
      const own = posts.filter(({ section, at }) => section === SPORT && at <= START + day * DAY_MS)
      site.look(SPORT, shownOf(own.slice(-20)), 1, START + day * DAY_MS)
    }
    watch(site, 5, 4)
    expect(shareOf(site, MAIN, SPORT)).toBeGreaterThan(0.9)
  })

  it('outlives a restart', () => {
    const site = new SiteCovers()
    watch(site, 0, 4)
    const restarted = new SiteCovers()
    for (const pair of site.pairs()) restarted.resume(JSON.parse(JSON.stringify(pair)), START + 4 * DAY_MS)
    watch(restarted, 4, 0.5)
    expect(shareOf(restarted, MAIN, SPORT)).toBeGreaterThan(0.95)
    expect(restarted.coverage(MAIN, SPORT)?.isNamed).toBe(true)
  })
})
