import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { LogInLimits } from './log-in-limits.ts'

const stranger = (address: string, account = 'owner') => ({ account, address, isKnown: false })
const known = (address: string) => ({ account: 'owner', address, isKnown: true })

describe('how often a password may be tried', () => {
  it('a place has five tries, then waits twice as long each time, up to 15 minutes', () => {
    const limits = new LogInLimits()
    let now = 0
    const waits: number[] = []
    for (let round = 0; round < 18; round++) {
      const waitMs = limits.admit(stranger('a'), now)
      waits.push(waitMs)
      now += waitMs
      if (waitMs > 0) expect(limits.admit(stranger('a'), now)).toBe(0)
    }
    expect(waits.slice(0, 9)).toEqual([0, 0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000])
    expect(Math.max(...waits)).toBe(15 * MINUTE_MS)
    expect(limits.admit(stranger('a'), now + HOUR_MS + 1)).toBe(0)
  })

  it('tries that run side by side see each other', () => {
    const limits = new LogInLimits()
    const admitted = Array.from({ length: 100 }, () => limits.admit(stranger('a'), 0)).filter((waitMs) => waitMs === 0)
    expect(admitted).toHaveLength(5)
  })

  it('any number of strange addresses together guess at one account at most every ten seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 500 }))), (steps) => {
        const limits = new LogInLimits()
        let now = 0
        let admitted = 0
        for (const [address, passedMs] of steps) {
          now += passedMs
          if (limits.admit(stranger(`192.0.2.${address}`), now) === 0) admitted += 1
        }
        expect(admitted).toBeLessThanOrEqual(20 + now / (10 * SECOND_MS))
      }),
    )
  })

  it('strangers who fail for ever never keep a known device or the machine waiting', () => {
    const limits = new LogInLimits()
    let now = 0
    for (let round = 0; round < 5_000; round++, now += 100) limits.admit(stranger(`192.0.2.${round % 250}`), now)
    now -= 50
    expect(limits.admit(stranger('198.51.100.1'), now)).toBeGreaterThan(0)
    expect(limits.admit(known('device x'), now)).toBe(0)
    expect(limits.admit(known('machine'), now)).toBe(0)
  })

  it('a known place is limited too, but waits 30 s at most', () => {
    const limits = new LogInLimits()
    let now = 0
    let longest = 0
    for (let round = 0; round < 40; round++) {
      const waitMs = limits.admit(known('device x'), now)
      longest = Math.max(longest, waitMs)
      now += waitMs
    }
    expect(longest).toBe(30 * SECOND_MS)
  })

  it('a right password clears the place, and gives its try back; one that nobody checked counts for nothing', () => {
    const limits = new LogInLimits()
    for (let round = 0; round < 100; round++) {
      expect(limits.admit(stranger('a'), round)).toBe(0)
      if (round % 2 === 0) limits.succeeded(stranger('a'), round)
      else limits.withdraw(stranger('a'), round)
    }
  })

  it('capitals make no other account, and other accounts are not concerned', () => {
    const limits = new LogInLimits()
    for (let round = 0; round < 5; round++) limits.admit(stranger('a', 'owner'), 0)
    expect(limits.admit(stranger('a', ' OWNER'), 0)).toBeGreaterThan(0)
    expect(limits.admit(stranger('a', 'ann'), 0)).toBe(0)
  })

  it('forgets the oldest, however many names and places are tried', () => {
    const limits = new LogInLimits()
    for (let round = 0; round < 60_000; round++) limits.admit(stranger(`p${round}`, `a${round}`), round)
    expect(limits.entries).toBeLessThanOrEqual(40_000)
  })
})
