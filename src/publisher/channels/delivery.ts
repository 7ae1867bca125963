import { LONGEST_REST_MS } from '../../http/retry-after.ts'
import { entryAt } from '../../model/entry-at.ts'
import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, SECOND_MS, type Subscription } from '../../model/index.ts'
import type { Delivery } from '../../store/query-feeds.ts'
import type { AttemptOutcome, DeliveryProblem } from './channel.ts'

/*
 * The life of a publication on its way to a subscriber: *pending* until its turn, which comes when all before it are
 * delivered or dead; then tried until it is *delivered*, with growing pauses, or given up as a *dead letter*. A dead letter
 * is stored, and tried once more when somebody asks for it. What is here decides; runner.ts acts.
 */

export interface DeliveryPolicy {
  readonly firstPauseMs: DurationMs
  readonly longestPauseMs: DurationMs
  /** Attempts in a row before a publication is given up; with these pauses about a day. */
  readonly mostAttempts: number
  /** The same for one that the receiver, which works, does not want: the others wait behind it. */
  readonly mostRefusals: number
  /** When a receiver is given up, so is everything that is older than this. */
  readonly giveUpAfterMs: DurationMs
}

export const DELIVERY_POLICY: DeliveryPolicy = {
  firstPauseMs: 10 * SECOND_MS,
  longestPauseMs: HOUR_MS,
  mostAttempts: 32,
  mostRefusals: 6,
  giveUpAfterMs: DAY_MS,
}

export interface Pending {
  readonly seq: number
  readonly publishedAt: InstantMs
}

type Timing = Pick<Subscription, 'createdAt' | 'everyMs' | 'nextAttemptAt'>

/**
 * When the oldest pending publication wants to be sent. Digests go out at whole intervals after the subscription was
 * made: what is in one depends on the times of publication alone, so that one sent again after a crash is the same.
 */
export function dueAt(subscription: Timing, oldest: Pending): InstantMs {
  return Math.max(digestEnd(subscription, oldest), subscription.nextAttemptAt ?? Number.NEGATIVE_INFINITY)
}

/** Now, where it is farther off than any pause, wish or digest may be: a clock that was ahead has left it behind. */
export function believedDue(due: InstantMs, everyMs: DurationMs | null, now: InstantMs): InstantMs {
  return due > now + Math.max(LONGEST_REST_MS, everyMs ?? 0) ? now : due
}

/** What goes out together, of pending publications in their order. */
export function batchOf<P extends Pending>(subscription: Timing, pending: readonly P[], most: number): readonly P[] {
  const [oldest] = pending
  if (oldest === undefined) return []
  const end = digestEnd(subscription, oldest)
  const within = subscription.everyMs === null ? pending : pending.slice(0, firstAfter(pending, end))
  return within.slice(0, most)
}

function digestEnd({ createdAt, everyMs }: Timing, { publishedAt }: Pending): InstantMs {
  if (everyMs === null) return publishedAt
  return createdAt + Math.max(1, Math.ceil((publishedAt - createdAt) / everyMs)) * everyMs
}

function firstAfter(pending: readonly Pending[], end: InstantMs): number {
  const at = pending.findIndex(({ publishedAt }) => publishedAt > end)
  return at < 0 ? pending.length : at
}

export interface DeliveryAttempt {
  readonly failureCount: number
  readonly sent: readonly Pending[]
  /** Behind those sent, as far as they are known. */
  readonly waiting: readonly Pending[]
  readonly now: InstantMs
  /** In [0, 1). */
  readonly random: number
}

/** What is to be remembered of an attempt. */
export function afterAttempt(outcome: AttemptOutcome, attempt: DeliveryAttempt, policy = DELIVERY_POLICY): Delivery {
  const { sent, now } = attempt
  const seqs = sent.map(({ seq }) => seq)
  if (outcome.kind === 'delivered') return { kind: 'delivered', upTo: entryAt(seqs, seqs.length - 1), at: now }
  const reason = describeProblem(outcome.problem)
  if (outcome.kind === 'dead') return { kind: 'dead', publications: seqs, reason, at: now }
  const failures = attempt.failureCount + 1
  if (failures < (outcome.isRefusal ? policy.mostRefusals : policy.mostAttempts)) {
    const nextAttemptAt = Math.max(now + pauseMs(failures, attempt.random, policy), outcome.notBefore ?? 0)
    return { kind: 'failed', error: reason, nextAttemptAt }
  }
  const stale = attempt.waiting.filter(({ publishedAt }) => publishedAt <= now - policy.giveUpAfterMs)
  const others = outcome.isRefusal ? [] : stale.map(({ seq }) => seq)
  return { kind: 'dead', publications: [...seqs, ...others], reason, at: now }
}

/** Doubles from failure to failure; half of it is left to chance, so that those who failed together do not return so. */
export function pauseMs(failures: number, random: number, policy = DELIVERY_POLICY): DurationMs {
  const full = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** Math.min(failures - 1, 40))
  return Math.round(full * (0.5 + random / 2))
}

export function describeProblem({ code, message }: DeliveryProblem): string {
  return `${code}: ${message}`
}
