import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type Observation, SECOND_MS } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { foresight } from '../strategies/foresight/index.ts'
import { Scheduler } from './scheduler.ts'

const START = Date.UTC(2026, 0, 5)
const MEMBERS = [1, 2, 3, 4]
const BUNDLE = -1

function observation(sourceId: number, at: InstantMs, previousAt: InstantMs | null, itemTimes: readonly InstantMs[]) {
  const overlap: Observation['overlap'] = previousAt === null ? 'first' : 'some'
  const rest = { windowSize: null, overlap, lostAtLeast: 0, notModified: false, bytes: 0, latencyMs: 0 }
  return { sourceId, at, previousAt, newItems: itemTimes.length, itemTimes, ...rest }
}

/** Four sources that are known to publish every two hours. */
function known() {
  const scheduler = new Scheduler({
    strategy: foresight(),
    budget: { requests: 8, perMs: DAY_MS },
    burst: 100,
    minIntervalMs: MINUTE_MS,
    maxIntervalMs: 4 * DAY_MS,
    random: seededRandom(1),
    now: START,
  })
  let now = START
  for (const id of MEMBERS) {
    const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: null }
    scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
  }
  for (let look = 0; look < 24; look++, now += 2 * HOUR_MS) {
    for (const id of MEMBERS) {
      const times = look === 0 ? [] : [now - HOUR_MS]
      scheduler.plan(observation(id, now, look === 0 ? null : now - 2 * HOUR_MS, times))
      scheduler.finish(id, null)
    }
  }
  const at = now - 2 * HOUR_MS
  scheduler.bundles.set({ id: BUNDLE, windowSize: 25, members: MEMBERS }, at)
  return { scheduler, at }
}

type Known = ReturnType<typeof known>

/** One request that shows these items of each. */
function look(
  { scheduler }: Known,
  at: InstantMs,
  previousAt: InstantMs,
  shown: (id: number) => readonly InstantMs[],
  isFull = false,
) {
  const members = MEMBERS.map((id) => observation(id, at, previousAt, shown(id)))
  const newItems = members.reduce((sum, member) => sum + member.newItems, 0)
  const bundle = {
    ...observation(BUNDLE, at, previousAt, []),
    newItems,
    overlap: isFull ? ('none' as const) : ('some' as const),
  }
  const plan = scheduler.bundles.plan({ bundle, members })
  scheduler.finish(BUNDLE, null)
  return plan
}

/** Whoever is taken until then, without what they show. */
function takenUntil(scheduler: Scheduler<never> | Known['scheduler'], from: InstantMs, until: InstantMs): number[] {
  const taken: number[] = []
  for (let now = from; now <= until; ) {
    const next = scheduler.take(now)
    if (next.kind === 'wait') now = Math.max(now + 1, next.until)
    else taken.push(next.id)
  }
  return taken
}

