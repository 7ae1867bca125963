import type { DurationMs } from '../../src/model/index.ts'

/** What happens to a cluster while it works. */
export const CLUSTER_FAULTS = ['kill', 'stop', 'partition', 'postgres', 'failover'] as const
export type Fault = (typeof CLUSTER_FAULTS)[number]

/** Protections that can be switched off, to see that the checks notice. */
export const BREAKS = ['log-lock', 'fence', 'grant-expiry', 'lease-clock'] as const
export type Break = (typeof BREAKS)[number]

export interface ClusterOptions {
  readonly crawlers: number
  readonly matchers: number
  readonly publishers: number
  readonly apis: number
  /** Processes that are matcher, publisher and API at the same time. */
  readonly mixed: number
  readonly seconds: number
  readonly feeds: number
  /** Feeds of one site share a host, and so a crawler. */
  readonly feedsPerHost: number
  readonly faults: readonly Fault[]
  /** null: everything is as it is delivered. */
  readonly break: Break | null
  readonly leaseMs: DurationMs
  /** Of all crawlers together. */
  readonly requestsPerSecond: number
  /** What a site takes to answer. */
  readonly latencyMs: DurationMs
  /** What has not come so long after the end does not come. */
  readonly patienceMs: DurationMs
  readonly seed: number
  /** Where the processes write what they have to say; absent: nowhere. */
  readonly logFolder?: string | undefined
}

export const CLUSTER_DEFAULTS: ClusterOptions = {
  crawlers: 3,
  matchers: 2,
  publishers: 2,
  apis: 2,
  mixed: 0,
  seconds: 300,
  feeds: 60,
  feedsPerHost: 2,
  faults: CLUSTER_FAULTS,
  break: null,
  leaseMs: 3_000,
  requestsPerSecond: 20,
  latencyMs: 80,
  // A refresh that could not be stored is repeated after a minute.
  patienceMs: 80_000,
  seed: 1,
}

/**
 * What makes the harm of a break sure: little to spend, where too much is spent; and sites that answer later than a lease takes,
 * where somebody waits for them longer than it may.
 */
export const BREAK_SETTINGS: Readonly<Record<Break, Partial<ClusterOptions>>> = {
  'log-lock': { faults: [], patienceMs: 6_000 },
  fence: { faults: ['kill'] },
  'grant-expiry': { faults: [], requestsPerSecond: 4 },
  'lease-clock': { faults: ['partition'], leaseMs: 1_500, latencyMs: 8_000 },
}
