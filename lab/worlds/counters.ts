import type { DurationMs, InstantMs } from '../../src/model/index.ts'

export interface HostStats {
  readonly requests: number
  readonly maxConcurrent: number
  /** Between the starts of two requests; null with fewer than two. Real time. */
  readonly smallestGapMs: DurationMs | null
  readonly statuses: Readonly<Record<string, number>>
}

export interface FeedStats {
  readonly requests: number
  readonly ok: number
  readonly notModified: number
  readonly bytes: number
  /** Items that were ever in a completely sent answer. */
  readonly served: number
}

interface HostCounter {
  requests: number
  concurrent: number
  maxConcurrent: number
  lastStartMs: number | null
  smallestGapMs: number | null
  readonly statuses: Map<string, number>
}

/** What the world saw of its visitors, by host: the judge of politeness. */
export class HostCounters {
  readonly #hosts = new Map<string, HostCounter>()

  /** Returns the function to call when the answer is over; `aborted` in place of a status if it was cut off. */
  start(host: string, nowMs: DurationMs): (status: number | 'aborted') => void {
    const counter = this.#counter(host)
    counter.requests++
    counter.concurrent++
    counter.maxConcurrent = Math.max(counter.maxConcurrent, counter.concurrent)
    if (counter.lastStartMs !== null) {
      const gapMs = nowMs - counter.lastStartMs
      counter.smallestGapMs = counter.smallestGapMs === null ? gapMs : Math.min(counter.smallestGapMs, gapMs)
    }
    counter.lastStartMs = nowMs
    return (status) => {
      counter.concurrent--
      counter.statuses.set(String(status), (counter.statuses.get(String(status)) ?? 0) + 1)
    }
  }

  stats(): Record<string, HostStats> {
    const result: Record<string, HostStats> = {}
    for (const [host, counter] of this.#hosts) {
      result[host] = {
        requests: counter.requests,
        maxConcurrent: counter.maxConcurrent,
        smallestGapMs: counter.smallestGapMs,
        statuses: Object.fromEntries(counter.statuses),
      }
    }
    return result
  }

  reset(): void {
    this.#hosts.clear()
  }

  #counter(host: string): HostCounter {
    let counter = this.#hosts.get(host)
    if (counter === undefined) {
      counter = {
        requests: 0,
        concurrent: 0,
        maxConcurrent: 0,
        lastStartMs: null,
        smallestGapMs: null,
        statuses: new Map(),
      }
      this.#hosts.set(host, counter)
    }
    return counter
  }
}

/** What one feed gave away. */
export class FeedCounter {
  requests = 0
  ok = 0
  notModified = 0
  bytes = 0
  readonly #firstServedAt = new Map<string, InstantMs>()
  #lastVersion: string | null = null

  /** An answer went out completely; the same version again brings nothing new. */
  recordAnswer(version: string | null, items: readonly { readonly key: string }[], at: InstantMs, bytes: number): void {
    this.ok++
    this.bytes += bytes
    if (version !== null && version === this.#lastVersion) return
    this.#lastVersion = version
    for (const { key } of items) if (!this.#firstServedAt.has(key)) this.#firstServedAt.set(key, at)
  }

  firstServedAt(key: string): InstantMs | null {
    return this.#firstServedAt.get(key) ?? null
  }

  stats(): FeedStats {
    const { requests, ok, notModified, bytes } = this
    return { requests, ok, notModified, bytes, served: this.#firstServedAt.size }
  }
}
