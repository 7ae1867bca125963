import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../../test/support/virtual-clock.ts'
import { HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { silentLogger } from '../../runtime/logger.ts'
import { seededRandom } from '../../runtime/random.ts'
import { steady } from '../../runtime/steady-clock.ts'
import { loadConfig } from '../settings/config.ts'
import { schedulerFor } from './crawling.ts'

const PER_HOUR = 100
const HOURS = 4

/** When refreshes go out, with more of them due than the budget has. */
function spendingTimes(burst?: string | number, sources = PER_HOUR / 5): readonly InstantMs[] {
  const clock = steady(virtualClock(1_700_000_000_000))
  const start = clock.now()
  const config = loadConfig('none', { budget: `${PER_HOUR}/h`, ...(burst !== undefined && { burst }) }, {})
  const scheduler = schedulerFor(config, { clock, random: seededRandom(1), logger: silentLogger })
  for (let id = 1; id <= sources; id++) {
    const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: start, lastRefreshAt: null }
    scheduler.upsert({ facts, intervalMs: 5 * MINUTE_MS, dueAt: null, paused: false, retired: false })
  }
  const times: InstantMs[] = []
  for (let now = start + SECOND_MS; now < start + HOURS * HOUR_MS; now += SECOND_MS) {
    for (let next = scheduler.take(now); next.kind === 'refresh'; next = scheduler.take(now)) {
      times.push(now - start)
      scheduler.finish(next.id, now + 5 * MINUTE_MS)
    }
  }
  return times
}

const longestPauseMs = (times: readonly InstantMs[]) => {
  const late = times.filter((at) => at > HOUR_MS)
  return Math.max(...late.slice(1).map((at, index) => at - (late[index] ?? 0)))
}
const mostAtOnce = (times: readonly InstantMs[]) =>
  Math.max(...times.map((at) => times.filter((one) => one === at).length))
const mostInAnHour = (times: readonly InstantMs[]) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + HOUR_MS).length))

describe('what may be saved up', () => {
  it('is by default a quarter of an hour, and while the hour is full half a request for each source', () => {
    const few = spendingTimes()
    expect(longestPauseMs(few)).toBeLessThan(7 * MINUTE_MS)
    const many = spendingTimes(undefined, PER_HOUR)
    expect(mostAtOnce(many)).toBe(25)
    expect(longestPauseMs(many)).toBeGreaterThan(14 * MINUTE_MS)
    for (const times of [few, many]) expect(mostInAnHour(times)).toBeLessThanOrEqual(PER_HOUR)
  })

  it.each([
    ['15min', 25],
    ['30min', 50],
    [5, 5],
  ])('is %s where somebody says so, the hour full or not', (burst, requests) => {
    const times = spendingTimes(burst)
    expect(mostAtOnce(times)).toBe(Math.min(requests, PER_HOUR / 5))
    expect(longestPauseMs(times)).toBeGreaterThan(((requests - 1) * HOUR_MS) / PER_HOUR)
    expect(mostInAnHour(times)).toBeLessThanOrEqual(PER_HOUR)
  })
})
