import { describe, expect, it } from 'vitest'
import { hintedNotBefore } from '../crawler/hints/after-hints.ts'
import { refusalInWords } from '../crawler/intake/words.ts'
import { lossInWords } from '../crawler/loss.ts'
import { nextAfterFailure } from '../crawler/politeness/backoff.ts'
import { HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { describeMs } from '../refresh/describe.ts'
import { reasonInWords } from '../refresh/strategies/foresight/reason.ts'
import { describeDuration } from '../refresh/words.ts'
import { REASON_FORMS } from './operations/reason-forms.ts'
import { clausesOf } from './reason-clauses.ts'

const codes = (reason: string) => clausesOf(reason).map(({ code }) => code)
const NOW = Date.UTC(2030, 0, 7, 6)

describe('the clauses of a reason', () => {
  it('reads what foresight says', () => {
    const why = { lastRefreshAt: NOW, ratePerHour: 0.129, busiestHour: 8, expected: 1, threatened: false }
    expect(clausesOf(reasonInWords({ ...why, dueAt: NOW + 3 * HOUR_MS }))).toEqual([
      { code: 'after', params: { afterMs: 3 * HOUR_MS } },
      { code: 'rate', params: { perDay: 3.1 } },
      { code: 'busiest-hour', params: { from: '08:00', to: '09:00' } },
      { code: 'expected', params: { items: 1, by: '09:00' } },
      { code: 'worth-the-price', params: {} },
    ])
    const rare = { ...why, busiestHour: null, ratePerHour: 1e-5, expected: 0.0004, threatened: true }
    expect(codes(reasonInWords({ ...rare, dueAt: NOW + 70 * HOUR_MS }))).toEqual([
      'after',
      'rate',
      'expected',
      'before-it-overflows',
    ])
    expect(codes(reasonInWords({ ...why, dueAt: Number.POSITIVE_INFINITY }))).toEqual(['nothing-expected'])
  })

  it.each([
    ['a failure', failed(1), ['backing-off']],
    ['several', failed(12), ['backing-off']],
    ['a site that wants rest', failed(1, NOW + 99 * HOUR_MS), ['left-alone']],
    ['a hint', hinted(null), ['site-wish']],
    ['a hint that would lose items', hinted(NOW + MINUTE_MS), ['after', 'sooner-than-site']],
    ['a full window', `${hinted(null)}, but its window will be full before`, ['site-wish', 'full-before']],
    ['a flood', `tomorrow: ${refusalInWords({ items: 12_345, allowance: 1_000 })}`, ['no-room']],
    [
      'a loss',
      `every 5 min (its own interval): too rarely, ${lossInWords({ overlap: 'none', loss: LOSS })}`,
      ['own-interval', 'too-rarely', 'loss'],
    ],
    [
      'a loss in full flight',
      `after 7.5 min, half its window at the pace just seen: ${lossInWords({ overlap: 'repaired' })}`,
      ['after', 'half-window', 'repaired-loss'],
    ],
    [
      'a surprise',
      `after ${describeDuration(90_000)}: more came than expected; its window must not overflow`,
      ['after', 'surprise'],
    ],
    [
      'a payer without a share',
      `waits: its payers have used their share; after ${describeMs(90_000)}: about 3.1e+2 items a day; then its window is full (only-sat)`,
      ['waits-for-share', 'after', 'rate', 'window-full'],
    ],
    ['cycles', 'new: not refreshed yet; chosen in cycles of 10 min (two-steps)', ['new', 'in-cycles']],
    [
      'cycles with a threshold',
      'chosen in cycles of 10 min (two-steps) when what waits is worth τ = 0.42, or its window is full',
      ['in-cycles', 'worth-threshold'],
    ],
    ['runs', 'in 3 runs: M 4, T 2, ToE 3 (advarss)', ['in-runs']],
  ])('reads %s', (_name, reason, expected) => expect(codes(reason)).toEqual(expected))

  it('reads every form by itself', () => {
    const wrong = Object.entries(REASON_FORMS).filter(([code, form]) => {
      const text = form.replace('[s]', 's').replaceAll(/\{(\w+)\}/g, (_all, name: string) => EXAMPLES[name] ?? '3')
      return codes(text).join() !== code
    })
    expect(wrong).toEqual([])
  })

  it('says nothing of what it does not know, rather than half of it', () => {
    expect(clausesOf('after 5 min: because the moon is full')).toEqual([])
    expect(clausesOf('newer than others')).toEqual([])
    expect(clausesOf(null)).toEqual([])
  })
})

const EXAMPLES: Readonly<Record<string, string>> = {
  everyMs: '5 min',
  afterMs: '1.5 h',
  nextMs: '2 days',
  cycleMs: '10 min',
  strategy: 'two-steps',
  wish: 'ttl 60 min',
  error: 'FETCH_DNS',
  counts: 'M 4, T 2',
  from: '08:00',
  to: '09:00',
  by: '2030-01-08 09:00',
}

const LOSS = { items: 12, atLeast: 3, atMost: 20, basis: 'rate' } as const

function failed(failureCount: number, retryAt: number | null = null): string {
  const facts = { failureCount, code: 'FETCH_DNS', retryAt, now: NOW, baseIntervalMs: null, random: () => 0.5 } as const
  return nextAfterFailure(facts).reason
}

function hinted(safeUntil: number | null): string {
  const hints = { http: { maxAgeMs: null, expiresAt: null }, feed: { ttlMs: HOUR_MS } } as unknown as Parameters<
    typeof hintedNotBefore
  >[0]
  const facts = { refreshedAt: NOW, safeUntil, saturated: false, ownInterval: false }
  return hintedNotBefore(hints, facts)?.reason ?? ''
}
