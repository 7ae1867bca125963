import { describe, expect, it } from 'vitest'
import { addOne, observation, record } from '../../../test/contract/store.fixture.ts'
import { rawState } from '../../../test/support/raw-state.ts'
import { learnSharedTables } from '../../app/crawling/learn-shared.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Observation } from '../../model/index.ts'
import { FLAT_TABLES } from '../../refresh/strategies/foresight/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import type { Store } from '../../store/store.ts'
import { tablesLearning } from './foresight-tables.ts'
import { historyOfSource } from './history.ts'
import { SharedModelStore } from './shared-model-store.ts'

const START = Date.UTC(2026, 0, 5)
const DAYS = 12
const NOW = START + DAYS * DAY_MS
const clock: Clock = { now: () => NOW, monotonicMs: () => 0, sleep: async () => {} }

/** Refreshed every three hours; publishes `perDay` items from this hour of the day on, a quarter of an hour apart. */
async function follow(store: Store, url: string, hour: number, perDay = 4, minute = 0): Promise<number> {
  const source = await addOne(store, url)
  for (let at = START; at < NOW; at += 3 * HOUR_MS) {
    const previousAt = at === START ? null : at - 3 * HOUR_MS
    const itemTimes: number[] = []
    for (let time = (previousAt ?? at) + MINUTE_MS; time <= at; time += MINUTE_MS) {
      const ofDay = time - Math.floor(time / DAY_MS) * DAY_MS - hour * HOUR_MS - minute * MINUTE_MS
      if (ofDay >= 0 && ofDay < perDay * 15 * MINUTE_MS && ofDay % (15 * MINUTE_MS) === 0) itemTimes.push(time)
    }
    const fields = {
      previousAt,
      itemTimes,
      newItems: itemTimes.length,
      overlap: previousAt === null ? 'first' : 'some',
    }
    await store.recordRefresh(
      record(source, { observation: { ...observation(source.id, at), ...fields } as Observation }),
    )
  }
  return source.id
}

function openLearner(store: Store) {
  const shared = { tables: FLAT_TABLES }
  const learn = async (histories: Parameters<typeof learnSharedTables>[0]) => learnSharedTables(histories)
  const learning = tablesLearning({ shared, learn })
  return { learner: new SharedModelStore({ store, clock, learning, isLearning: () => true }), shared }
}

describe('what is learnt of all sources together', () => {
  it('are shapes of the day that quiet sources can borrow, and they survive a restart', async () => {
    const { store } = createMemoryStore({ clock })
    const ids: number[] = []
    for (let k = 0; k < 40; k++) ids.push(await follow(store, `http://morning-${k}/`, 6 + (k % 8), 3, (7 * k) % 60))
    for (let k = 0; k < 20; k++) ids.push(await follow(store, `http://evening-${k}/`, 20, 4, (11 * k) % 60))
    const { learner, shared } = openLearner(store)
    await learner.build(ids)
    expect(shared.tables).not.toEqual(FLAT_TABLES)
    // Some shape has its evening, which the others have not.
    const evenings = shared.tables.weeks.map((shape) => shape[20]! + shape[21]!)
    expect(Math.max(...evenings)).toBeGreaterThan(0.2)
    expect(Math.min(...evenings)).toBeLessThan(0.1)
    const restarted = openLearner(store)
    await restarted.learner.resume()
    expect(restarted.shared.tables).toEqual(shared.tables)
  })

  it('leaves everything as it is where nothing is known yet, or what was stored cannot be read', async () => {
    const { store } = createMemoryStore({ clock })
    const { learner, shared } = openLearner(store)
    await learner.build([])
    await store.saveState(rawState('foresight-tables'), '{"v":9')
    await learner.resume()
    expect(shared.tables).toEqual(FLAT_TABLES)
  })
})

describe('the history of a source', () => {
  const observationAt = (at: number, previousAt: number | null, itemTimes: number[]): Observation =>
    ({ ...observation(1, at), previousAt, itemTimes, newItems: itemTimes.length }) as Observation

  it('leaves out the first window of a busy feed, which shows a few hours only', () => {
    const window = Array.from({ length: 20 }, (_, k) => START - 2 * HOUR_MS + k * 5 * MINUTE_MS)
    const first = observationAt(START, null, window)
    expect(historyOfSource(1, [first], START + HOUR_MS)).toBeNull()
    const later = observationAt(START + 30 * HOUR_MS, START, [START + 2 * HOUR_MS, START + 20 * HOUR_MS])
    const history = historyOfSource(1, [later, first], START + 30 * HOUR_MS)!
    // One whole day was watched: the six hours before it would count twice.
    expect([...history.habits]).toEqual([START + 20 * HOUR_MS])
  })

  it('lays less than a week evenly over its days, and takes whole weeks of what is longer', () => {
    const daily = (days: number) => Array.from({ length: days * 4 }, (_, k) => START + k * 6 * HOUR_MS)
    const daysOn = (days: number) => START + days * DAY_MS
    const days = (times: Float64Array) => new Set([...times].map((time) => Math.floor(time / DAY_MS) % 7)).size
    const five = historyOfSource(1, [observationAt(daysOn(5), START, daily(5))], daysOn(5))!
    expect([days(five.times), days(five.habits)]).toEqual([5, 7])
    const sixteen = historyOfSource(1, [observationAt(daysOn(16), START, daily(16))], daysOn(16))!
    expect(sixteen.habits).toHaveLength(14 * 4)
  })

  it('takes the first window of a quiet feed, which reaches back for days', () => {
    const window = Array.from({ length: 20 }, (_, k) => START - (20 - k) * DAY_MS)
    expect(historyOfSource(1, [observationAt(START, null, window)], START)!.habits).toHaveLength(14)
    expect(historyOfSource(1, [], START)).toBeNull()
  })
})
