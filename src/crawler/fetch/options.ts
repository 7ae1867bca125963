import type { Resolve } from '../../http/connector.ts'
import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { type BodyMemorySize, ENDLESS_BODY_MEMORY } from './body-memory.ts'
import type { LeastRate } from './byte-rate.ts'

const DEFAULT_USER_AGENT = 'Headwater/0.1 (feed aggregator)'

export interface FetcherOptions {
  readonly clock?: Clock
  readonly userAgent?: string
  /** CIDR blocks or single addresses, `loopback`, `private`: reachable although not public. */
  readonly allowRanges?: readonly string[]
  /** Instead of the system's resolver. Its answers are checked all the same. */
  readonly resolve?: Resolve
  /** Limit on the body after decompression. */
  readonly maxBodyBytes?: number
  /** Limit on the body as sent; default: maxBodyBytes. */
  readonly maxCompressedBytes?: number
  /** Room in memory for all bodies that are read at the same time; default: as much as it takes. */
  readonly bodyMemory?: BodyMemorySize
  readonly maxRedirects?: number
  readonly connectTimeoutMs?: DurationMs
  /** From the sent request to the end of the headers. */
  readonly headersTimeoutMs?: DurationMs
  /** Longest silence within a body. */
  readonly bodyIdleTimeoutMs?: DurationMs
  /** A body that comes slower is cut off. */
  readonly leastRate?: LeastRate
  /** All redirects together; waiting for a turn at another host (enterHop) does not count. */
  readonly totalTimeoutMs?: DurationMs
  readonly connectionsPerHost?: number
  /** How long an unused connection stays open. */
  readonly keepAliveMs?: DurationMs
  /** At most so many hosts keep unused connections; the least recently used are closed first. */
  readonly maxIdleHosts?: number
}

export type FetcherSettings = Required<Omit<FetcherOptions, 'resolve'>> & { readonly resolve: Resolve | null }

const MIB = 1024 * 1024

/**
 * Far below any line: a modem of 1991 brings ten times as much. Within the usual time limit of a minute such a body could
 * grow to 7.5 KB, less than most feeds have. The window is longer than the longest silence, so that a server that
 * sends a head, thinks, and sends the rest is not cut off.
 */
const LEAST_RATE: LeastRate = { bytesPerSecond: 128, windowMs: 20 * SECOND_MS }

export function withFetcherDefaults(options: FetcherOptions): FetcherSettings {
  const maxBodyBytes = options.maxBodyBytes ?? 15 * MIB
  return {
    clock: options.clock ?? systemClock,
    userAgent: options.userAgent ?? DEFAULT_USER_AGENT,
    allowRanges: options.allowRanges ?? [],
    resolve: options.resolve ?? null,
    maxBodyBytes,
    maxCompressedBytes: options.maxCompressedBytes ?? maxBodyBytes,
    bodyMemory: options.bodyMemory ?? ENDLESS_BODY_MEMORY,
    maxRedirects: options.maxRedirects ?? 5,
    connectTimeoutMs: options.connectTimeoutMs ?? 10 * SECOND_MS,
    headersTimeoutMs: options.headersTimeoutMs ?? 20 * SECOND_MS,
    bodyIdleTimeoutMs: options.bodyIdleTimeoutMs ?? 15 * SECOND_MS,
    leastRate: options.leastRate ?? LEAST_RATE,
    totalTimeoutMs: options.totalTimeoutMs ?? 60 * SECOND_MS,
    connectionsPerHost: options.connectionsPerHost ?? 2,
    // Feeds are polled minutes apart: a connection is worth keeping only for the next source of the same host.
    keepAliveMs: options.keepAliveMs ?? 3 * SECOND_MS,
    maxIdleHosts: options.maxIdleHosts ?? 256,
  }
}
