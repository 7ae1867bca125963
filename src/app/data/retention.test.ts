import { describe, expect, it } from 'vitest'
import { SetClock } from '../../../test/support/set-clock.ts'
import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import { silentLogger } from '../../runtime/logger.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import { loadConfig } from '../settings/config.ts'
import { pruneLayer, retentionPresent } from './retention.ts'

const NOW = Date.UTC(2026, 0, 5)

describe('the time by which retention goes', () => {
  it.each<[string, number, number | null, number, number]>([
    ['is the wall clock at the first start', NOW, null, 0, NOW],
    ['is the wall clock while that is right', NOW + HOUR_MS, NOW, HOUR_MS, NOW + HOUR_MS],
    ['goes twice as fast behind a clock that is ahead', NOW + 400 * DAY_MS, NOW, HOUR_MS, NOW + 2 * HOUR_MS],
    ['goes back with the wall clock', NOW - 400 * DAY_MS, NOW, HOUR_MS, NOW - 400 * DAY_MS],
    ['believes a machine that was off no more than a day', NOW + 400 * DAY_MS, NOW, 400 * DAY_MS, NOW + 2 * DAY_MS],
  ])('%s', (_, wallAt, before, elapsedMs, expected) => {
    expect(retentionPresent(wallAt, before, elapsedMs)).toBe(expected)
  })
})

describe('retention by a clock that is 400 days ahead for a weekend', () => {
  it.each([false, true])('removes two days more than it should, not the archive (restart: %s)', async (isRestart) => {
    const clock = new SetClock(NOW)
    const { store } = createMemoryStore({ clock })
    const requested: number[] = []
    const watched = {
      ...store,
      prune: async (...args: Parameters<typeof store.prune>) => {
        requested.push(args[1])
        return store.prune(...args)
      },
    }
    const start = () => {
      const stopping = new AbortController()
      const config = loadConfig('none', { keepFor: '30d' }, {})
      const layer = pruneLayer(() => config, { store: watched }, { clock, logger: silentLogger })
      const running = layer.run(stopping.signal, () => {})
      return async () => {
        stopping.abort()
        clock.wakeAll()
        await running
      }
    }
    let end = start()
    await clock.runUntil(NOW + 3 * HOUR_MS, () => false)
    if (isRestart) await end()
    clock.aheadMs = 400 * DAY_MS
    if (isRestart) end = start()
    await clock.runUntil(NOW + 2 * DAY_MS, () => false)
    clock.aheadMs = 0
    await clock.runUntil(NOW + 3 * DAY_MS, () => false)
    await end()
    expect(requested.length).toBeGreaterThan(60)
    expect(Math.max(...requested)).toBeLessThanOrEqual(NOW + 4 * DAY_MS)
    expect(requested.at(-1)!).toBeGreaterThan(NOW + 2.9 * DAY_MS)
  })
})
