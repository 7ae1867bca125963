import { type DurationMs, HOUR_MS, type InstantMs, SECOND_MS, type UserId } from '../model/index.ts'

/** Something that takes longer than a request, as whoever does it says it stands. */
export interface PostedJob {
  readonly id: string
  readonly userId: UserId
  readonly isOver: boolean
  /** As people are shown it; JSON. */
  readonly document: unknown
}

export interface FoundJob {
  readonly document: unknown
  /** By the clock of the board. */
  readonly postedAt: InstantMs
  /** It is not over, and nobody says any more that he does it. */
  readonly isAbandoned: boolean
}

/** Where processes that serve the same people look for each other's jobs. */
export interface JobBoard {
  /** As it is now. Who does a job posts it every second until it is over. Jobs are forgotten an hour after they were last posted. */
  post(job: PostedJob): Promise<void>
  /** Of its user; null: no such job. */
  find(id: string, userId: UserId): Promise<FoundJob | null>
}

export const POST_JOB_EVERY_MS: DurationMs = SECOND_MS
/** Longer than a failover of the database takes. */
export const JOB_ABANDONED_AFTER_MS: DurationMs = 30 * SECOND_MS
export const FORGET_JOB_AFTER_MS: DurationMs = HOUR_MS
