import { type DurationMs, HOUR_MS, type InstantMs, type SourceId, WEEK_MS } from '../../model/index.ts'

/** So many failures in a row, and an address is given up; where it is tried again later, one is enough. */
const MOST_FAILURES = 3
/** After that they are not composed for so long, and each time again for twice as long. */
const FIRST_REST_MS = 6 * HOUR_MS
const LONGEST_REST_MS = WEEK_MS

interface Rest {
  readonly until: InstantMs
  readonly lengthMs: DurationMs
}

/**
 * Sources whose composed address failed again and again. A site may allow fewer names than is known of it, or refuse all because of one:
 * to try the same every hour would take most of the budget.
 */
export class Refusals {
  readonly #rests = new Map<SourceId, Rest>()

  isResting(id: SourceId, now: InstantMs): boolean {
    return now < (this.#rests.get(id)?.until ?? Number.NEGATIVE_INFINITY)
  }

  /** What became of a request for these; true: their address is given up. */
  note(ids: readonly SourceId[], failureCount: number, now: InstantMs): boolean {
    if (failureCount === 0) {
      for (const id of ids) this.#rests.delete(id)
      return false
    }
    const isKnown = ids.some((id) => this.#rests.has(id))
    if (failureCount < (isKnown ? 1 : MOST_FAILURES)) return false
    for (const id of ids) {
      const before = this.#rests.get(id)
      const lengthMs = before === undefined ? FIRST_REST_MS : Math.min(2 * before.lengthMs, LONGEST_REST_MS)
      this.#rests.set(id, { until: now + lengthMs, lengthMs })
    }
    return true
  }

  forget(id: SourceId): void {
    this.#rests.delete(id)
  }
}
