import { type DurationMs, SECOND_MS } from '../model/index.ts'

/** What is older counts the less. */
const OVER_MS = 5 * SECOND_MS

/** How much was spent of late, by a clock that is never set. */
export class SpendingPace {
  private recent = 0

  constructor(private at: DurationMs) {}

  add(cost: number, at: DurationMs): void {
    this.recent = Math.max(0, this.decayed(at) + cost)
    this.at = at
  }

  perMs(at: DurationMs): number {
    return this.decayed(at) / OVER_MS
  }

  private decayed(at: DurationMs): number {
    return this.recent * Math.exp(-Math.max(0, at - this.at) / OVER_MS)
  }
}
