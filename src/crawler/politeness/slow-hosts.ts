import { type DurationMs, SECOND_MS } from '../../model/index.ts'

/** Who lets a request wait as long as this holds a place that 25 usual requests of 200 ms could have had. */
export const SLOW_MS: DurationMs = 5 * SECOND_MS
const MOST_HOSTS = 10_000

/**
 * How long a host takes, where that is long; null: it is not slow. Learnt from one slow answer, and forgotten by halves: a
 * host that takes a minute is slow until four answers in a row were quick, so that being quick now and then is no way out.
 */
export function learntLatency(before: DurationMs | null, tookMs: DurationMs): DurationMs | null {
  const ms = before === null ? tookMs : Math.max(tookMs, (before + tookMs) / 2)
  return ms >= SLOW_MS ? Math.round(ms) : null
}

/** What is known of slow hosts; of the others nothing is kept. */
export class SlowHosts {
  readonly #latencies = new Map<string, DurationMs>()

  heard(host: string, tookMs: DurationMs): void {
    // Nearly always.
    if (tookMs < SLOW_MS && this.#latencies.size === 0) return
    const before = this.#latencies.get(host) ?? null
    const learnt = learntLatency(before, tookMs)
    if (before !== null) this.#latencies.delete(host)
    if (learnt !== null) this.#latencies.set(host, learnt)
    if (this.#latencies.size > MOST_HOSTS) this.#latencies.delete(this.#latencies.keys().next().value!)
  }

  /** null: it is not slow. */
  latencyMs(host: string): DurationMs | null {
    return this.#latencies.get(host) ?? null
  }

  keep(): readonly (readonly [host: string, latencyMs: DurationMs])[] {
    return [...this.#latencies]
  }

  restore(kept: readonly (readonly [host: string, latencyMs: DurationMs])[]): void {
    for (const [host, latencyMs] of kept) this.heard(host, latencyMs)
  }
}
