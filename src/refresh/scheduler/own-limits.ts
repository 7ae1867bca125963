import { type DurationMs, type InstantMs, type SourceId, WEEK_MS } from '../../model/index.ts'
import type { OwnIntervals, SchedulerSource } from './types.ts'

/** So far ahead a time may lie that a site or a failure requires (Retry-After is followed up to a week). */
const LONGEST_REST_MS = WEEK_MS

/** The shortest and the longest interval of each source, and its own where it has one: the user's, else the node's. */
export class OwnLimits {
  /** Few sources have any. */
  private readonly own = new Map<SourceId, OwnIntervals>()
  private readonly node: { readonly minIntervalMs: DurationMs; readonly maxIntervalMs: DurationMs }

  constructor(node: { readonly minIntervalMs: DurationMs; readonly maxIntervalMs: DurationMs }) {
    this.node = node
  }

  set(id: SourceId, source: Pick<SchedulerSource, keyof OwnIntervals>): void {
    const { intervalMs = null, minIntervalMs = null, maxIntervalMs = null } = source
    if (intervalMs === null && minIntervalMs === null && maxIntervalMs === null) this.own.delete(id)
    else this.own.set(id, { intervalMs, minIntervalMs, maxIntervalMs })
  }

  forget(id: SourceId): void {
    this.own.delete(id)
  }

  minIntervalMs(id: SourceId): DurationMs {
    return this.of(id)?.minIntervalMs ?? this.node.minIntervalMs
  }

  maxIntervalMs(id: SourceId): DurationMs {
    return Math.max(this.of(id)?.maxIntervalMs ?? this.node.maxIntervalMs, this.minIntervalMs(id))
  }

  /** Null: the strategy decides. */
  intervalMs(id: SourceId): DurationMs | null {
    return this.of(id)?.intervalMs ?? null
  }

  /** See `DueTimes.believed`. */
  plausibleTime(id: SourceId, at: InstantMs | null, now: InstantMs, isCorrected: boolean): InstantMs | null {
    if (at === null) return null
    const longestMs = Math.max(this.maxIntervalMs(id), this.intervalMs(id) ?? 0, LONGEST_REST_MS)
    return isCorrected || at > now + longestMs ? Math.min(at, now + this.minIntervalMs(id)) : at
  }

  private of(id: SourceId): OwnIntervals | undefined {
    return this.own.size === 0 ? undefined : this.own.get(id)
  }
}
