/** A moment: milliseconds since the Unix epoch, UTC. Virtual or real; only `runtime/clock` knows which. */
export type InstantMs = number
/** A length of time in milliseconds. */
export type DurationMs = number

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS
