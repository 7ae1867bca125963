import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../../test/support/virtual-clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, NO_COUNTS, type QualityTally } from '../../model/index.ts'
import { measureQuality } from '../../quality/live.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import { seriesOfNode } from './quality-series.ts'
import { openRecentQuality } from './recent-quality.ts'

const NOW = Date.UTC(2026, 0, 5, 12, 30)
const clock: Clock = { now: () => NOW, monotonicMs: () => 0, sleep: async () => {} }
const one: QualityTally = { ...NO_COUNTS, requests: 1, items: 2, delays: [{ bucket: 3, items: 2 }] }
const nothing = async () => measureQuality({ ...NO_COUNTS, delays: [] })

async function open() {
  const { store } = createMemoryStore({ clock })
  return { store, recent: await openRecentQuality(store, clock) }
}

describe('what the node did lately', () => {
  it('is summed up by the minute, from the first in which anything was done', async () => {
    const { recent } = await open()
    for (const minutesAgo of [20, 20, 18, 0]) recent.note(NOW - minutesAgo * MINUTE_MS, one)
    const steps = recent.steps(HOUR_MS, MINUTE_MS, NOW)
    expect(steps).toHaveLength(20)
    expect(steps.slice(0, 3).map(({ tally }) => tally.requests)).toEqual([2, 0, 1])
    expect(steps[0]).toMatchObject({ from: NOW - 20 * MINUTE_MS, to: NOW - 19 * MINUTE_MS })
    expect(steps[0]?.tally.delays).toEqual([{ bucket: 3, items: 4 }])
    expect(recent.steps(DAY_MS, 10 * MINUTE_MS, NOW).map(({ tally }) => tally.requests)).toEqual([3, 0])
  })

  it('survives a restart, and forgets what is too long ago', async () => {
    const { store, recent } = await open()
    recent.note(NOW - 30 * HOUR_MS, one)
    recent.note(NOW - 5 * MINUTE_MS, one)
    const stop = new AbortController()
    stop.abort()
    await recent.run(stop.signal)
    expect((await openRecentQuality(store, clock)).steps(DAY_MS, 10 * MINUTE_MS, NOW)).toEqual([])
    const running = new AbortController()
    const saving = recent.run(running.signal)
    running.abort()
    await saving
    const again = await openRecentQuality(store, clock)
    expect(again.steps(40 * HOUR_MS, 10 * MINUTE_MS, NOW).map(({ tally }) => tally.requests)).toEqual([1])
  })

  it('is what the stored sums have grown by, in whichever process', async () => {
    const time = virtualClock(NOW)
    let ever: QualityTally = { ...one, requests: 100, delays: [{ bucket: 3, items: 50 }] }
    const { store } = createMemoryStore({ clock: time })
    const recent = await openRecentQuality({ ...store, qualityEver: async () => ever }, time)
    const stop = new AbortController()
    const following = recent.follow(stop.signal)
    ever = { ...ever, requests: 106, items: 9, delays: [...ever.delays, { bucket: 5, items: 7 }] }
    await time.pass(20_000)
    const [step, ...more] = recent.steps(MINUTE_MS, 10_000, time.now())
    expect(step).toMatchObject({ from: NOW, tally: { requests: 6, items: 7, delays: [{ bucket: 5, items: 7 }] } })
    expect(more.map(({ tally }) => tally.requests)).toEqual([0])
    stop.abort()
    await following
  })

  it('makes the curve of a young node, in steps that most have something to show', async () => {
    const { recent } = await open()
    for (let minute = 1; minute <= 12; minute++) recent.note(NOW - minute * MINUTE_MS, one)
    const hour = await seriesOfNode('hour', NOW, nothing, recent)
    expect([hour.stepMs, hour.points.length]).toEqual([MINUTE_MS, 12])
    expect(hour.points[0]).toMatchObject({ requests: 1, items: 2 })
    const atOnce = (await open()).recent
    for (let seconds = 10; seconds <= 90; seconds += 10) atOnce.note(NOW - seconds * 1_000, one)
    expect((await seriesOfNode('day', NOW, nothing, atOnce)).stepMs).toBe(10_000)
    expect(atOnce.requestsPerMinute(NOW)).toBe(6)
    const sparse = (await open()).recent
    for (let minute = 5; minute <= 60; minute += 5) sparse.note(NOW - minute * MINUTE_MS, one)
    expect((await seriesOfNode('hour', NOW, nothing, sparse)).stepMs).toBe(5 * MINUTE_MS)
    expect((await seriesOfNode('day', NOW, nothing, recent)).stepMs).toBe(MINUTE_MS)
    const always = async () => measureQuality(one)
    expect((await seriesOfNode('day', NOW, always, recent)).stepMs).toBe(HOUR_MS)
    expect((await seriesOfNode('week', NOW, always, recent)).stepMs).toBe(DAY_MS)
  })
})
