import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { type SimSource, type SimWorld, simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const WINDOW = 20

const whole = (times: Float64Array) => times.map((at) => Math.floor(at / 1000) * 1000)

/** A feed of one rate, then of another. */
function changing(id: number, before: number, after: number, changeMs: number, endMs: number): SimSource {
  const random = seededRandom(100 + id)
  const first = poissonTimes(before / HOUR_MS, START - 30 * DAY_MS, changeMs, random)
  const then = after > 0 ? poissonTimes(after / HOUR_MS, changeMs, endMs, random) : new Float64Array(0)
  return simSource(id, whole(Float64Array.from([...first, ...then])), WINDOW)
}

/** The one of interest among others that make the budget scarce. */
function among(subject: SimSource, others: number, endMs: number): SimWorld {
  const sources = [subject]
  for (let id = 2; id <= others + 1; id++) {
    const random = seededRandom(id)
    const perHour = 0.05 * 40 ** random()
    sources.push(simSource(id, whole(poissonTimes(perHour / HOUR_MS, START - 30 * DAY_MS, endMs, random)), WINDOW))
  }
  return { startMs: START, endMs, sources }
}

async function live(world: SimWorld, budget: string, outage?: { readonly fromMs: number; readonly toMs: number }) {
  const clock = new VirtualClock(START)
  const fetcher = documentFetcher(world.sources, clock)
  const refreshes: { id: number; at: number }[] = []
  await runLive({
    clock,
    data: createMemoryStore({ clock }),
    fetcher,
    urls: world.sources.map((_, index) => feedUrl(index)),
    endMs: world.endMs,
    seed: 1,
    flags: { budget },
    onRefresh: (id, at) => refreshes.push({ id, at }),
    at: outage
      ? [
          { ms: outage.fromMs, action: () => fetcher.setOutage('network') },
          { ms: outage.toMs, action: () => fetcher.setOutage(null) },
        ]
      : [],
  })
  return refreshes
}

/** Most requests in any hour, sliding. */
function busiestHour(refreshes: readonly { readonly at: number }[]): number {
  let most = 0
  for (let from = 0, to = 0; to < refreshes.length; to++) {
    while (refreshes[to]!.at - refreshes[from]!.at >= HOUR_MS) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}

describe('a source that changes', () => {
  it('is followed within three refreshes when it jumps from 1 to 50 items an hour: nothing is lost after that', async () => {
    const changeMs = START + 2 * DAY_MS
    const endMs = changeMs + 6 * HOUR_MS
    const subject = changing(1, 1, 50, changeMs, endMs)
    const refreshes = await live(among(subject, 40, endMs), '984/day')
    const after = refreshes.filter(({ id, at }) => id === 1 && at >= changeMs)
    expect(after.length).toBeGreaterThan(10)
    // From the third refresh on every gap is short enough for its window.
    for (let k = 3; k < after.length; k++) {
      const came = subject.times.filter((at) => at > after[k - 1]!.at && at <= after[k]!.at).length
      expect(came, `refresh ${k} after the jump`).toBeLessThan(WINDOW)
    }
    expect((after.at(-1)!.at - after[3]!.at) / (after.length - 4)).toBeLessThan((WINDOW / 50) * HOUR_MS)
  })

  it('stops costing within a day when it falls silent', async () => {
    const changeMs = START + 2 * DAY_MS
    const endMs = changeMs + 3 * DAY_MS
    const refreshes = await live(among(changing(1, 10, 0, changeMs, endMs), 40, endMs), '984/day')
    const perDay = (from: number) =>
      refreshes.filter(({ id, at }) => id === 1 && at >= from && at < from + DAY_MS).length
    expect(perDay(changeMs - DAY_MS)).toBeGreaterThan(40)
    // A fair share would be 24.
    expect(perDay(changeMs + DAY_MS)).toBeLessThanOrEqual(6)
    expect(perDay(changeMs + 2 * DAY_MS)).toBeLessThanOrEqual(3)
  })
})

describe('after a night without network', () => {
  it('catches up within hours and never exceeds the budget of an hour', async () => {
    const endMs = START + 4 * DAY_MS
    const fromMs = START + 2 * DAY_MS + 22 * HOUR_MS
    const toMs = fromMs + 8 * HOUR_MS
    const world = among(changing(1, 2, 2, endMs, endMs), 79, endMs)
    const refreshes = await live(world, '80/h', { fromMs, toMs })
    expect(busiestHour(refreshes)).toBeLessThanOrEqual(80)
    const back = new Set(refreshes.filter(({ at }) => at >= toMs && at < toMs + 6 * HOUR_MS).map(({ id }) => id))
    const before = new Set(refreshes.filter(({ at }) => at >= fromMs - DAY_MS && at < fromMs).map(({ id }) => id))
    expect([...before].filter((id) => !back.has(id))).toEqual([])
    // And it is spending again: at least nine tenths in the last hours.
    const late = refreshes.filter(({ at }) => at >= endMs - 6 * HOUR_MS).length
    expect(late).toBeGreaterThan(0.9 * 6 * 80)
    expect(refreshes.filter(({ at }) => at >= fromMs + MINUTE_MS && at < toMs).length).toBeLessThanOrEqual(8 * 80)
  })
})
