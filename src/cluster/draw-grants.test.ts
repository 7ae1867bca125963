import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../test/support/virtual-clock.ts'
import { HOUR_MS, SECOND_MS } from '../model/index.ts'
import { drawGrants } from './draw-grants.ts'
import { GrantedAllowance } from './granted-allowance.ts'
import { GRANT_WINDOW_MS, type GrantStore } from './grants.ts'
import { MemoryGrants } from './memory/grants.ts'

const TERMS = { budget: { requests: 3_600, perMs: HOUR_MS }, factor: 1, burst: 100 }
const START = Date.UTC(2026, 0, 5)

function begin(change: (grants: MemoryGrants) => Pick<GrantStore, 'draw'> = (grants) => grants, waiting = 1) {
  const clock = virtualClock(START)
  const grants = new MemoryGrants(clock)
  grants.setTermsNow(TERMS)
  const { monotonicMs } = clock
  const allowance = new GrantedAllowance({ terms: TERMS, monotonicMs, waiting: () => waiting })
  const stop = new AbortController()
  let wakes = 0
  const wake = () => {
    wakes++
  }
  const layer = drawGrants({ memberId: 'a', grants: change(grants), allowance, clock, wake })
  const ended = layer.run(stop.signal, () => {})
  const stopped = async () => {
    stop.abort()
    await clock.pass(0)
    await ended
  }
  return { clock, grants, allowance, stopped, wakes: () => wakes, outstanding: () => grants.standingNow()?.outstanding }
}

describe('drawing grants beside the crawl', () => {
  it('draws when something cannot be paid for, and wakes the crawl', async () => {
    const { clock, allowance, stopped, wakes } = begin()
    await clock.pass(SECOND_MS)
    expect(allowance.affordableAt(1, clock.now())).toBe(Number.POSITIVE_INFINITY)
    expect(wakes()).toBe(0)
    await clock.pass(0)
    expect(wakes()).toBe(1)
    expect(allowance.affordableAt(1, clock.now())).toBe(clock.now())
    await stopped()
  })

  it('draws for what waits, and gives back what nobody needs within two seconds', async () => {
    const { clock, allowance, stopped, outstanding } = begin(undefined, 5)
    allowance.affordableAt(1, clock.now())
    await clock.pass(0)
    expect(outstanding()?.get('a')).toBe(5)
    allowance.spend(2, clock.now())
    await clock.pass(2 * SECOND_MS)
    expect(outstanding()?.get('a')).toBe(0)
    expect(allowance.saved(clock.now())).toBe(0)
    await stopped()
  })

  it('keeps a stock by what is spent, so that a fast crawl seldom waits', async () => {
    const { clock, allowance, stopped } = begin(undefined, 10)
    let waits = 0
    for (let tick = 0; tick < 200; tick++) {
      await clock.pass(100)
      if (allowance.affordableAt(1, clock.now()) <= clock.now()) allowance.spend(1, clock.now())
      else waits++
    }
    // A burst of 100 and one a second are there for it: ten times a second it pays for as long as these last.
    expect(waits).toBeLessThan(200 - 100)
    await stopped()
  })

  it('spends nothing more once whoever grants cannot be reached', async () => {
    let isCut = false
    const { clock, allowance, grants } = begin((grants) => ({
      draw: (memberId, request) => (isCut ? new Promise(() => {}) : grants.draw(memberId, request)),
    }))
    allowance.affordableAt(1, clock.now())
    await clock.pass(0)
    expect(allowance.saved(clock.now())).toBe(1)
    isCut = true
    // Up to its next request it goes on with what it has.
    await clock.pass(SECOND_MS / 2)
    expect(allowance.saved(clock.now())).toBe(1)
    allowance.spend(0.25, clock.now())
    await clock.pass(SECOND_MS)
    expect(allowance.saved(clock.now())).toBe(0.75)
    await clock.pass(GRANT_WINDOW_MS - 2 * SECOND_MS)
    expect(allowance.saved(clock.now())).toBe(0)
    await clock.pass(SECOND_MS)
    expect(grants.standingNow()).toMatchObject({ spent: 1 })
  })

  it('gives all back when it ends', async () => {
    const { clock, allowance, stopped, outstanding, grants } = begin(undefined, 5)
    allowance.affordableAt(1, clock.now())
    await clock.pass(0)
    await stopped()
    expect(outstanding()?.get('a')).toBe(0)
    expect(grants.standingNow()).toMatchObject({ balance: 100, spent: 0 })
    expect(allowance.saved(clock.now())).toBe(0)
  })
})
