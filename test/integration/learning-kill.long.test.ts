import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedulerFor } from '../../src/app/crawling/crawling.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { pastObservations } from '../../src/crawler/model-store.ts'
import type { StoredSchedule } from '../../src/refresh/scheduler/scheduler.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import type { Store } from '../../src/store/store.ts'
import { type KilledNode, killedNode } from './killed-node.ts'

const FEEDS = 30
/** A model may be written a moment before what it learnt from; a kill in that moment leaves it ahead. */
const AHEAD = 3

let node: KilledNode
beforeAll(async () => {
  node = await killedNode({ feeds: FEEDS, checkpointMs: 300 })
})
afterAll(() => node.close())

type Flags = Readonly<Record<string, string>>
const asArguments = (flags: Flags) =>
  Object.entries(flags).flatMap(([name, value]) => [
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value,
  ])
const serve = (flags: Flags, requests: number) => node.serveUntil(asArguments(flags), (spent) => spent >= requests)

/** Of how many sources the stored model is, to the bit, what their stored observations say when they are learnt in a row. */
async function asObserved(flags: Flags): Promise<{ readonly alike: number; readonly models: number }> {
  return node.look(async (store, schedule) => {
    let alike = 0
    let models = 0
    const { changed } = await store.scheduleChanges(0)
    for (const { id, addedAt, model } of changed) {
      if (model === null) continue
      models++
      const past = (await pastObservations(store, id, null)).filter(({ at }) => at <= model.learntAt)
      const again = schedulerFor(loadConfig('none', flags, {}), {
        clock: systemClock,
        random: () => 0.5,
        logger: silentLogger,
      })
      again.resumeLearning(schedule!.learning)
      const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt, lastRefreshAt: null }
      again.upsert({ facts, dueAt: null, paused: false, retired: false })
      again.relearn(id, past)
      if (Buffer.compare(Buffer.from(again.memory(id)!.bytes), model.state) === 0) alike++
    }
    return { alike, models }
  })
}

const storedSchedule = () => node.look(async (_store, schedule): Promise<StoredSchedule> => schedule!)
const models = () =>
  node.look(async (store: Store) =>
    (await store.scheduleChanges(0)).changed.map(({ id, model }) => [
      id,
      model === null ? null : Buffer.from(model.state).toString('hex'),
    ]),
  )

describe('kill -9 of a node that learns', () => {
  const pace = { budget: '20/s', burst: '5', strategy: 'two-steps' }

  it('separate: over kills only learning requests have taught, and whose turn it is goes on', async () => {
    const flags = { ...pace, learning: 'separate', learningShare: '0.5' }
    await serve(flags, 100)
    const { since, turn } = (await storedSchedule()).learning!
    await serve(flags, 60)
    await serve(flags, 60)
    const learning = (await storedSchedule()).learning!
    expect(learning.plan.way).toBe('separate')
    expect(learning.since).toBe(since)
    expect(learning.turn).not.toBe(turn)
    const { alike, models: count } = await asObserved(flags)
    expect(count).toBe(FEEDS)
    expect(alike).toBeGreaterThanOrEqual(FEEDS - AHEAD)
    const learnt = await node.look(async (store) => {
      const { changed } = await store.scheduleChanges(0)
      return Promise.all(
        changed.map(async ({ id, model }) => {
          const decision = (await store.decisions(id, 500)).find(({ at }) => at === model!.learntAt)
          return decision?.cause ?? 'gone'
        }),
      )
    })
    // Whichever taught it last is what the model is dated with.
    expect(learnt.filter((cause) => cause === 'learning' || cause === 'new').length).toBeGreaterThanOrEqual(
      FEEDS - AHEAD,
    )
  })

  it('freeze: begins its period with what is known, goes on with it after a kill, and keeps what it learnt', async () => {
    const known = await models()
    const flags = { ...pace, learning: 'freeze', learnFor: '30d' }
    await serve(flags, 80)
    const { since } = (await storedSchedule()).learning!
    await serve(flags, 80)
    expect((await storedSchedule()).learning!.since).toBe(since)
    expect(await models()).not.toEqual(known)
    // The period is over, as after a month.
    const over = { ...pace, learning: 'freeze', learnFor: '1s' }
    await serve(over, 1)
    const frozen = await models()
    await serve(over, 100)
    expect((await storedSchedule()).learning!.since).toBe(since)
    expect(await models()).toEqual(frozen)
  })
})

describe('kill -9 of a node that goes in cycles (--strategy two-steps --threshold thesis)', () => {
  /** More than all sources together: τ falls in every cycle, so that a τ which started over would be seen. */
  const flags = { strategy: 'two-steps', threshold: 'thesis', cycle: '1s', budget: '40/s', exploreShare: '0' }

  it('goes on with τ, cycles and models as they were', async () => {
    const readTau = async () => (await node.look(async (_store, schedule) => schedule?.cycle && schedule.price)) ?? null
    let first: number | null = null
    await node.serveUntil(asArguments(flags), async (spent) => {
      const tau = spent > 0 ? await readTau() : null
      first ??= tau
      return first !== null && tau !== null && tau < 0.6 * first
    })
    for (let kill = 0; kill < 2; kill++) {
      const before = await storedSchedule()
      await serve(flags, 40)
      const after = await storedSchedule()
      expect(after.strategy).toBe('two-steps')
      expect(after.at).toBeGreaterThan(before.at)
      expect(after.price).toBeLessThanOrEqual(before.price)
      expect(after.cycle!.nextAt).toBeGreaterThan(before.cycle!.nextAt)
    }
    const { alike, models: count } = await asObserved(flags)
    expect(count).toBe(FEEDS)
    expect(alike).toBeGreaterThanOrEqual(FEEDS - AHEAD)
  })
})
