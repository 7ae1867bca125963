import type { DurationMs, InstantMs, Random } from '../../../model/index.ts'
import type { RunInterval } from '../../strategy.ts'
import type { StoredCycle } from '../types.ts'

export interface CycleClockOptions {
  /** The length of a cycle; with `runs` their mean. */
  readonly cycleMs: DurationMs
  /** Cycles of random length; absent: all of one length. */
  readonly runs?: RunInterval
  readonly random: Random
  readonly now: InstantMs
}

/** When cycles are over. */
export class CycleClock {
  lastAt: InstantMs | null = null
  nextAt: InstantMs
  readonly cycleMs: DurationMs
  private readonly runs: RunInterval | null
  private readonly random: Random

  constructor({ cycleMs, runs, random, now }: CycleClockOptions) {
    this.cycleMs = cycleMs
    this.runs = runs ?? null
    this.random = random
    this.nextAt = now + this.length()
  }

  isOver(now: InstantMs): boolean {
    // A clock that was set back must not stop the cycles.
    this.nextAt = Math.min(this.nextAt, now + this.longestMs)
    return now >= this.nextAt
  }

  /** A cycle is over now; those that were missed are not made up for. */
  begin(now: InstantMs): void {
    const { cycleMs, nextAt } = this
    this.lastAt = now
    this.nextAt =
      this.runs === null ? nextAt + cycleMs * Math.max(1, Math.ceil((now - nextAt + 1) / cycleMs)) : now + this.length()
  }

  /** The first cycle at or after the moment, as far as it can be known. */
  cycleAt(at: InstantMs): InstantMs {
    return this.nextAt + this.cycleMs * Math.max(0, Math.ceil((at - this.nextAt) / this.cycleMs))
  }

  snapshot(): Pick<StoredCycle, 'cycleMs' | 'lastAt' | 'nextAt'> {
    return { cycleMs: this.cycleMs, lastAt: this.lastAt, nextAt: this.nextAt }
  }

  /** One cycle that was missed is made up for, so that a kill takes none away; the others are over. */
  resume(stored: Pick<StoredCycle, 'cycleMs' | 'lastAt' | 'nextAt'>, now: InstantMs, setByMs: DurationMs): void {
    this.lastAt = stored.lastAt === null ? null : stored.lastAt + setByMs
    if (stored.cycleMs === this.cycleMs) this.nextAt = Math.min(stored.nextAt + setByMs, now + this.longestMs)
  }

  shift(byMs: DurationMs): void {
    this.nextAt += byMs
    if (this.lastAt !== null) this.lastAt += byMs
  }

  private get longestMs(): DurationMs {
    return this.runs?.mostMs ?? this.cycleMs
  }

  private length(): DurationMs {
    if (this.runs === null) return this.cycleMs
    const { leastMs, mostMs } = this.runs
    return Math.round(leastMs + this.random() * (mostMs - leastMs))
  }
}
