import { type InstantMs, SECOND_MS } from '../model/index.ts'

/** Clocks of machines that serve one cluster, and of those that fetch for it, are not further apart than this. */
const CLOCKS_APART_MS = 10 * SECOND_MS

const inSeconds = (at: InstantMs): InstantMs => Math.floor(at / SECOND_MS) * SECOND_MS

/**
 * For one process: seconds are all that HTTP dates have, and a second version within one must still look newer than the
 * one before it.
 */
export function modifiedAfter(updatedAt: InstantMs, before: InstantMs | undefined, now: InstantMs): InstantMs {
  const second = inSeconds(updatedAt)
  const next = (before ?? Number.NEGATIVE_INFINITY) + SECOND_MS
  return Math.min(Math.max(second, next), Math.max(inSeconds(now), second))
}

/**
 * For one of several processes, which do not know what the others have served: it follows from the feed alone. As long as
 * more may come in the same second, a version is dated a second earlier, so that a reader who knows the date alone is not
 * told later that nothing has changed since.
 */
export function modifiedForAll(updatedAt: InstantMs, now: InstantMs): InstantMs {
  const second = inSeconds(updatedAt)
  return now - updatedAt < CLOCKS_APART_MS ? second - SECOND_MS : second
}
