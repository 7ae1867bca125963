import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { LogInLimits } from '../../src/cluster/log-in-limits.ts'
import { type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'

const stranger = (address: string, account = 'owner') => ({ account, address, isKnown: false })
const known = (address: string) => ({ account: 'owner', address, isKnown: true })

export interface LogInAdapter {
  readonly name: string
  /** Of the property. */
  readonly cases: number
  open(): Promise<OpenedLogIns>
}

export interface OpenedLogIns {
  /** As two processes have them that serve the same accounts. */
  readonly replicas: readonly [LogInLimits, LogInLimits]
  pass(ms: DurationMs): Promise<void>
  end(): Promise<void>
}

/** How often a password may be tried, whichever replica is asked. */
export function describeLogIns(adapter: LogInAdapter): void {
  describe(`log-in limits in ${adapter.name}`, () => {
    const ends: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    const open = async () => {
      const { replicas, pass, end } = await adapter.open()
      ends.push(end)
      let calls = 0
      /** Now the one, now the other. */
      const any = () => replicas[calls++ % 2] ?? replicas[0]
      return { replicas, any, pass }
    }

    it('a place has five tries, then waits twice as long each time, up to 15 minutes', async () => {
      const { any, pass } = await open()
      const waits: number[] = []
      for (let round = 0; round < 18; round++) {
        const waitMs = await any().admit(stranger('a'))
        waits.push(waitMs)
        await pass(waitMs)
        if (waitMs > 0) expect(await any().admit(stranger('a'))).toBe(0)
      }
      expect(waits.slice(0, 9)).toEqual([0, 0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000])
      expect(Math.max(...waits)).toBe(15 * MINUTE_MS)
      await pass(HOUR_MS + 1)
      expect(await any().admit(stranger('a'))).toBe(0)
    })

    it('tries that run side by side see each other', async () => {
      const { any } = await open()
      const waits = await Promise.all(Array.from({ length: 40 }, () => any().admit(stranger('a'))))
      expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(5)
    })

    it('any number of strange addresses together guess at one account at most every ten seconds', async () => {
      const step = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 500 }))
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const { any, pass } = await open()
          let passedMs = 0
          let admitted = 0
          for (const [address, ms] of steps) {
            passedMs += ms
            await pass(ms)
            if ((await any().admit(stranger(`192.0.2.${address}`))) === 0) admitted += 1
          }
          await ends.pop()?.()
          expect(admitted).toBeLessThanOrEqual(20 + passedMs / (10 * SECOND_MS))
        }),
        { numRuns: adapter.cases },
      )
    })

    it('strangers who fail for ever never keep a known device or the machine waiting', async () => {
      const { any, pass } = await open()
      for (let round = 0; round < 60; round++) {
        await any().admit(stranger(`192.0.2.${round}`))
        await pass(50)
      }
      expect(await any().admit(stranger('198.51.100.1'))).toBeGreaterThan(0)
      expect(await any().admit(known('device x'))).toBe(0)
      expect(await any().admit(known('machine'))).toBe(0)
    })

    it('a known place is limited too, but waits 30 s at most', async () => {
      const { any, pass } = await open()
      let longest = 0
      for (let round = 0; round < 24; round++) {
        const waitMs = await any().admit(known('device x'))
        longest = Math.max(longest, waitMs)
        await pass(waitMs)
      }
      expect(longest).toBe(30 * SECOND_MS)
    })

    it('a right password clears the place, and gives its try back; one that nobody checked counts for nothing', async () => {
      const { any, pass } = await open()
      for (let round = 0; round < 50; round++) {
        expect(await any().admit(stranger('a'))).toBe(0)
        if (round % 2 === 0) await any().succeeded(stranger('a'))
        else await any().withdraw(stranger('a'))
        await pass(1)
      }
    })

    it('capitals make no other account, and other accounts are not concerned', async () => {
      const { any } = await open()
      for (let round = 0; round < 5; round++) await any().admit(stranger('a', 'owner'))
      expect(await any().admit(stranger('a', ' OWNER'))).toBeGreaterThan(0)
      expect(await any().admit(stranger('a', 'ann'))).toBe(0)
    })

    it('requests of one client are counted until their minute is over', async () => {
      const { any, pass } = await open()
      const ask = async (key: string) => (await any().countRequest({ key, max: 3, windowMs: MINUTE_MS })).count > 3
      const asked: boolean[] = []
      for (let round = 0; round < 6; round++) asked.push(await ask('a'))
      expect(asked).toEqual([false, false, false, true, true, true])
      expect(await ask('b')).toBe(false)
      await pass(MINUTE_MS - 1_000)
      const { endsInMs } = await any().countRequest({ key: 'a', max: 3, windowMs: MINUTE_MS })
      expect(endsInMs).toBeGreaterThan(0)
      expect(endsInMs).toBeLessThanOrEqual(1_000)
      await pass(1_000)
      expect(await ask('a')).toBe(false)
    })
  })
}
