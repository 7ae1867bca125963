import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS, type PushSubscription } from '../model/index.ts'
import type { PushPatch } from '../store/pushes.ts'

/*
 * What becomes of a push subscription (states: model/push.ts). A renewal leaves it active with the same key and secret: what the
 * hub sends meanwhile is genuine. Six hours after its lease it is no longer counted on; the hub is asked again all the same, ever
 * more rarely.
 */

/** What we ask for; hubs may grant another one. */
export const LEASE_MS = DAY_MS
const LONGEST_LEASE_MS = 14 * DAY_MS
const SHORTEST_LEASE_MS = 5 * MINUTE_MS
/** rssCloud: 25 hours by its documents. */
const CLOUD_LEASE_MS = 25 * HOUR_MS
const GRACE_MS = 6 * HOUR_MS
/** After a lease has run for this share of itself it is renewed. */
const RENEW_AFTER = 0.75
/** A hub that took the request and does not verify it is asked again after so long. */
const VERIFY_WITHIN_MS = 30 * MINUTE_MS
const FIRST_PAUSE_MS = 5 * MINUTE_MS
const LONGEST_PAUSE_MS = DAY_MS

/** Before the hub is asked: it may verify before it answers. */
export function atRequest({ status }: Pick<PushSubscription, 'status'>, now: InstantMs): PushPatch {
  return { nextAt: now + VERIFY_WITHIN_MS, ...(status === 'active' ? {} : { status: 'pending' }) }
}

/** `leaseS`: what the hub grants; null: it does not say. */
export function afterVerification(kind: PushSubscription['kind'], leaseS: number | null, now: InstantMs): PushPatch {
  const granted = kind === 'rsscloud' ? CLOUD_LEASE_MS : leaseS === null ? LEASE_MS : leaseS * 1_000
  const leaseMs = Math.min(LONGEST_LEASE_MS, Math.max(SHORTEST_LEASE_MS, granted))
  return {
    status: 'active',
    leaseEndsAt: now + leaseMs,
    nextAt: now + Math.round(leaseMs * RENEW_AFTER),
    failures: 0,
    lastError: null,
  }
}

/** `notBefore`: what the hub asks for (Retry-After). */
export function afterRefusal(
  push: Pick<PushSubscription, 'status' | 'leaseEndsAt' | 'failures'>,
  error: string,
  now: InstantMs,
  random: number,
  notBefore: InstantMs | null = null,
): PushPatch {
  const failures = push.failures + 1
  const nextAt = Math.max(now + pauseMs(failures, random), notBefore ?? 0)
  return { failures, lastError: error, nextAt, ...(isCountedOn(push, now) ? {} : { status: 'lapsed' }) }
}

function pauseMs(failures: number, random: number): DurationMs {
  const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20))
  return Math.round(full * (0.5 + random / 2))
}

/** Whether its hub tells of news, as far as anybody knows. */
export function isCountedOn(
  { status, leaseEndsAt }: Pick<PushSubscription, 'status' | 'leaseEndsAt'>,
  now: InstantMs,
): boolean {
  return status === 'active' && now < (leaseEndsAt ?? 0) + GRACE_MS
}
