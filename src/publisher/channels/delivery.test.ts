import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { first } from '../../../test/support/present.ts'
import { NOON } from '../../../test/support/published-items.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../model/index.ts'
import { DELIVERY_DONE, dead, retryLater } from './channel.ts'
import { afterAttempt, batchOf, DELIVERY_POLICY, dueAt, pauseMs } from './delivery.ts'

const pending = (...times: readonly number[]) => times.map((publishedAt, i) => ({ seq: i + 1, publishedAt }))
const timing = (everyMs: number | null, nextAttemptAt: number | null = null) => ({
  createdAt: NOON,
  everyMs,
  nextAttemptAt,
})

describe('when something is due', () => {
  it('is at once, or when the pause after a failure is over', () => {
    const oldest = first(pending(NOON + 5))
    expect(dueAt(timing(null), oldest)).toBeLessThanOrEqual(NOON + 5)
    expect(dueAt(timing(null, NOON + 99), oldest)).toBe(NOON + 99)
  })

  it.each([
    ['at the end of its interval', NOON + HOUR_MS, NOON + 10 * HOUR_MS],
    ['exactly at the end', NOON + 10 * HOUR_MS, NOON + 10 * HOUR_MS],
    ['in a later interval', NOON + 25 * HOUR_MS, NOON + 30 * HOUR_MS],
    ['published with the subscription', NOON, NOON + 10 * HOUR_MS],
    ['published before it', NOON - DAY_MS, NOON + 10 * HOUR_MS],
  ])('for a digest of ten hours: %s', (_, publishedAt, expected) => {
    expect(dueAt(timing(10 * HOUR_MS), { seq: 1, publishedAt })).toBe(expected)
  })

  it('a digest holds what was published in the interval of the oldest, and the same when it is made again later', () => {
    const hours = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(hours, fc.nat(20), (offsets, later) => {
        const all = pending(...offsets.sort((a, b) => a - b).map((hour) => NOON + hour * HOUR_MS))
        const due = dueAt(timing(10 * HOUR_MS), first(all))
        const then = all.filter(({ publishedAt }) => publishedAt <= due)
        const batch = batchOf(timing(10 * HOUR_MS), then, 200)
        expect(batch).toEqual(then)
        const more = [...all, { seq: all.length + 1, publishedAt: NOON + (70 + later) * HOUR_MS }]
        expect(batchOf(timing(10 * HOUR_MS), more, 200)).toEqual(batch)
      }),
    )
  })

  it('nothing pending makes no batch; a batch is never larger than the channel takes', () => {
    expect(batchOf(timing(null), [], 5)).toEqual([])
    expect(batchOf(timing(null), pending(1, 2, 3), 2)).toHaveLength(2)
  })
})

describe('after an attempt', () => {
  const attempt = (failureCount: number, waiting = pending()) => ({
    failureCount,
    sent: [{ seq: 7, publishedAt: NOON }],
    waiting,
    now: NOON + DAY_MS,
    random: 0.5,
  })
  const trouble = retryLater('HTTP_UNAVAILABLE', 'status 503')
  const refusal = retryLater('HTTP_CLIENT_ERROR', 'status 422', { isRefusal: true })

  it('the cursor moves behind what was delivered', () => {
    expect(afterAttempt(DELIVERY_DONE, attempt(3))).toEqual({ kind: 'delivered', upTo: 7, at: NOON + DAY_MS })
  })

  it('a failure waits for its pause, and as long as the receiver asked', () => {
    const now = NOON + DAY_MS
    expect(afterAttempt(trouble, attempt(0))).toMatchObject({ kind: 'failed', nextAttemptAt: now + 7_500 })
    const outcome = retryLater('HTTP_TOO_MANY_REQUESTS', 'status 429', { notBefore: now + HOUR_MS })
    expect(afterAttempt(outcome, attempt(0))).toMatchObject({ kind: 'failed', nextAttemptAt: now + HOUR_MS })
  })

  it('a publication is given up after the stated attempts, sooner if it alone is unwelcome', () => {
    const kinds = (outcome: typeof trouble) =>
      Array.from({ length: 40 }, (_, failures) => afterAttempt(outcome, attempt(failures)).kind)
    expect(kinds(trouble).indexOf('dead') + 1).toBe(DELIVERY_POLICY.mostAttempts)
    expect(kinds(refusal).indexOf('dead') + 1).toBe(DELIVERY_POLICY.mostRefusals)
    expect(afterAttempt(dead('HTTP_GONE', 'status 410'), attempt(0)).kind).toBe('dead')
  })

  it('with a receiver goes everything that waits as long, so that the queue does not grow for ever', () => {
    const waiting = [
      { seq: 8, publishedAt: NOON },
      { seq: 9, publishedAt: NOON + 1 },
    ]
    expect(afterAttempt(trouble, attempt(31, waiting))).toMatchObject({ kind: 'dead', publications: [7, 8] })
    expect(afterAttempt(refusal, attempt(31, waiting))).toMatchObject({ kind: 'dead', publications: [7] })
  })
})

describe('pauses', () => {
  it('double up to an hour, half of each left to chance', () => {
    expect([1, 2, 3, 9, 10, 99].map((failures) => pauseMs(failures, 1))).toEqual(
      [10, 20, 40, 2_560, 3_600, 3_600].map((seconds) => seconds * SECOND_MS),
    )
    expect(pauseMs(1, 0)).toBe(5 * SECOND_MS)
  })

  it('let a receiver be down for most of a day before anything is given up', () => {
    const pauses = Array.from({ length: DELIVERY_POLICY.mostAttempts - 1 }, (_, i) => pauseMs(i + 1, 0.5))
    const total = pauses.reduce((sum, pause) => sum + pause, 0)
    expect(total / HOUR_MS).toBeGreaterThan(16)
    expect(total / HOUR_MS).toBeLessThan(30)
  })
})
