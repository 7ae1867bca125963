import { describe, expect, it } from 'vitest'
import { strategyFor } from '../../src/app/crawling/strategy.ts'
import { adjustParts, type WishStanding, wishStandings } from '../../src/app/crawling/wish-shares.ts'
import { feedPayer } from '../../src/app/crawling/wishers.ts'
import { applyQueries } from '../../src/app/queries/apply.ts'
import { findPayers } from '../../src/app/services/payers.ts'
import { feedOrigins } from '../../src/app/services/queries.ts'
import { parseWish } from '../../src/app/settings/units.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type QualityWish } from '../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../src/refresh/default-limits.ts'
import { Scheduler } from '../../src/refresh/scheduler/scheduler.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { settingsFor } from '../../test/support/published-items.ts'
import { handClock } from '../../test/support/publishing.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { SourceRun } from '../simulator/source-run.ts'
import { Tally } from '../simulator/tally.ts'
import { countPublishedBy, factsOf, simSource } from '../simulator/world.ts'

const START = Date.UTC(2026, 0, 5)
/** Models are learnt with shares as they are without wishes. */
const LEARNT = START + 6 * DAY_MS
const WISHED = LEARNT + DAY_MS
const END = WISHED + 6 * DAY_MS
const EACH = 12
const ADJUSTED_EVERY_MS = 12 * HOUR_MS
const USERS = ['ann', 'bob', 'carl'] as const
type Name = (typeof USERS)[number]

const wish = (text: string): QualityWish => {
  const { completeness = null, meanDelayMs = null } = parseWish(text)
  return { completeness, meanDelayMs }
}

/** A node in virtual time: three users who follow twelve sources each, and all that shares a budget among them. */
class Node {
  readonly clock = handClock(START)
  readonly store = createMemoryStore({ clock: this.clock }).store
  readonly budget: { readonly requests: number; readonly perMs: number }
  private readonly random = seededRandom(7)
  readonly strategy
  readonly scheduler: Scheduler<unknown>
  private readonly payers = findPayers(this.store, () => feedOrigins(this.store))
  private readonly sources = Array.from({ length: USERS.length * EACH }, (_, index) => {
    const perHour = 0.2 * 15 ** this.random()
    const times = poissonTimes(perHour / HOUR_MS, START - 10 * DAY_MS, END, this.random)
    return simSource(index + 1, times, 4)
  })
  private readonly runs = this.sources.map((source) => new SourceRun(source))
  standings: readonly WishStanding[] = []
  private readonly bySource = new Map(this.sources.map(({ id }) => [id, new Tally(WISHED, END)]))

  constructor(requestsPerDay: number, strategy: string) {
    this.budget = { requests: requestsPerDay, perMs: DAY_MS }
    this.strategy = strategyFor({ strategy, estimator: 'gamma' })
    const intervals = { minIntervalMs: MINUTE_MS, maxIntervalMs: MAX_INTERVAL_MS }
    const options = { strategy: this.strategy, budget: this.budget, burst: 2, random: this.random, now: START }
    this.scheduler = new Scheduler<unknown>({ ...options, ...intervals })
  }

  async begin(): Promise<void> {
    const urls = this.sources.map(({ id }) => settingsFor(`https://s.example/${id}`, { name: `s${id}` }))
    await this.store.addSources(urls, START)
    for (const [at, name] of USERS.entries()) {
      const role = at === 0 ? 'owner' : 'member'
      const user = await this.store.addUser({ name, role, passwordHash: null, invitation: null }, START)
      for (const { id } of this.sourcesOf(name)) {
        await this.store.follow({ userId: user!.id, feed: `/feeds/source/${id}`, since: START })
      }
    }
    for (const source of this.sources) {
      this.scheduler.upsert({ facts: factsOf(source, START, null), dueAt: null, paused: false, retired: false })
    }
    await this.drive(START, LEARNT)
  }

  /** Of some sources, over the days that are measured. */
  delayOf(ids: ReadonlySet<number>): number {
    const tallies = [...ids].map((id) => this.bySource.get(id)!)
    const sum = tallies.reduce((total, { delaySumMs }) => total + delaySumMs, 0)
    return sum / tallies.reduce((total, { items }) => total + items, 0) / MINUTE_MS
  }

  sourcesOf(name: Name) {
    return this.sources.slice(USERS.indexOf(name) * EACH, (USERS.indexOf(name) + 1) * EACH)
  }

  async wish(name: Name, qualityWish: QualityWish): Promise<void> {
    await this.store.setWish((await this.store.userNamed(name))!.id, qualityWish)
  }

  /** As the node does: who pays is read every minute or so, what wishes take every hour. */
  async drive(from: number, to: number, count = new Map<number, Tally>()): Promise<void> {
    for (let hour = from; hour < to; hour += ADJUSTED_EVERY_MS) {
      this.clock.pass(hour - this.clock.now())
      const map = await this.payers()
      for (const { id } of this.sources) this.scheduler.setPayers(id, map.of(id))
      this.standings = await this.adjust(this.budget)
      this.refresh(hour, Math.min(to, hour + ADJUSTED_EVERY_MS), count)
    }
    for (const [index, { sight }] of this.runs.entries()) {
      const source = this.sources[index]!
      count.get(source.id)?.ended(source, sight.to, countPublishedBy(source.times, to, sight.to))
    }
  }

