import { DAY_MS, type InstantMs } from './time.ts'

/** What was done on one day with the new items that a source showed. The first fetch does not count. */
export interface DayIntake {
  /** Days since 1970, in UTC. */
  readonly day: number
  /** Stored, of those in its window. */
  readonly taken: number
  /** Stored, of those on older pages. */
  readonly repaired: number
  /** Not stored, because the allowance of the day was used up; one that is refused twice counts twice. */
  readonly refused: number
}

export function dayOf(at: InstantMs): number {
  return Math.floor(at / DAY_MS)
}
