import { type InstantMs, MINUTE_MS } from '../model/index.ts'
import type { SourcesChange } from '../refresh/scheduler/pricing.ts'

/** Sources that somebody hands over are gone from the sum for a moment; only those that stay away are gone. */
const GONE_AFTER_MS = 10 * MINUTE_MS

/** How many sources all members have together. */
export class SourceCount {
  sources = 0
  private fewerSince: InstantMs | null = null

  /** What has changed; null: nothing, or it is too early to say. */
  take(sources: number, now: InstantMs): SourcesChange | null {
    const isFewer = sources < this.sources
    this.fewerSince = isFewer ? (this.fewerSince ?? now) : null
    if (isFewer && now - (this.fewerSince ?? now) < GONE_AFTER_MS) return null
    const isSame = sources === this.sources
    this.sources = sources
    return isSame ? null : isFewer ? 'removed' : 'added'
  }
}
