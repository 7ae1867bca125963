import type { InstantMs } from '../../src/model/index.ts'
import { selectRank } from './select.ts'
import type { WindowSight } from './source-run.ts'
import type { SimSource } from './world.ts'

/** What a run is watched with. */
export interface RunWatch {
  /** So far. */
  readonly requests: number
  /** After each refresh. */
  refreshed(source: SimSource, at: InstantMs, sight: WindowSight): void
  /** After the last refresh of a source: what it published since waits until the end. */
  ended(source: SimSource, reached: number, publishedByEnd: number): void
}

/**
 * Delay and loss by the convention of the traces: every item published in [fromMs, toMs) counts, up to the refresh that
 * follows it, whether or not it was still in the window, and up to toMs where none follows. Loss is counted apart.
 */
export class Tally implements RunWatch {
  requests = 0
  cost = 0
  items = 0
  lost = 0
  delaySumMs = 0
  maxDelayMs = 0
  /** Filled only when asked for: one delay per item. */
  private readonly delays: Float64Array | null
  private readonly fromMs: InstantMs
  private readonly toMs: InstantMs

  constructor(fromMs: InstantMs, toMs: InstantMs, keepDelays = 0) {
    this.fromMs = fromMs
    this.toMs = toMs
    this.delays = keepDelays > 0 ? new Float64Array(keepDelays) : null
  }

  /** Counts a refresh and the items that it brought. */
  refreshed(source: SimSource, at: InstantMs, sight: WindowSight): void {
    if (at >= this.fromMs && at < this.toMs) {
      this.requests++
      this.cost += source.cost
    }
    if (sight.to > sight.from) this.countItems(source, at, sight.from, sight.to, sight.firstSeen)
  }

  /** Counts what is still waiting at the end. */
  ended(source: SimSource, reached: number, publishedByEnd: number): void {
    this.countItems(source, this.toMs, reached, publishedByEnd, Math.max(reached, publishedByEnd - source.windowSize))
  }

  /** Counts items from one index up to another, first seen at this moment or lost. */
  countItems(source: SimSource, at: InstantMs, from: number, to: number, firstSeen: number): void {
    const { times } = source
    const { delays, fromMs, toMs } = this
    const until = Math.min(at, toMs)
    // In variables: every item of every run that is shown comes here.
    let { items, delaySumMs, maxDelayMs } = this
    for (let index = from; index < to; index++) {
      const published = times[index] ?? 0
      if (published < fromMs || published >= toMs) continue
      const delayMs = until - published
      if (delays !== null) delays[items] = delayMs
      items++
      delaySumMs += delayMs
      if (delayMs > maxDelayMs) maxDelayMs = delayMs
      if (index < firstSeen) this.lost++
    }
    this.items = items
    this.delaySumMs = delaySumMs
    this.maxDelayMs = maxDelayMs
  }

  /** From publication to refresh, on average over all items. */
  get meanDelayMs(): number {
    return this.items > 0 ? this.delaySumMs / this.items : 0
  }

  /** Median, 95th percentile: `shares` of the items wait no longer. Needs keepDelays. */
  quantilesMs(shares: readonly number[]): number[] {
    if (this.delays === null) throw new Error('the delays were not stored')
    const all = this.delays.subarray(0, this.items)
    let last = 0
    return shares.map((share) => {
      if (all.length === 0) return 0
      const rank = Math.min(all.length - 1, Math.ceil(share * all.length) - 1)
      const value = selectRank(all, rank, rank >= last ? last : 0)
      last = rank
      return value
    })
  }

  /** Standard deviation of the delays; needs `keepDelays`. */
  deviationMs(): number {
    if (this.delays === null || this.items === 0) return 0
    const mean = this.meanDelayMs
    let sum = 0
    for (let k = 0; k < this.items; k++) sum += ((this.delays[k] ?? 0) - mean) ** 2
    return Math.sqrt(sum / this.items)
  }
}
