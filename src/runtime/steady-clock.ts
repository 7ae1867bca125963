import { type DurationMs, type InstantMs, SECOND_MS } from '../model/index.ts'
import type { Clock } from './clock.ts'

/** A clock that notifies those who have moments in memory when the wall clock was set. */
export interface SteadyClock extends Clock {
  /** By how much it was set so far, all in all; forward counts up. */
  readonly setByMs: DurationMs
  /** Called at once, before anybody gets a time after it; returns how to unsubscribe. */
  onSet(listener: (byMs: DurationMs) => void): () => void
}

/** The moment at which something was stored, by both clocks. */
export interface StoredMoment {
  readonly at: InstantMs
  /** Absent: written by a version that did not store it. */
  readonly monotonicMs?: DurationMs
}

/** Less than this is the clock of a machine that is being kept right, a little at a time. */
const TOLERANCE_MS = SECOND_MS

/**
 * Time goes on evenly here; when the wall clock is found more than a second from where it should be it was set, or the
 * machine slept: everybody who has moments in memory is notified, and then it is followed. See docs/decisions/0057.
 */
export function steady(clock: Clock): SteadyClock {
  return 'onSet' in clock ? (clock as SteadyClock) : new FollowedClock(clock)
}

class FollowedClock implements SteadyClock {
  setByMs: DurationMs = 0
  #offsetMs: DurationMs
  readonly #clock: Clock
  readonly #listeners = new Set<(byMs: DurationMs) => void>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offsetMs = clock.now() - clock.monotonicMs()
  }

  now(): InstantMs {
    const wallAt = this.#clock.now()
    const ms = this.#clock.monotonicMs()
    const offByMs = wallAt - ms - this.#offsetMs
    if (Math.abs(offByMs) > TOLERANCE_MS) this.#look()
    return Math.floor(ms + this.#offsetMs)
  }

  monotonicMs(): DurationMs {
    return this.#clock.monotonicMs()
  }

  sleep(ms: DurationMs, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal)
  }

  onSet(listener: (byMs: DurationMs) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The two clocks are read one after the other, and the process may have stood still in between. */
  #look(): void {
    const beforeMs = this.#clock.monotonicMs()
    const wallAt = this.#clock.now()
    const afterMs = this.#clock.monotonicMs()
    const least = wallAt - afterMs - this.#offsetMs
    const most = wallAt - beforeMs - this.#offsetMs
    const byMs = Math.round(least > TOLERANCE_MS ? least : most < -TOLERANCE_MS ? most : 0)
    if (byMs === 0) return
    this.#offsetMs += byMs
    this.setByMs += byMs
    for (const listener of this.#listeners) listener(byMs)
  }
}

/**
 * How long ago something was stored, also by another process. The monotonic clock counts from the start of the machine, so
 * that within one run of it no wall clock can deceive; and after a new start of the machine it shows less than has passed,
 * never more. Where it shows nothing the wall clock is believed, unless it was set back.
 */
export function elapsedSince({ at, monotonicMs }: StoredMoment, clock: Pick<Clock, 'now' | 'monotonicMs'>): DurationMs {
  const ms = monotonicMs === undefined ? -1 : clock.monotonicMs() - monotonicMs
  return ms >= 0 ? ms : Math.max(0, clock.now() - at)
}

/** By how much moments that were stored then have to be moved to be right by the wall clock of today. */
export function setSince(stored: StoredMoment, clock: Pick<Clock, 'now' | 'monotonicMs'>): DurationMs {
  const byMs = Math.round(clock.now() - elapsedSince(stored, clock) - stored.at)
  return Math.abs(byMs) > TOLERANCE_MS ? byMs : 0
}
