import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '../../model/index.ts'
import { ERRORS, type ErrorCode } from '../../runtime/errors.ts'
import { seededRandom } from '../../runtime/random.ts'
import { type FailureFacts, nextAfterFailure } from './backoff.ts'
import { confirmMove, type Move } from './moves.ts'

const NOW = 1_000_000_000
const middle = () => 0.5

function delay(facts: Partial<FailureFacts>): number {
  const usual: FailureFacts = {
    failureCount: 1,
    code: 'FETCH_CONNECT',
    retryAt: null,
    now: NOW,
    baseIntervalMs: HOUR_MS,
    random: middle,
  }
  return nextAfterFailure({ ...usual, ...facts }).at - NOW
}

describe('after a failure', () => {
  it.each([
    [1, 10 * MINUTE_MS],
    [2, 20 * MINUTE_MS],
    [3, 40 * MINUTE_MS],
    [5, 160 * MINUTE_MS],
  ])('number %i of the network, an hourly source is tried again after %i ms', (failureCount, expected) => {
    expect(delay({ failureCount })).toBe(expected)
  })

  it.each(['HTTP_NOT_FOUND', 'HTTP_GONE', 'HTTP_UNAUTHORIZED', 'HTTP_FORBIDDEN'] as const)(
    '%s is given more time from the start',
    (code) => {
      expect(delay({ code })).toBe(HOUR_MS)
      expect(delay({ code, baseIntervalMs: 6 * HOUR_MS })).toBe(6 * HOUR_MS)
      expect(delay({ code, failureCount: 3 })).toBe(4 * HOUR_MS)
    },
  )

  it('a source that is usually refreshed every two minutes is not retried sooner than that', () => {
    expect(delay({ baseIntervalMs: 2 * MINUTE_MS })).toBe(2 * MINUTE_MS)
    expect(delay({ baseIntervalMs: 1_000 })).toBe(MINUTE_MS)
  })

  it('never dies: about once a day, after however many failures', () => {
    for (const failureCount of [20, 1_000, 1e9]) {
      expect(delay({ failureCount })).toBeLessThanOrEqual(DAY_MS)
      expect(delay({ failureCount })).toBeGreaterThan(DAY_MS / 2)
    }
  })

  it('is not retried more often than when all is well, where that is rarer than daily', () => {
    expect(delay({ failureCount: 30, baseIntervalMs: WEEK_MS })).toBeGreaterThan(WEEK_MS / 2)
  })

  it('waits as long as the site asks, and says so', () => {
    const retryAt = NOW + 3 * DAY_MS
    const facts = { failureCount: 1, code: 'HTTP_UNAVAILABLE', retryAt, now: NOW, random: middle } as const
    expect(nextAfterFailure({ ...facts, baseIntervalMs: null })).toEqual({
      at: retryAt,
      reason: 'the site asked to be left alone until then',
    })
  })

  it('names the number of failures and the code', () => {
    const facts = { failureCount: 3, code: 'FETCH_DNS', retryAt: null, now: NOW, baseIntervalMs: null } as const
    expect(nextAfterFailure({ ...facts, random: middle }).reason).toBe('backing off after 3 failures (FETCH_DNS)')
  })

  it('is never before Retry-After, never in the past, never beyond a day of its own making; spread by jitter', () => {
    const codes = Object.keys(ERRORS) as ErrorCode[]
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.constantFrom(...codes),
        fc.option(fc.integer({ min: NOW - DAY_MS, max: NOW + WEEK_MS })),
        fc.option(fc.integer({ min: 1, max: WEEK_MS })),
        fc.integer(),
        (failureCount, code, retryAt, baseIntervalMs, seed) => {
          const random = seededRandom(seed)
          const { at } = nextAfterFailure({ failureCount, code, retryAt, now: NOW, baseIntervalMs, random })
          expect(at).toBeGreaterThanOrEqual(Math.max(NOW + MINUTE_MS / 2, retryAt ?? 0))
          expect(at).toBeLessThanOrEqual(Math.max(NOW + Math.max(DAY_MS, baseIntervalMs ?? 0), retryAt ?? 0))
        },
      ),
    )
    const random = seededRandom(7)
    const delays = Array.from({ length: 100 }, () => delay({ failureCount: 12, random }))
    expect(new Set(delays).size).toBeGreaterThan(90)
  })
})

describe('a permanent redirect', () => {
  const OLD = 'http://a.example/feed'
  const NEW = 'https://b.example/feed'

  function afterAnswers(...answers: (string | null)[]): Move {
    return answers.reduce<Move>((move, url) => confirmMove(move.movingTo, url, OLD), { movedTo: null, movingTo: null })
  }

  it('moves the source when three answers in a row say so', () => {
    expect(afterAnswers(NEW)).toEqual({ movedTo: null, movingTo: { url: NEW, confirmations: 1 } })
    expect(afterAnswers(NEW, NEW)).toEqual({ movedTo: null, movingTo: { url: NEW, confirmations: 2 } })
    expect(afterAnswers(NEW, NEW, NEW)).toEqual({ movedTo: NEW, movingTo: null })
  })

  it('is forgotten when it is gone or leads elsewhere', () => {
    expect(afterAnswers(NEW, NEW, null)).toEqual({ movedTo: null, movingTo: null })
    expect(afterAnswers(NEW, NEW, 'https://c.example/')).toMatchObject({
      movedTo: null,
      movingTo: { confirmations: 1 },
    })
  })

  it('to where the source already is means nothing', () => {
    expect(afterAnswers(OLD, OLD, OLD)).toEqual({ movedTo: null, movingTo: null })
  })

  it('from encrypted to plain is never made permanent', () => {
    const secure = 'https://a.example/feed'
    expect(confirmMove({ url: OLD, confirmations: 9 }, OLD, secure)).toEqual({ movedTo: null, movingTo: null })
  })
})
