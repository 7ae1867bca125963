import { type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/index.ts'
import type { LogInAttempt } from './log-in-limits.ts'

/**
 * How often a password may be tried. Three rules, each with a bounded memory:
 *
 * 1. A place (a client's address, see address-group.ts, or a device that has logged in to this account before) has five
 *    tries at an account; then it waits 1 s before the next, 2 s, 4 s … up to 15 minutes. A try that succeeds clears it, and
 *    so does an hour without one.
 * 2. All strange places together have twenty tries at an account, and then one every ten seconds. So a thousand addresses
 *    guess no faster than one does.
 * 3. Rule 2 does not hold for a device that has logged in to the account before, nor for a user at the machine itself;
 *    these wait 30 s at most. So nobody can lock a person out of their own account by failing on purpose.
 *
 * A refused try costs nothing and counts for nothing, and a name that is not there is limited like one that is. Times are those
 * of one clock, which should not be set back.
 */
const FREE_TRIES = 5
const LONGEST_STRANGE_MS = 15 * MINUTE_MS
const LONGEST_KNOWN_MS = 30 * SECOND_MS
const STRANGE_TRIES = 20
const STRANGE_EVERY_MS = 10 * SECOND_MS

/** What was not tried for so long is forgotten. */
export const FORGET_TRIES_MS: DurationMs = HOUR_MS
/** Of each kind: a full table forgets what was tried longest ago; so many tries cost an attacker the better part of an hour of hashes. */
export const MOST_TRIES = 20_000

/** A number, and since when it holds. */
export interface Count {
  readonly amount: number
  readonly at: DurationMs
}

/** What is known of an attempt; null: nothing. */
export interface TryCounts {
  /** Tries of the place, and when the last was. */
  readonly place: Count | null
  /** Tries that strangers have left at the account, and when that was so. */
  readonly account: Count | null
}

/** The places of one account are apart from those of others. */
export function placeKey({ account, address }: LogInAttempt): string {
  return `${accountKey({ account })}\n${address}`
}

export function accountKey({ account }: Pick<LogInAttempt, 'account'>): string {
  return account.trim().toLowerCase()
}

/** 0: it may be tried now. */
export function waitBeforeTry({ place, account }: TryCounts, isKnown: boolean, now: DurationMs): DurationMs {
  const ofPlace = waitOfPlace(triesOf(place, now), isKnown, now)
  return Math.max(ofPlace, isKnown ? 0 : waitOfAccount(bucketOf(account, now)))
}

/** Counted before the outcome is known: tries that run side by side must see each other. */
export function countTry({ place, account }: TryCounts, isKnown: boolean, now: DurationMs): TryCounts {
  const bucket = bucketOf(account, now)
  return {
    place: { amount: triesOf(place, now).amount + 1, at: now },
    account: isKnown ? account : { amount: bucket.amount - 1, at: now },
  }
}

/** The password was right. */
export function clearTries({ account }: TryCounts, isKnown: boolean, now: DurationMs): TryCounts {
  return { place: null, account: isKnown ? account : oneMore(bucketOf(account, now)) }
}

/** The password was not checked. */
export function takeTryBack({ place, account }: TryCounts, isKnown: boolean, now: DurationMs): TryCounts {
  return {
    place: place && { ...place, amount: Math.max(0, place.amount - 1) },
    account: isKnown ? account : oneMore(bucketOf(account, now)),
  }
}

/** Requests in a window that begins with the first; `at`: when that was. */
export function countInWindow(requests: Count | null, windowMs: DurationMs, now: DurationMs): Count {
  if (requests === null || now - requests.at >= windowMs) return { amount: 1, at: now }
  return { ...requests, amount: requests.amount + 1 }
}

function triesOf(place: Count | null, now: DurationMs): Count {
  return place === null || now - place.at > FORGET_TRIES_MS ? { amount: 0, at: now } : place
}

function bucketOf(account: Count | null, now: DurationMs): Count {
  if (account === null) return { amount: STRANGE_TRIES, at: now }
  const filled = account.amount + Math.max(0, now - account.at) / STRANGE_EVERY_MS
  return { amount: Math.min(STRANGE_TRIES, filled), at: now }
}

function oneMore({ amount, at }: Count): Count {
  return { amount: Math.min(STRANGE_TRIES, amount + 1), at }
}

function waitOfPlace({ amount, at }: Count, isKnown: boolean, now: DurationMs): DurationMs {
  if (amount < FREE_TRIES) return 0
  const longest = isKnown ? LONGEST_KNOWN_MS : LONGEST_STRANGE_MS
  const pause = Math.min(longest, SECOND_MS * 2 ** Math.min(amount - FREE_TRIES, 20))
  return Math.max(0, at + pause - now)
}

function waitOfAccount({ amount }: Count): DurationMs {
  return amount >= 1 ? 0 : (1 - amount) * STRANGE_EVERY_MS
}