describe('sources that one request asks for', () => {
  it('are asked for together, sooner than one of them alone would be, and not themselves', () => {
    const { scheduler, at } = known()
    const alone = scheduler.beliefsOf([1])[0]!
    const soonest = foresight().dueAt(alone.memory, alone.facts, scheduler.price) - at
    const taken = takenUntil(scheduler, at, at + soonest)
    expect(taken).toEqual([BUNDLE])
  })

  it('teach what is known of each, and the next request follows from all of them', () => {
    const { scheduler, at } = known()
    const plan = look({ scheduler, at }, at + HOUR_MS, at, () => [at + 30 * MINUTE_MS])
    expect(scheduler.lastRefreshAt(1)).toBe(at + HOUR_MS)
    expect(plan.reason).toContain('4 sources in one request')
    expect(plan.at).toBeGreaterThan(at + HOUR_MS)
    expect(scheduler.explain(1, at + HOUR_MS)?.reason).toMatch(/^seen with 3 others in one request/)
  })

  it('are asked themselves at once when the shared window was full of news', () => {
    const { scheduler, at } = known()
    look({ scheduler, at }, at + HOUR_MS, at, (id) => (id === 1 ? Array.from({ length: 25 }, () => at + 1) : []), true)
    expect(takenUntil(scheduler, at + HOUR_MS, at + HOUR_MS + MINUTE_MS).sort()).toEqual(MEMBERS)
  })

  it('are due as ever when it fails, and when it is given up', () => {
    for (const end of ['fail', 'drop'] as const) {
      const { scheduler, at } = known()
      const expected = MEMBERS.map((id) => {
        const { memory, facts } = scheduler.beliefsOf([id])[0]!
        return foresight().dueAt(memory, facts, scheduler.price)
      })
      scheduler.bundles[end](BUNDLE)
      const latest = Math.max(...expected)
      expect(
        takenUntil(scheduler, at, latest + HOUR_MS)
          .filter((id) => id > 0)
          .sort(),
      ).toEqual(MEMBERS)
    }
  })

  it('are asked themselves when they are silent for too long, and the others when something was missed', () => {
    const { scheduler, at } = known()
    const others: number[] = []
    let now = at
    for (; others.length === 0 && now < at + DAY_MS; ) {
      const before = now
      now += HOUR_MS
      // The first is not shown any more.
      look({ scheduler, at }, now, before, (id) => (id === 1 ? [] : [now - MINUTE_MS]))
      others.push(...takenUntil(scheduler, now, now + MINUTE_MS).filter((id) => id > 0))
    }
    expect(others).toEqual([1])
    // Well before the 20 items of its own window have gone.
    expect(now - at).toBeLessThan(16 * HOUR_MS)
    scheduler.plan(observation(1, now, at, [at + 2 * HOUR_MS, at + 4 * HOUR_MS, now - 2 * HOUR_MS]))
    scheduler.finish(1, null)
    expect(
      takenUntil(scheduler, now, now + 2 * MINUTE_MS)
        .filter((id) => id > 0)
        .sort(),
    ).toEqual([2, 3, 4])
  })

  it.each([true, false])('are known by their own looks where it leaves one out, dated: %s', (isDated) => {
    const { scheduler, at } = known()
    const own = new Map(MEMBERS.map((id) => [id, [at]]))
    let shownAt = at
    for (let now = at; now < at + 8 * DAY_MS; ) {
      const next = scheduler.take(now)
      const since = (before: InstantMs, count = Math.floor((now - at) / (2 * HOUR_MS))) =>
        Array.from({ length: count }, (_, k) => at + (k + 1) * 2 * HOUR_MS).filter((time) => time > before)
      if (next.kind === 'wait') now = Math.max(now + 1, next.until)
      else if (next.id === BUNDLE) {
        look({ scheduler, at }, now, shownAt, (id) => (id === 1 ? [] : since(shownAt)))
        shownAt = now
      } else {
        const looks = own.get(next.id) ?? []
        const times = next.id === 1 ? since(looks.at(-1) ?? at) : since(Math.max(shownAt, looks.at(-1) ?? at))
        scheduler.plan({ ...observation(next.id, now, shownAt, times), ...(isDated ? {} : { itemTimes: [] }) })
        scheduler.finish(next.id, null)
        looks.push(now)
        // Where something was missed the others are asked at the same moment.
        now += SECOND_MS
      }
    }
    const looks = [...(own.get(1) ?? []), at + 8 * DAY_MS]
    const longest = Math.max(...looks.slice(1).map((time, k) => time - (looks[k] ?? 0)))
    // Its own window has 20 items.
    expect(longest).toBeLessThan(40 * HOUR_MS)
    expect(looks.length).toBeGreaterThan(2 * (own.get(2)?.length ?? 0))
    const { memory } = scheduler.beliefsOf([1])[0]!
    const daily = foresight().expected?.(memory, at + 8 * DAY_MS, at + 9 * DAY_MS)
    expect(daily).toBeGreaterThan(8)
    expect(daily).toBeLessThan(18)
  })

  it('leave it when they are removed; the last two leave none', () => {
    const { scheduler } = known()
    expect(scheduler.size).toBe(5)
    scheduler.remove(1)
    scheduler.remove(2)
    expect(scheduler.has(BUNDLE)).toBe(true)
    scheduler.remove(3)
    expect(scheduler.has(BUNDLE)).toBe(false)
    expect(scheduler.size).toBe(1)
  })
})
