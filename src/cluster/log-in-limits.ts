import type { DurationMs } from '../model/index.ts'

/** Somebody tries a password. */
export interface LogInAttempt {
  /** Name of the account as given, whatever its capitals. */
  readonly account: string
  /** Where it comes from: a client's address, or a device that has logged in before. */
  readonly address: string
  readonly isKnown: boolean
}

/** Requests that one client may make in a stretch of time, whatever comes of them. */
export interface RequestWindow {
  readonly key: string
  readonly max: number
  readonly windowMs: DurationMs
}

export interface RequestCount {
  /** With this one; what is beyond `max` need not be exact. */
  readonly count: number
  readonly endsInMs: DurationMs
}

/**
 * How often a password may be tried, whichever process is asked: log-in-rules.ts says how often. Where several processes
 * answer, all of them count in one place and by one clock, so that nobody has more tries because there are more of them.
 */
export interface LogInLimits {
  /** 0: the try is counted and may go on; else how long to wait, and nothing is counted. */
  admit(attempt: LogInAttempt): Promise<DurationMs>
  /** The password was right: the place starts over. */
  succeeded(attempt: LogInAttempt): Promise<void>
  /** The password was not checked. */
  withdraw(attempt: LogInAttempt): Promise<void>
  /** Counts a request. */
  countRequest(window: RequestWindow): Promise<RequestCount>
}
