import type { SourceId } from './ids.ts'
import type { InstantMs } from './time.ts'

/** How many items are missing: nobody can know, so a range goes with it that holds the truth nine times out of ten. */
export interface LossEstimate {
  readonly items: number
  readonly atLeast: number
  readonly atMost: number
  /** `dates`: the pace of the items that were seen. `rate`: the source's usual pace, where its dates say nothing. */
  readonly basis: 'dates' | 'rate'
}

/**
 * What one refresh learnt: all that the science (refresh/, quality/) gets from the crawler. The simulator yields the
 * same type, so that an estimator cannot tell a live node from the lab.
 */
export interface Observation {
  readonly sourceId: SourceId
  /** The refresh before this one; null at the first. */
  readonly previousAt: InstantMs | null
  readonly at: InstantMs
  readonly newItems: number
  /** Items in the window as served; null for a 304 or an unchanged body (the window is then as before). */
  readonly windowSize: number | null
  /**
   * Whether the window still shows something that was known before. `none`: every item is new, so older ones may have
   * fallen out unseen (saturation, thesis 2.1). `first`: nothing was known yet. `repaired`: none, but older pages of the
   * feed were read until something known came, so that nothing is missing; for learning it is as good as `some`.
   */
  readonly overlap: 'some' | 'none' | 'first' | 'repaired'
  /** At least this many items were lost with overlap `none`, estimated from dates and rate; else 0. */
  readonly lostAtLeast: number
  /** The best guess at what was lost, with overlap `none`; absent where nothing was. For people and quality. */
  readonly loss?: LossEstimate
  /** Publication times of the new items, ascending, only where credible; else empty. */
  readonly itemTimes: readonly InstantMs[]
  readonly notModified: boolean
  readonly bytes: number
  readonly latencyMs: number
}
