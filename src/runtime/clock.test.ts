import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { systemClock } from './clock.ts'

describe('sleeping', () => {
  it('lasts as long as asked', async () => {
    const start = systemClock.monotonicMs()
    await systemClock.sleep(30)
    expect(systemClock.monotonicMs() - start).toBeGreaterThan(25)
  })

  it('ends at once when the signal aborts, before or meanwhile, and leaves no listener behind', async () => {
    const controller = new AbortController()
    const asleep = systemClock.sleep(1e12, controller.signal)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort()
    await asleep
    await systemClock.sleep(1e12, controller.signal)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  it('takes no time for nothing or less', async () => {
    await systemClock.sleep(0)
    await systemClock.sleep(-5)
    expect(systemClock.now()).toBeGreaterThan(Date.UTC(2020, 0, 1))
  })
})
