import type { FeedHints, InstantMs } from '../../model/index.ts'
import { describeDuration } from '../../refresh/words.ts'
import type { NextCheck } from '../planner.ts'
import { type Hints, longestWish } from './publisher-requests.ts'
import { nextOpenTime } from './skip-times.ts'

/*
 * How far a planned check is delayed as the publisher asks. Who wins, in this order (docs/operating.md says it to people):
 *
 * 1. Retry-After and the rest of a host, always (they never come here: see politeness/).
 * 2. The user's own interval over every hint.
 * 3. No item may be lost without a word: a source that was found saturated is refreshed as planned, and no hint holds
 *    longer than until half of the window may be new; the reason says so.
 * 4. Hints over the plan: of those that say how long an answer is good for the longest, up to a day; then out of
 *    skipHours and skipDays, up to three days.
 *
 * Never earlier than planned, so no hint makes the node impolite or more expensive.
 */

export interface HintFacts {
  readonly refreshedAt: InstantMs
  /** Beyond this, half of the window may be new at the pace it shows (turnover.ts); null: unknown. */
  readonly safeUntil: InstantMs | null
  /** The last refresh found nothing it knew. */
  readonly saturated: boolean
  /** The user set an interval of his own. */
  readonly ownInterval: boolean
}

/** How long the publisher says that the answer is good for, as far as that is followed; null: it is not said. */
export function hintedNotBefore(hints: Hints, facts: HintFacts): NextCheck | null {
  if (facts.ownInterval || facts.saturated) return null
  const wish = longestWish(hints, facts.refreshedAt)
  if (wish === null) return null
  if (facts.safeUntil === null || wish.until <= facts.safeUntil) {
    return { at: wish.until, reason: `not before the site wants it (${wish.words})` }
  }
  const inMs = facts.safeUntil - facts.refreshedAt
  return {
    at: facts.safeUntil,
    reason: `after ${describeDuration(inMs)}, sooner than the site wants it (${wish.words}): half of its window may be new by then`,
  }
}

/** Moved to the next hour that the feed does not ask to skip, unless items might be lost until then. */
export function outOfSkipTimes(planned: NextCheck, feed: FeedHints | null, facts: HintFacts): NextCheck {
  if (feed === null || facts.ownInterval || facts.saturated || !Number.isFinite(planned.at)) return planned
  const openAt = nextOpenTime(planned.at, feed)
  if (openAt === planned.at) return planned
  if (facts.safeUntil !== null && openAt > facts.safeUntil) {
    return {
      ...planned,
      reason: `${planned.reason}; in an hour that its skipHours or skipDays exclude, so that no items are lost`,
    }
  }
  return { at: openAt, reason: 'not before: its skipHours and skipDays exclude the hours until then' }
}
