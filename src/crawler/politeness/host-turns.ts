import type { DurationMs, InstantMs } from '../../model/index.ts'

/** More than this many waiting at one host still get a later turn, but it is not remembered. */
const MOST_REMEMBERED = 10_000
/** A turn is lost when its source is later than this. */
const GRACE_MS = 5_000

/** The turns that were promised to those who had to wait at one host: a queue of moments, ascending. */
export class HostTurns {
  #moments: InstantMs[] = []
  #head = 0
  #last: InstantMs = Number.NEGATIVE_INFINITY

  /** A new turn at the end, not before `earliest`. */
  promise(earliest: InstantMs, stepMs: DurationMs): InstantMs {
    this.#last = this.endsAt(earliest, stepMs)
    if (this.#length < MOST_REMEMBERED) this.#moments.push(this.#last)
    return this.#last
  }

  /** Where `promise` would put it. */
  endsAt(earliest: InstantMs, stepMs: DurationMs): InstantMs {
    return Math.max(earliest, this.#last + stepMs)
  }

  /** The first turn that has not been given up. */
  first(now: InstantMs): InstantMs | null {
    for (;;) {
      const moment = this.#moments[this.#head]
      if (moment === undefined) return null
      if (moment >= now - GRACE_MS) return moment
      this.take()
    }
  }

  take(): void {
    this.#head++
    if (this.#head === this.#moments.length) this.#moments = []
    else if (this.#head > 1_024) this.#moments.splice(0, this.#head)
    else return
    this.#head = 0
  }

  isOver(now: InstantMs): boolean {
    return this.first(now) === null && this.#last <= now
  }

  get #length(): number {
    return this.#moments.length - this.#head
  }
}
