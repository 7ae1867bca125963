import { describe, expect, it } from 'vitest'
import { usualSavings } from '../../src/app/crawling/crawling.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'
import { foresight } from '../../src/refresh/strategies/foresight/index.ts'
import type { Budget } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { specWorld } from './named-worlds.ts'
import { runScheduled } from './scheduled-run.ts'
import { Tally } from './tally.ts'

const START = Date.UTC(2026, 0, 5)
const END = START + 8 * DAY_MS
const SOURCES = 40

/** All of them are awake at the same hours: whoever may save up for those does. */
const world = specWorld(
  Array.from({ length: SOURCES }, (_, id) => ({ kind: 'waves', ratePerDay: 4 + (id % 20), peakHour: 14 }) as const),
  { startMs: START, endMs: END },
  { windowSize: 20, seed: 1 },
)

function spendingTimes(budget: Budget, firstSaved: number, endMs = END): InstantMs[] {
  const times: InstantMs[] = []
  const strategy = foresight()
  const { burst } = usualSavings(budget, strategy)
  const scheduler = { strategy, budget, burst, firstSaved, minIntervalMs: SECOND_MS, random: seededRandom(1) }
  runScheduled({ world: { ...world, endMs }, scheduler, onRefresh: (_, at) => times.push(at) }, new Tally(START, endMs))
  return times
}

/** How much more than its budget the worst period spent, whenever it began, less what was saved up by then. */
function worstExcess(
  times: readonly InstantMs[],
  { requests, perMs }: Budget,
  burst: number,
  firstSaved: number,
): number {
  let saved = firstSaved
  let at = START
  let worst = Number.NEGATIVE_INFINITY
  let end = 0
  times.forEach((time, index) => {
    saved = Math.min(burst, saved + ((time - at) * requests) / perMs)
    at = time
    while (end < times.length && (times[end] ?? 0) < time + perMs) end++
    worst = Math.max(worst, end - index - requests - saved)
    saved -= 1
  })
  return worst
}

describe('a budget of a day', () => {
  const budget = { requests: 3 * SOURCES, perMs: DAY_MS }
  const { burst } = usualSavings(budget, foresight())

  it('is saved up over its day, and no 24 hours spend more than it and what was saved', () => {
    const times = spendingTimes(budget, 2)
    expect(worstExcess(times, budget, burst, 2)).toBeLessThanOrEqual(1e-6)
    expect(times.length).toBeGreaterThan(0.9 * 8 * budget.requests)
    // And not evenly: a limit by the hour would forbid this.
    const inHourFrom = (from: InstantMs) => times.filter((at) => at >= from && at < from + HOUR_MS).length
    expect(Math.max(...times.slice(budget.requests).map(inHourFrom))).toBeGreaterThan((2 * budget.requests) / 24)
  })

  it('has a quarter of an hour saved up when a node begins, and no more on the first day', () => {
    expect(usualSavings(budget, foresight())).toEqual({ burst: 3 * SOURCES, firstSaved: 2 })
    const first = spendingTimes(budget, 2, START + DAY_MS)
    expect(first.length).toBeLessThanOrEqual(budget.requests + 2)
  })
})

it.each([
  ['a minute', { requests: 0.5, perMs: MINUTE_MS }],
  ['an hour', { requests: 30, perMs: HOUR_MS }],
])('no hour spends more than its budget where that is one of %s', (_, budget) => {
  const times = spendingTimes(budget, 2, START + 2 * DAY_MS)
  const perHour = (budget.requests * HOUR_MS) / budget.perMs
  const most = times.map((from) => times.filter((at) => at >= from && at < from + HOUR_MS).length)
  expect(Math.max(...most)).toBeLessThanOrEqual(perHour)
})
