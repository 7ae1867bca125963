import { entryAt } from '../../src/model/entry-at.ts'
import { FeedCounter } from './counters.ts'
import { FAULTS, type FaultName, type FaultSpec } from './faults/fault.ts'
import { CLEAN_HABITS, type FeedPlan, planFeed } from './feed-plan.ts'
import { type LiveFeed, liveFeed } from './live-feed.ts'
import type { VirtualTime } from './virtual-time.ts'
import type { WorldOptions } from './world.ts'

/** A feed with what the world notes about it. */
export interface FeedSlot {
  readonly feed: LiveFeed
  counter: FeedCounter
  fault: FaultSpec | null
  /** Requests since the fault was set. */
  turns: number
  /** Requests for the page of each item, by its key. */
  pageVisits: Map<string, number>
}

/** All feeds of a world, made when first asked for. */
export class FeedSet {
  readonly count: number
  readonly feedsPerHost: number
  readonly #options: WorldOptions
  readonly #time: VirtualTime
  readonly #port: () => number
  readonly #slots = new Map<number, FeedSlot>()

  constructor(options: WorldOptions, time: VirtualTime, port: () => number) {
    this.#options = options
    this.#time = time
    this.#port = port
    this.count = typeof options.feeds === 'number' ? options.feeds : options.feeds.length
    this.feedsPerHost = options.feedsPerHost ?? 1
  }

  slot(index: number): FeedSlot | null {
    return Number.isInteger(index) && index >= 0 && index < this.count ? this.#make(index, null) : null
  }

  /** The feed behind a fault host; numbered after all others. */
  faultSlot(name: FaultName): FeedSlot {
    return this.#make(this.count + Object.keys(FAULTS).indexOf(name), name)
  }

  *all(): Generator<FeedSlot> {
    for (let index = 0; index < this.count; index++) yield this.#make(index, null)
  }

  ofHost(host: number): FeedSlot[] {
    const first = host * this.feedsPerHost
    const slots = Array.from({ length: this.feedsPerHost }, (_, i) => this.slot(first + i))
    return slots.filter((slot) => slot !== null)
  }

  resetCounters(): void {
    for (const slot of this.#slots.values()) {
      slot.counter = new FeedCounter()
      slot.pageVisits = new Map()
    }
  }

  #make(index: number, fault: FaultName | null): FeedSlot {
    const known = this.#slots.get(index)
    if (known !== undefined) return known
    const plan = this.#plan(index, fault)
    const extension = plan.habits.format === 'json-1.1' ? 'json' : 'xml'
    const feed = liveFeed({
      index,
      plan,
      seed: this.#options.seed ?? 1,
      time: this.#time,
      hasTeasers: this.#options.articles !== undefined,
      pages: this.#options.pages ?? 0,
      pageStyle: this.#options.pageStyle ?? 'paged',
      ...this.#addresses(index, extension, fault),
    })
    const slot: FeedSlot = { feed, counter: new FeedCounter(), fault: plan.fault, turns: 0, pageVisits: new Map() }
    this.#slots.set(index, slot)
    return slot
  }

  #plan(index: number, fault: FaultName | null): FeedPlan {
    const { feeds, seed = 1, windowItems = 20, itemsPerDay = 20, oddShare = 0 } = this.#options
    if (typeof feeds !== 'number' && fault === null) return entryAt(feeds, index)
    const plan = planFeed(index, { seed, windowItems, itemsPerDay, oddShare })
    if (fault === null) return plan
    return {
      ...plan,
      title: `Fault ${fault}`,
      category: 'Faults',
      habits: CLEAN_HABITS,
      publication: { kind: 'poisson', ratePerDay: itemsPerDay },
      fault: { name: fault },
    }
  }

  #addresses(index: number, extension: string, fault: FaultName | null): { url: string; siteUrl: string } {
    const port = this.#port()
    if (fault !== null) {
      const siteUrl = `http://fault-${fault}.localhost:${port}/`
      return { siteUrl, url: `${siteUrl}feed.xml` }
    }
    if (this.feedsPerHost === 1) {
      const siteUrl = `http://feed-${index}.localhost:${port}/`
      return { siteUrl, url: `${siteUrl}feed.${extension}` }
    }
    const host = `http://host-${Math.floor(index / this.feedsPerHost)}.localhost:${port}/`
    return { siteUrl: `${host}feed-${index}/`, url: `${host}feed-${index}.${extension}` }
  }
}
