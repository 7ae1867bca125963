import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { SCHEDULE } from '../../src/crawler/model-store.ts'
import type { StoredSchedule } from '../../src/refresh/scheduler/scheduler.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'

const BIN = fileURLToPath(new URL('../../bin/headwater.ts', import.meta.url))

export interface KilledNode {
  readonly world: World
  /** Requests that the world has seen. */
  requests(): number
  /**
   * `headwater serve` with these settings until the moment has come, polled every 20 ms; then kill -9. How long it
   * lived, and how many requests it made.
   */
  serveUntil(
    flags: readonly string[],
    isOver: (spent: number) => boolean | Promise<boolean>,
  ): Promise<{ readonly aliveMs: number; readonly spent: number }>
  /** What it left behind. */
  look<Value>(read: (store: Store, schedule: StoredSchedule | null) => Promise<Value>): Promise<Value>
  close(): Promise<void>
}

/** A data folder with all feeds of a world, for a real process that is killed. */
export async function killedNode(options: {
  readonly feeds: number
  readonly checkpointMs: number
}): Promise<KilledNode> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-kill-'))
  const world = await startWorld({ feeds: options.feeds, itemsPerDay: 20_000, windowItems: 20, seed: 4 })
  const open = () => openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const requests = () => world.stats().feeds.reduce((sum, feed) => sum + feed.requests, 0)
  const urls = Array.from({ length: options.feeds }, (_, index) => withSourceDefaults({ url: world.feedUrl(index) }))
  const { store } = await open()
  await store.addSources(urls, systemClock.now())
  await store.close()
  const always = ['--data', folder, '--port', '0', '--allow-range', 'loopback', '--log-level', 'error']
  const pace = ['--min-interval', '0.2s', '--host-spacing', '0s']
  return {
    world,
    requests,
    async serveUntil(flags, isOver) {
      const before = requests()
      const startedAt = systemClock.monotonicMs()
      const child = spawn(process.execPath, ['--import', 'tsx', BIN, 'serve', ...always, ...pace, ...flags], {
        stdio: 'ignore',
        env: { ...process.env, HEADWATER_CHECKPOINT: `${options.checkpointMs}ms` },
      })
      const exited = once(child, 'exit')
      try {
        while (child.exitCode === null && !(await isOver(requests() - before))) await systemClock.sleep(20)
        if (child.exitCode !== null) throw new Error(`it ended by itself with ${child.exitCode}`)
      } finally {
        child.kill('SIGKILL')
        await exited
      }
      return { aliveMs: systemClock.monotonicMs() - startedAt, spent: requests() - before }
    },
    async look(read) {
      const { store: opened } = await open()
      try {
        return await read(opened, await opened.state(SCHEDULE))
      } finally {
        await opened.close()
      }
    },
    async close() {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
