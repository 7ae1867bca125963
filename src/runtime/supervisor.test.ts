import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../test/support/virtual-clock.ts'
import { createAlarms } from './alarms.ts'
import { HeadwaterError } from './errors.ts'
import { createSupervisor, LONGEST_PAUSE_MS, pauseAfter } from './supervisor.ts'

const MINUTE = 60_000

function stage(options: { readonly isFatal?: (error: unknown) => boolean } = {}) {
  const clock = virtualClock(1_000_000)
  const alarms = createAlarms({ clock })
  const logged: { level: string; err?: unknown; layer?: string }[] = []
  const log = (level: string) => (fields: object) => void logged.push({ level, ...fields })
  const logger = { error: log('error'), warn: log('warn'), info: log('info') } as never
  const supervisor = createSupervisor({ clock, random: () => 0.5, logger, alarms, ...options })
  const stopping = new AbortController()
  return { clock, alarms, logged, supervisor, stopping, signal: stopping.signal }
}

describe('a supervisor', () => {
  it('starts a failing layer again after pauses that double up to a bound', async () => {
    const { clock, supervisor, signal, stopping } = stage()
    const startedAt: number[] = []
    const run = async () => {
      startedAt.push(clock.now())
      throw new Error('no')
    }
    const running = supervisor.run({ name: 'a', run }, signal)
    await clock.pass(20 * MINUTE)
    const pauses = startedAt.slice(1).map((at, index) => at - startedAt[index]!)
    expect(pauses.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000])
    expect(Math.max(...pauses)).toBe(LONGEST_PAUSE_MS)
    stopping.abort()
    await running
  })

  it('spreads pauses over a quarter to either side', () => {
    for (const failures of [1, 2, 5, 50]) {
      const middle = pauseAfter(failures, () => 0.5)
      expect(pauseAfter(failures, () => 0)).toBe(middle * 0.75)
      expect(pauseAfter(failures, () => 1)).toBe(middle * 1.25)
    }
  })

  it('takes a layer for healthy after its time, and then begins with the first pause again', async () => {
    const { clock, alarms, supervisor, signal, stopping } = stage()
    const startedAt: number[] = []
    let livesMs = 0
    const run = async (end: AbortSignal) => {
      startedAt.push(clock.now())
      await clock.sleep(livesMs, end)
      throw new Error('no')
    }
    const running = supervisor.run({ name: 'a', run, healthyAfterMs: 5 * MINUTE }, signal)
    await clock.pass(MINUTE)
    livesMs = 10 * MINUTE
    await clock.pass(3 * MINUTE)
    expect(supervisor.layers()).toMatchObject([{ state: 'failing', retryAt: null }])
    await clock.pass(4 * MINUTE)
    expect(supervisor.layers()).toMatchObject([{ state: 'running' }])
    expect(alarms.list()).toEqual([])
    await clock.pass(10 * MINUTE)
    expect(startedAt.at(-1)! - startedAt.at(-2)!).toBe(livesMs + 1_000)
    stopping.abort()
    await running
  })

  it('reports which layers fail, why, and logs each failure with its cause', async () => {
    const { clock, alarms, logged, supervisor, signal, stopping } = stage()
    const cause = new HeadwaterError('STORE_FAILED', 'full')
    const bad = supervisor.run({ name: 'bad', run: () => Promise.reject(cause) }, signal)
    const good = supervisor.run({ name: 'good', run: (end) => clock.sleep(1e9, end) }, signal)
    await clock.pass(1)
    expect(supervisor.layers()).toMatchObject([
      { name: 'bad', state: 'failing', failures: 1, lastFailure: { code: 'STORE_FAILED' }, retryAt: 1_001_000 },
      { name: 'good', state: 'running', failures: 0, lastFailure: null },
    ])
    expect(alarms.list()).toMatchObject([{ code: 'LAYER_FAILING', detail: expect.stringContaining('bad: ') }])
    expect(logged).toMatchObject([{ level: 'error', err: cause, layer: 'bad' }])
    stopping.abort()
    await Promise.all([bad, good])
    expect(supervisor.layers().map(({ state }) => state)).toEqual(['ended', 'ended'])
    expect(alarms.list()).toEqual([])
  })

  it('lets a layer end that has nothing more to do', async () => {
    const { supervisor, signal } = stage()
    let starts = 0
    await supervisor.run({ name: 'a', run: async () => void starts++ }, signal)
    expect(starts).toBe(1)
    expect(supervisor.layers()).toMatchObject([{ state: 'ended' }])
  })

  it('rejects with what no restart can repair, and with nothing else', async () => {
    const { clock, supervisor, signal } = stage({ isFatal: (error) => (error as Error).message === 'lost' })
    const errors = ['once', 'twice', 'lost']
    const ended = supervisor.run({ name: 'a', run: () => Promise.reject(new Error(errors.shift())) }, signal)
    const rejection = expect(ended).rejects.toThrow('lost')
    await clock.pass(MINUTE)
    await rejection
    expect(errors).toEqual([])
  })

  it('catches what a layer throws before it returns a promise', async () => {
    const { clock, supervisor, signal, stopping } = stage()
    const run = () => {
      throw new Error('at once')
    }
    const running = supervisor.run({ name: 'a', run }, signal)
    await clock.pass(10)
    expect(supervisor.layers()).toMatchObject([{ state: 'failing', lastFailure: { message: 'at once' } }])
    stopping.abort()
    await running
  })
})
