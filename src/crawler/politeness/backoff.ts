import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS, type Random } from '../../model/index.ts'
import type { ErrorCode } from '../../runtime/errors.ts'

export interface FailureFacts {
  /** Failures in a row, this one included. */
  readonly failureCount: number
  readonly code: ErrorCode
  /** Retry-After, on our clock. */
  readonly retryAt: InstantMs | null
  readonly now: InstantMs
  /** How long the source waits when all is well; null where unknown. */
  readonly baseIntervalMs: DurationMs | null
  readonly random: Random
}

/** Failing sources are still tried about once a day, for ever: sites come back after years. */
const LONGEST_BACKOFF_MS = DAY_MS
const USUAL_INTERVAL_MS = HOUR_MS
const SHORTEST_BACKOFF_MS = MINUTE_MS

/** Failures that are likely to pass by themselves: the first retry comes soon. */
const QUICK_START_MS = 10 * MINUTE_MS
/** The site has spoken, or someone has to do something: asking soon again is no use to anyone. */
const SLOW_START_MS = HOUR_MS

const SLOW: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'HTTP_NOT_FOUND',
  'HTTP_GONE',
  'HTTP_UNAUTHORIZED',
  'HTTP_FORBIDDEN',
  'HTTP_CLIENT_ERROR',
  'HTTP_UNEXPECTED',
  'FETCH_TLS',
  'FETCH_TOO_LARGE',
  'FETCH_TOO_MANY_REDIRECTS',
  'FETCH_REDIRECT_LOOP',
  'FETCH_BAD_REDIRECT',
  'FETCH_ADDRESS_REFUSED',
  'FETCH_BAD_URL',
  'FETCH_BAD_REQUEST',
  'PARSE_NOT_A_FEED',
  'PARSE_CHARSET',
  'CREDENTIALS_LOCKED',
])

/**
 * When to try a failing source again: twice as long after each failure, up to a day (or its own interval, if longer),
 * never before the site wants it. Jitter of ±25 % keeps sources that failed together from coming back together.
 */
export function nextAfterFailure(facts: FailureFacts): { readonly at: InstantMs; readonly reason: string } {
  const { failureCount, code, retryAt, now, random } = facts
  const usualMs = facts.baseIntervalMs ?? USUAL_INTERVAL_MS
  const startMs = SLOW.has(code)
    ? Math.max(usualMs, SLOW_START_MS)
    : Math.max(SHORTEST_BACKOFF_MS, Math.min(usualMs, QUICK_START_MS))
  const longestMs = Math.max(LONGEST_BACKOFF_MS, usualMs)
  // The exponent is bounded, because 2 ** 2000 is not a number of milliseconds.
  const grownMs = startMs * 2 ** Math.min(Math.max(failureCount, 1) - 1, 30)
  const delayMs = Math.min(grownMs * (0.75 + 0.5 * random()), longestMs * (0.75 + 0.25 * random()))
  const at = now + Math.round(delayMs)
  if (retryAt !== null && retryAt >= at) return { at: retryAt, reason: 'the site asked to be left alone until then' }
  const times = failureCount === 1 ? '1 failure' : `${failureCount} failures`
  return { at, reason: `backing off after ${times} (${code})` }
}
