import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { withDefaults } from '../../src/app/sources.ts'
import { readKept, SCHEDULE_STATE } from '../../src/crawler/model-keeper.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'

const BIN = fileURLToPath(new URL('../../bin/headwater.ts', import.meta.url))
const FEEDS = 30
const KILLS = 4
const PER_SECOND = 10
const BURST = 5
const CHECKPOINT_MS = 500
/** A busy machine may be late by this much; the promise is one interval. */
const LATE_MS = 60_000
/** Between the moment of an observation and what is learnt from it. */
const UNDER_WAY_MS = 3_000

const folder = mkdtempSync(join(tmpdir(), 'headwater-schedule-kill-'))
let world: World

beforeAll(async () => {
  world = await startWorld({ feeds: FEEDS, itemsPerDay: 20_000, windowItems: 20, seed: 4 })
  const { store } = await openData()
  const settings = Array.from({ length: FEEDS }, (_, index) => withDefaults({ url: world.feedUrl(index) }))
  await store.addSources(settings, systemClock.now())
  await store.close()
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const openData = () => openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
const requests = () => world.stats().feeds.reduce((sum, feed) => sum + feed.requests, 0)

/** `headwater serve` until it has made so many requests and some time more; then it is killed. */
async function serveAndKill(
  more: number,
  delayMs: number,
): Promise<{ readonly aliveMs: number; readonly spent: number }> {
  const before = requests()
  const options = ['--data', folder, '--port', '0', '--allow-range', 'loopback', '--log-level', 'error']
  const pace = [
    '--budget',
    `${PER_SECOND}/s`,
    '--burst',
    String(BURST),
    '--min-interval',
    '0.2s',
    '--host-spacing',
    '0s',
    '--strategy',
    'two-steps',
  ]
  const startedAt = systemClock.monotonicMs()
  const child = spawn(process.execPath, ['--import', 'tsx', BIN, 'serve', ...options, ...pace], {
    stdio: 'ignore',
    env: { ...process.env, HEADWATER_CHECKPOINT: `${CHECKPOINT_MS}ms` },
  })
  const exited = once(child, 'exit')
  while (requests() < before + more && child.exitCode === null) await systemClock.sleep(20)
  await systemClock.sleep(delayMs)
  child.kill('SIGKILL')
  await exited
  return { aliveMs: systemClock.monotonicMs() - startedAt, spent: requests() - before }
}

describe(`${KILLS} times kill -9 while the scheduler works`, () => {
  it('loses no more than one checkpoint of what was learnt, and spends nothing twice', async () => {
    const random = seededRandom(7)
    for (let kill = 0; kill < KILLS; kill++) {
      const { aliveMs, spent } = await serveAndKill(60, random() * 1_000)
      const killedAt = systemClock.now()
      // The purse is empty after a restart, so a run can never spend more than it lived for; one tick for good measure.
      expect(spent).toBeLessThanOrEqual((PER_SECOND * aliveMs) / 1_000 + BURST + PER_SECOND)
      const { store } = await openData()
      const { changed } = await store.scheduleChanges(0)
      const kept = readKept(await store.nodeState(SCHEDULE_STATE))
      expect(kept?.strategy).toBe('two-steps')
      expect(killedAt - kept!.at).toBeLessThan(CHECKPOINT_MS + LATE_MS)
      for (const { id, model } of changed) {
        const seen = await store.observations(id, { limit: 100 })
        const old = seen.find(({ at }) => at < kept!.at - UNDER_WAY_MS)
        if (old !== undefined) expect(model!.learntAt, `source ${id}`).toBeGreaterThanOrEqual(old.at)
      }
      expect(changed.filter(({ model }) => model !== null).length).toBeGreaterThan(FEEDS / 2)
      await store.close()
    }
  })
})
