import { describe, expect, it } from 'vitest'
import type { Overview } from '../../../src/api/operations/wire.ts'
import { comparisonOf, laterWords, verdictOf } from './verdict.ts'

const NOW = Date.UTC(2030, 0, 7)
const DAY_MS = 86_400_000

/** 57 feeds, 1,440 requests a day, 5.8 minutes late: the example of the design. */
function overview(change: Partial<Overview> = {}, lost = 0): Overview {
  const quality = {
    completeness: null,
    freshness: null,
    delay: { meanMs: 348_000, medianMs: 180_000, p95Ms: 1_140_000, estimated: false },
    items: 13_406,
    lost: { items: lost, atLeast: lost, atMost: lost, estimated: true },
    repairedItems: 0,
    saturatedRefreshes: 0,
    requests: 7 * 1_440,
    failedRequests: 0,
    bytes: 0,
    usefulShare: 0.43,
  }
  return {
    at: NOW,
    over: 'week',
    counts: { sources: 57, items: 1, observations: 1, queryFeeds: 1, conditions: { active: 57 } },
    quality,
    series: [{ ...quality, from: NOW - 20 * DAY_MS, to: NOW }],
    itemsPerHour: 1,
    budget: { requestsPerMinute: 1, spentPerMinute: 0.98 } as Overview['budget'],
    trouble: [],
    wanted: [],
    suggested: [],
    buffer: null,
    alarms: [],
    ...change,
  }
}

const conditions = (troubled: number) => ({
  counts: { ...overview().counts, conditions: { active: 57 - troubled, failing: troubled } },
})

describe('the verdict', () => {
  it.each([
    ['nothing to do', overview(), 'All well. On budget; nothing was lost this week.'],
    ['some to do', overview(conditions(2)), 'All well. 2 of 57 feeds need you. On budget; nothing was lost this week.'],
    ['one to do', overview(conditions(1)), 'All well. 1 of 57 feeds needs you. On budget; nothing was lost this week.'],
    [
      'much to do',
      overview(conditions(20)),
      'Much needs a look. 20 of 57 feeds need you. On budget; nothing was lost this week.',
    ],
    ['a loss', overview({}, 11.5), 'All well. On budget; about 12 items lost this week.'],
    [
      'too much lost',
      overview({ quality: { ...overview({}, 664).quality, completeness: { value: 0.87, estimated: true } } }),
      'Works, but not everything was caught. On budget; about 664 items lost this week.',
    ],
    [
      'too much spent',
      overview({ budget: { requestsPerMinute: 1, spentPerMinute: 1.2 } as Overview['budget'] }),
      'All well. Over budget; nothing was lost this week.',
    ],
  ])('%s', (_name, given, expected) => {
    const { lead, needs, rest } = verdictOf(given)
    expect([lead, needs, rest].filter((part) => part !== null).join(' ')).toBe(expected)
  })

  it('compares with polling all feeds in turn for the same requests', () => {
    const comparison = comparisonOf(overview())
    expect(comparison?.requestsPerDay).toBeCloseTo(1_440)
    // 57 feeds in turn, one a minute: each is looked at every 57 minutes, so its news is 28.5 minutes late.
    expect(comparison?.pollingEveryMs).toBeCloseTo(57 * 60_000)
    expect(comparison && laterWords(comparison)).toBe('be 4.9 times later')
  })

  it('compares nothing where nothing is known', () => {
    expect(comparisonOf(overview({ quality: { ...overview().quality, delay: null } }))).toBeNull()
    expect(comparisonOf(overview({ series: [] }))).toBeNull()
  })
})
