import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingsFor } from '../../../test/support/published-items.ts'
import { rawState } from '../../../test/support/raw-state.ts'
import { virtualClock } from '../../../test/support/virtual-clock.ts'
import { DAY_MS, MINUTE_MS } from '../../model/index.ts'
import { createAlarms } from '../../runtime/alarms.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import { faultsOf } from '../../store/sqlite/backup/check.ts'
import { openSqliteStore } from '../../store/sqlite/index.ts'
import { createDatabaseCheck, dueIn } from './database-check.ts'

describe('looking through a database', () => {
  it('finds nothing in a whole one while it is used, and damage where there is some', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-check-'))
    const path = join(folder, 'headwater.db')
    const { store } = await openSqliteStore({ path, clock: systemClock })
    const settings = Array.from({ length: 300 }, (_, i) => settingsFor(`https://example.org/${i}/${'x'.repeat(300)}`))
    await store.addSources(settings, 0)
    expect(faultsOf(path)).toEqual([])
    await store.close()
    expect(faultsOf(path)).toEqual([])
    const bytes = readFileSync(path)
    for (let page = 20; page < bytes.length / 16_384; page++) bytes.fill(0xa5, page * 16_384, page * 16_384 + 4_000)
    writeFileSync(path, bytes)
    expect(faultsOf(path).length).toBeGreaterThan(0)
    writeFileSync(path, 'not a database at all '.repeat(5_000))
    expect(faultsOf(path)).toEqual([expect.stringMatching(/not a database/)])
    rmSync(path)
    expect(() => faultsOf(path)).toThrow()
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('the next check', () => {
  const verdict = (checkedAt: number, faults: readonly string[] = []) => ({ checkedAt, tookMs: 1, faults })
  it.each([
    ['first comes ten minutes after the start', null, 0, 0, 10 * MINUTE_MS],
    ['is not made again at each start', verdict(0), DAY_MS, DAY_MS, 6 * DAY_MS],
    ['that is due waits ten minutes after a start', verdict(0), 30 * DAY_MS, 30 * DAY_MS, 10 * MINUTE_MS],
    ['comes the day after damage was found', verdict(0, ['x']), 0, DAY_MS / 2, DAY_MS / 2],
    ['comes within a week, also where the clock was years ahead', verdict(900 * DAY_MS), 0, DAY_MS, 7 * DAY_MS],
    ['comes within ten minutes, also where the start was years ahead', null, 900 * DAY_MS, DAY_MS, 10 * MINUTE_MS],
  ])('%s', (_what, last, startedAt, now, expected) => {
    expect(dueIn(last, 7 * DAY_MS, startedAt, now)).toBe(expected)
  })

  it('never comes with 0', () => expect(dueIn(null, 0, 0, DAY_MS)).toBe(Number.POSITIVE_INFINITY))
})

describe('the verdict', () => {
  it('is told, outlasts a restart, raises an alarm and takes it back', async () => {
    const clock = virtualClock(1_000)
    const { store } = createMemoryStore({ clock })
    const alarms = createAlarms({ clock })
    let faults: readonly string[] = []
    let looks = 0
    const begin = () => {
      const stopping = new AbortController()
      const check = createDatabaseCheck({
        store,
        alarms,
        clock,
        everyMs: () => 7 * DAY_MS,
        look: async () => {
          looks++
          return faults
        },
      })
      const running = check.layer.run(stopping.signal, () => {})
      const stop = async () => {
        stopping.abort()
        await running
      }
      return { ...check, stop }
    }
    const codes = () => alarms.list().map(({ code }) => code)

    const first = begin()
    expect(first.verdict()).toBeNull()
    await clock.pass(10 * MINUTE_MS)
    expect(first.verdict()).toEqual({ checkedAt: 1_000 + 10 * MINUTE_MS, tookMs: 0, faults: [] })
    expect(codes()).toEqual([])
    faults = ['page 7 is never used']
    await clock.pass(7 * DAY_MS)
    expect([looks, codes()]).toEqual([2, ['DATABASE_DAMAGED']])
    await first.stop()

    alarms.clear('DATABASE_DAMAGED')
    const second = begin()
    await clock.pass(MINUTE_MS)
    expect([looks, codes(), second.verdict()?.faults]).toEqual([2, ['DATABASE_DAMAGED'], faults])
    faults = []
    await clock.pass(DAY_MS)
    expect([looks, codes()]).toEqual([3, []])
    await second.stop()
  })

  it('that the store refused to keep is kept at the next start of the layer, which is well then', async () => {
    const clock = virtualClock(1_000)
    const { store } = createMemoryStore({ clock })
    let isBroken = true
    const saveState: typeof store.saveState = async (state, value) => {
      if (isBroken) throw new Error('disk full')
      await store.saveState(state, value)
    }
    const { layer } = createDatabaseCheck({
      store: { ...store, saveState },
      alarms: createAlarms({ clock }),
      clock,
      everyMs: () => 7 * DAY_MS,
      look: async () => [],
    })
    const stopping = new AbortController()
    const failed = layer.run(stopping.signal, () => {}).catch((error: Error) => error.message)
    await clock.pass(10 * MINUTE_MS)
    expect(await failed).toBe('disk full')
    isBroken = false
    let successes = 0
    const running = layer.run(stopping.signal, () => void successes++)
    await clock.pass(MINUTE_MS)
    expect([successes, (await store.state(rawState('database-check'))) !== null]).toEqual([1, true])
    stopping.abort()
    await running
  })
})
