import type { DurationMs } from '../../model/index.ts'

/** The least that a body must bring, on average over every window, once it has begun. */
export interface LeastRate {
  readonly bytesPerSecond: number
  readonly windowMs: DurationMs
}

/** A body is checked so often in a window. */
export const LOOKS_PER_WINDOW = 4

interface Look {
  readonly atMs: DurationMs
  readonly bytes: number
}

/**
 * Distinguishes a body that drips from one that comes slowly. Gets from time to time how much has come; what is before the
 * first check of a body, as the time in which a server computes its answer, does not count.
 */
export class RateWatch {
  readonly #least: LeastRate
  #looks: Look[] = []

  constructor(least: LeastRate) {
    this.#least = least
  }

  /** Nothing was examined yet, as after we ourselves have held the body up. */
  reset(): void {
    this.#looks = []
  }

  /** `bytes`: of the body so far. True: over the last window less came than must. */
  isTooSlow(atMs: DurationMs, bytes: number): boolean {
    const { bytesPerSecond, windowMs } = this.#least
    const look = { atMs, bytes }
    this.#looks.push(look)
    // The last look that is a whole window ago; younger ones say too little.
    const isOld = (one: Look | undefined) => one !== undefined && atMs - one.atMs >= windowMs
    while (isOld(this.#looks[1])) this.#looks.shift()
    const first = this.#looks[0] ?? look
    const overMs = atMs - first.atMs
    return overMs >= windowMs && (bytes - first.bytes) * 1000 < bytesPerSecond * overMs
  }
}
