import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { FeedStats, HostStats } from './counters.ts'
import type { FaultName, FaultSpec } from './faults/fault.ts'
import type { FeedPlan } from './feed-plan.ts'
import type { PageStyle } from './older-pages.ts'

export interface WorldOptions {
  /** How many generated feeds, or the feeds themselves. */
  readonly feeds: number | readonly FeedPlan[]
  readonly seed?: number
  /** Publication window W of generated feeds. Default 20. */
  readonly windowItems?: number
  /** Mean items of a generated feed in a virtual day. Default 20. */
  readonly itemsPerDay?: number
  /** Share of generated feeds with bad habits: no dates, dates of now, no ids, shuffled … Default 0. */
  readonly oddShare?: number
  /** Feeds under one host name. Default 1. */
  readonly feedsPerHost?: number
  /** Virtual milliseconds per real one. 0: time stands still but for `advance`. Default 1. */
  readonly speed?: number
  /** Virtual moment of the start; default: now. */
  readonly startAt?: InstantMs
  /** Real moment of the start; default: now. Give both moments, the seed and the port to bring a world back. */
  readonly realStartAt?: InstantMs
  /** Which time the feeds' dates are in; default `real`. */
  readonly dates?: 'real' | 'virtual'
  readonly clock?: Clock
  /** Default 0: any free one. */
  readonly port?: number
  /** Adds Cache-Control: max-age to feeds. */
  readonly maxAgeS?: number
  /** Feeds show teasers, and the page behind each link the whole; so large a share of the pages is faulty. Absent: feeds have all of it. */
  readonly articles?: { readonly faultShare: number }
  /** Older pages that each feed offers. Default 0. */
  readonly pages?: number
  /** How it offers them. Default `paged`. */
  readonly pageStyle?: PageStyle
  /** Rendered documents kept in memory. Default 256 MiB. */
  readonly cacheBytes?: number
}

/** An item that the world published, whether or not somebody came for it. */
export interface TruthItem {
  readonly key: string
  /** As the feed gives it; null where it gives none. */
  readonly id: string | null
  readonly link: string
  readonly title: string
  /** Virtual. */
  readonly publishedAt: InstantMs
  /** Virtual moment of the first complete answer that held it; null: nobody has seen it. */
  readonly firstServedAt: InstantMs | null
}

export interface WorldStats {
  /** Virtual, as `beganAt`. */
  readonly now: InstantMs
  readonly beganAt: InstantMs
  readonly hosts: Readonly<Record<string, HostStats>>
  readonly feeds: readonly (FeedStats & { readonly index: number; readonly published: number })[]
}

export interface World {
  readonly port: number
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly opmlUrl: string
  readonly feedCount: number
  plan(index: number): FeedPlan
  feedUrl(index: number): string
  siteUrl(index: number): string
  /** A feed with nothing but this fault, on a host of its own. Parameters as in FaultSpec. */
  faultUrl(name: FaultName, parameters?: Omit<FaultSpec, 'name'>): string
  /** Virtual time. */
  now(): InstantMs
  advance(ms: DurationMs): void
  /** From now on; 0 stops the time of the world. */
  setSpeed(speed: number): void
  setFault(index: number, fault: FaultName | FaultSpec | null): void
  stats(): WorldStats
  /** How often the page behind each link was requested, by the key of its item. */
  pageVisits(index: number): ReadonlyMap<string, number>
  /** Everything published since `startWorld` and what the window showed then, oldest first. */
  truth(index: number): readonly TruthItem[]
  resetCounters(): void
  /** Resolves when the world has ended, by whomever. */
  readonly closed: Promise<void>
  close(): Promise<void>
}
