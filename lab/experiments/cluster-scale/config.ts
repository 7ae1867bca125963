import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/model/index.ts'
import { RSS_2024 } from '../../traces/trace-set.ts'

/** How a run is made; tests have a smaller one. */
export interface ScaleSettings {
  /** null: no recorded feeds. */
  readonly trace: TraceSettings | null
  readonly synthetic: {
    readonly sources: number
    readonly crawlers: number
    /** One site of so many, one sample each; the figures are those of the first. */
    readonly samples: readonly [number, number]
  }
}

export interface TraceSettings {
  readonly days: number
}

export const SETTINGS: ScaleSettings = {
  trace: { days: 18 },
  synthetic: { sources: 10_000_000, crawlers: 8, samples: [512, 2_048] },
}

export const CONFIG = {
  minIntervalMs: SECOND_MS,
  /** From a crawler to the database and back. */
  latencyMs: 20,
  /** What may be saved up: a quarter of an hour's budget, as the node saves up with a timetable. */
  burstsPerDay: 96,
  /** A shard that is given back has an owner after a look or two (half a second each), which begins a host's spacing later. */
  handOverMs: 2 * SECOND_MS,
  /** A lease (10 s by default) and a second, and the spacing. */
  takeOverMs: 12 * SECOND_MS,
  spacingMs: SECOND_MS,
  trace: {
    set: RSS_2024,
    windowSize: 20,
    crawlers: 4,
    perDay: 24,
    learningMs: 14 * DAY_MS,
  },
  synthetic: {
    perDay: 8,
    /** The first is for the price to find its place. */
    days: 2,
    learningMs: DAY_MS,
  },
  /** After the learning: one is restarted for an upgrade, another is killed and comes back after hours. */
  absences: [
    { member: 1, afterMs: 4 * HOUR_MS, forMs: 60 * SECOND_MS, isKilled: false },
    { member: 2, afterMs: 9 * HOUR_MS, forMs: 3 * HOUR_MS, isKilled: true },
  ],
  mostDelay: 1.05,
  /** Between two samples; delays and rows. */
  mostApart: 0.05,
  /** Between the memory of this run and that of unit-costs.json. */
  mostMemory: 1,
} as const
