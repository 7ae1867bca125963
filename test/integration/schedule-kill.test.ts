import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { extent } from '../support/extent.ts'
import { type KilledNode, killedNode } from './killed-node.ts'

const FEEDS = 30
const KILLS = extent(2, 4)
const PER_SECOND = 10
const BURST = 5
const CHECKPOINT_MS = 500
/** A busy machine may be late by this much; the promise is one interval. */
const LATE_MS = 60_000
/** Between the moment of an observation and what is learnt from it, on a machine that can make its requests in time. */
const UNDER_WAY_MS = 3_000
const REQUESTS = 60
const FLAGS = ['--budget', `${PER_SECOND}/s`, '--burst', String(BURST), '--strategy', 'two-steps']

let node: KilledNode
beforeAll(async () => {
  node = await killedNode({ feeds: FEEDS, checkpointMs: CHECKPOINT_MS })
})
afterAll(() => node.close())

/** Until it has made so many requests, and some time more. */
function someTimeAfter(requests: number, delayMs: number): (spent: number) => boolean {
  let since: number | null = null
  return (spent) => {
    if (spent >= requests) since ??= systemClock.monotonicMs()
    return since !== null && systemClock.monotonicMs() - since >= delayMs
  }
}

describe(`${KILLS} times kill -9 while the scheduler works`, () => {
  it('loses no more than one checkpoint of what was learnt, and spends nothing twice', async () => {
    const random = seededRandom(7)
    for (let kill = 0; kill < KILLS; kill++) {
      const { aliveMs, spent } = await node.serveUntil(FLAGS, someTimeAfter(REQUESTS, random() * 1_000))
      const killedAt = systemClock.now()
      const underWayMs = UNDER_WAY_MS * Math.max(1, aliveMs / ((1_000 * REQUESTS) / PER_SECOND))
      // The token bucket is empty after a restart, so a run can never spend more than it lived for; one tick for good measure.
      expect(spent).toBeLessThanOrEqual((PER_SECOND * aliveMs) / 1_000 + BURST + PER_SECOND)
      await node.look(async (store, schedule) => {
        const { changed } = await store.scheduleChanges(0)
        expect(schedule?.strategy).toBe('two-steps')
        expect(killedAt - schedule!.at).toBeLessThan(CHECKPOINT_MS + LATE_MS)
        for (const { id, model } of changed) {
          const observations = await store.observations(id, { limit: 100 })
          const old = observations.find(({ at }) => at < schedule!.at - underWayMs)
          if (old !== undefined) expect(model!.learntAt, `source ${id}`).toBeGreaterThanOrEqual(old.at)
        }
        expect(changed.filter(({ model }) => model !== null).length).toBeGreaterThan(FEEDS / 2)
      })
    }
  })
})