  adjust(budget: { readonly requests: number; readonly perMs: number }): Promise<readonly WishStanding[]> {
    const { scheduler, strategy, store, payers, clock } = this
    const shares = async () => new Map(this.sources.map(({ id }) => [id, 1]))
    return adjustParts({ scheduler, strategy, store, payers, shares, clock, logger: silentLogger }, budget)
  }

  private refresh(from: number, to: number, count: ReadonlyMap<number, Tally>): void {
    const { scheduler } = this
    for (let now = from; now < to; ) {
      const next = scheduler.take(now)
      if (next.kind === 'wait') {
        now = Math.max(now + 1, Math.min(to, next.until))
        continue
      }
      const run = this.runs[next.id - 1]!
      scheduler.plan(run.refresh(now))
      for (const tally of [count.get(next.id), this.bySource.get(next.id)]) {
        tally?.refreshed(this.sources[next.id - 1]!, now, run.sight)
      }
      scheduler.finish(next.id, null)
    }
  }

  /** The last six days, after a day in which prices find their level. */
  async measure(): Promise<Record<Name, Tally>> {
    await this.drive(LEARNT, WISHED)
    const tallies = Object.fromEntries(USERS.map((name) => [name, new Tally(WISHED, END)])) as Record<Name, Tally>
    const bySource = new Map(
      USERS.flatMap((name) => this.sourcesOf(name).map(({ id }) => [id, tallies[name]] as const)),
    )
    await this.drive(WISHED, END, bySource)
    return tallies
  }
}

const minutes = (tally: Tally) => tally.meanDelayMs / MINUTE_MS

describe('a wished quality of one user', () => {
  it('is met, while another stays within a wish and the third has an even part', { timeout: 600_000 }, async () => {
    const plain = new Node(1_200, 'two-steps')
    await plain.begin()
    const before = await plain.measure()
    const node = new Node(1_200, 'two-steps')
    await node.begin()
    await node.wish('ann', wish('delay<15min'))
    await node.wish('bob', wish('delay<60min'))
    const after = await node.measure()
    // An even part does not give it.
    expect(minutes(before.ann)).toBeGreaterThan(15 * 1.15)
    expect(minutes(after.ann)).toBeLessThan(15 * 1.1)
    expect(minutes(after.ann)).toBeGreaterThan(15 * 0.9)
    expect(minutes(after.bob)).toBeLessThan(60)
    expect(after.carl.requests).toBeGreaterThan(0.97 * before.carl.requests)
    expect(minutes(after.carl)).toBeLessThan(1.05 * minutes(before.carl))
    const all = USERS.reduce((sum, name) => sum + after[name].requests, 0)
    expect(all).toBeLessThanOrEqual(1_200 * 6 + 2)
    const [ann, bob] = node.standings
    expect(ann).toMatchObject({ payer: 1, lackingPerDay: 0 })
    expect(ann!.givenPerDay).toBeGreaterThan(400)
    expect(bob!.givenPerDay).toBeLessThan(400)
    expect([...(await wishStandings(node.store)).values()]).toEqual(node.standings)
  })

  it('that the budget cannot meet is reported with what is lacking, and met once that is there', {
    timeout: 600_000,
  }, async () => {
    const node = new Node(1_200, 'two-steps')
    await node.begin()
    await node.wish('ann', wish('delay<4min'))
    const [short] = await node.adjust(node.budget)
    expect(short!.lackingPerDay).toBeGreaterThan(100)
    // Nobody else has less for it: those without a wish keep an even part.
    expect(short!.givenPerDay).toBe(400)
    const extra = { requests: 1_200 + 3 * short!.lackingPerDay, perMs: DAY_MS }
    expect(await node.adjust(extra)).toMatchObject([{ lackingPerDay: 0, neededPerDay: short!.neededPerDay }])
  })

  it('of a query feed is paid for by the feed, out of the part of its user', { timeout: 600_000 }, async () => {
    const node = new Node(1_200, 'two-steps')
    await node.begin()
    await applyQueries('CREATE FEED few AS RETURN s1 | s2 | s3', node.store, { now: node.clock.now() })
    const feed = (await node.store.queryFeed('few'))!
    await node.store.updateQueryFeed(feed.id, { wish: wish('delay<10min') })
    const after = await node.measure()
    const few = new Set([1, 2, 3])
    expect(node.delayOf(few)).toBeLessThan(11)
    expect(node.delayOf(few)).toBeGreaterThan(5)
    expect(minutes(after.ann)).toBeGreaterThan(20)
    expect(node.standings).toMatchObject([{ payer: feedPayer(feed.id), lackingPerDay: 0 }])
  })
})
