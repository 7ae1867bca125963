import { type DurationMs, SECOND_MS } from '../../model/index.ts'

/** Who lets a request wait as long as this holds a slot that 25 usual requests of 200 ms could have had. */
export const SLOW_MS: DurationMs = 5 * SECOND_MS
const MOST_HOSTS = 10_000
/** Quick answers in a row after which one slow answer may be a stall: of the host, of the network, or our own. */
const TRUSTED_AFTER = 4

/**
 * How long a host takes, where that is long; null: it is not slow. Learnt from one slow answer, or from the second in a row
 * of a host that has just been quick (SlowHosts), and forgotten by halves: a host that takes a minute is slow until four
 * answers in a row were quick, so that being quick now and then is no way out.
 */
export function learntLatency(before: DurationMs | null, tookMs: DurationMs): DurationMs | null {
  const ms = before === null ? tookMs : Math.max(tookMs, (before + tookMs) / 2)
  return ms >= SLOW_MS ? Math.round(ms) : null
}

/** What is known of slow hosts; of the others only whether they were quick lately, which is not stored over restarts. */
export class SlowHosts {
  readonly #latencies = new Map<string, DurationMs>()
  readonly #trust = new Map<string, Trust>()

  /** An answer that has just ended, or was aborted. Times are monotonic. */
  recordLatency(host: string, tookMs: DurationMs, nowMs: DurationMs): void {
    const before = this.#latencies.get(host) ?? null
    if (before === null && this.#isTrusted(host, tookMs, nowMs)) return
    const learnt = learntLatency(before, tookMs)
    if (before !== null) this.#latencies.delete(host)
    if (learnt !== null) this.#learn(host, learnt)
  }

  #learn(host: string, latencyMs: DurationMs): void {
    this.#latencies.set(host, latencyMs)
    this.#trust.delete(host)
    forgetOldest(this.#latencies)
  }

  /** Whether this answer says nothing against a host that is not slow so far. */
  #isTrusted(host: string, tookMs: DurationMs, nowMs: DurationMs): boolean {
    const trust = this.#trust.get(host)
    if (tookMs < SLOW_MS) {
      if (trust === undefined) this.#trust.set(host, { quick: 1, stalledMs: null })
      else {
        trust.quick = Math.min(TRUSTED_AFTER, trust.quick + 1)
        trust.stalledMs = null
      }
      forgetOldest(this.#trust)
      return true
    }
    if (trust === undefined) return false
    // What was under way in the same stall is no second one.
    if (trust.stalledMs !== null) return nowMs - tookMs < trust.stalledMs
    if (trust.quick < TRUSTED_AFTER) return false
    trust.quick = 0
    trust.stalledMs = nowMs
    return true
  }

  /** null: it is not slow. */
  latencyMs(host: string): DurationMs | null {
    return this.#latencies.get(host) ?? null
  }

  keep(): readonly (readonly [host: string, latencyMs: DurationMs])[] {
    return [...this.#latencies]
  }

  restore(latencies: readonly (readonly [host: string, latencyMs: DurationMs])[]): void {
    for (const [host, latencyMs] of latencies) if (latencyMs >= SLOW_MS) this.#learn(host, latencyMs)
  }
}

interface Trust {
  /** Answers in a row, up to a few. */
  quick: number
  /** When its one slow answer since then ended; null: there was none. */
  stalledMs: DurationMs | null
}

function forgetOldest(hosts: Map<string, unknown>): void {
  if (hosts.size <= MOST_HOSTS) return
  const [oldest] = hosts.keys()
  if (oldest !== undefined) hosts.delete(oldest)
}
