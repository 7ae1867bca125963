import { describe, expect, it } from 'vitest'
import type { Clock } from '../../runtime/clock.ts'
import { waitForHop } from './hop.ts'
import { createHostLimits } from './host-limits.ts'

/** Time that passes only by sleeping. */
function sleepingClock(): Clock {
  let now = 0
  return {
    now: () => now,
    monotonicMs: () => now,
    sleep: async (ms) => {
      now += ms
    },
  }
}

describe('a turn at the host that a redirect leads to', () => {
  const { signal } = new AbortController()

  it('comes within the spacing, though a thousand sources wait there', async () => {
    const clock = sleepingClock()
    const limits = createHostLimits({ spacingMs: 1_000 })
    limits.admit('a', 0)
    for (let i = 0; i < 1_000; i++) limits.admit('a', 0)
    expect(await waitForHop(limits, clock, 'a', signal)).toBe(true)
    expect(clock.now()).toBe(1_000)
  })

  it('is not waited for at a host that rests', async () => {
    const limits = createHostLimits()
    limits.rest('a', 3_600_000)
    await expect(waitForHop(limits, sleepingClock(), 'a', signal)).rejects.toMatchObject({ code: 'FETCH_HOST_BUSY' })
  })

  it('is not waited for when everything is aborted', async () => {
    const limits = createHostLimits()
    expect(await waitForHop(limits, sleepingClock(), 'a', AbortSignal.abort())).toBe(false)
    expect(limits.admit('a', 0)).toEqual({ go: true })
  })
})
