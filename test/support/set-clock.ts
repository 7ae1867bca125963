import { VirtualClock } from '../../lab/live/virtual-clock.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'

/** Virtual time whose wall clock can be wrong, and be set; the monotonic clock counts what passes. */
export class SetClock extends VirtualClock {
  /** By how much the wall clock is ahead; below 0: behind. */
  aheadMs: DurationMs = 0

  override now(): InstantMs {
    return super.now() + this.aheadMs
  }
}
