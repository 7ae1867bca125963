import { describe, expect, it } from 'vitest'
import type { Notifier } from '../../src/buffer/notifier.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { virtualClock } from '../support/virtual-clock.ts'

export interface NotifierAdapter {
  readonly name: string
  /** Two ends of one: what is notified at either is seen at both, at once or within `delayMs`. */
  open(clock: Clock): Promise<{ readonly here: Notifier; readonly there: Notifier; end(): Promise<void> }>
  readonly delayMs: number
}

/** Every word of src/buffer/notifier.ts that can be tried. */
export function describeNotifier({ name, open, delayMs }: NotifierAdapter): void {
  const stage = async () => {
    const clock = virtualClock()
    const ends = await open(clock)
    const waits = (promise: Promise<void>) => {
      const seen = { isOver: false }
      void promise.then(() => {
        seen.isOver = true
      })
      return seen
    }
    return { clock, waits, ...ends }
  }

  describe(`notifier: ${name}`, () => {
    it('wakes all who wait on the channel, and nobody on another', async () => {
      const { clock, waits, here, there, end } = await stage()
      const waiting = [here, there].map((one) => waits(one.wait('entries', 1_000_000)))
      const others = [waits(here.wait('room', 1_000_000)), waits(there.wait('deliveries', 1_000_000))]
      await clock.pass(delayMs)
      here.notify('entries')
      await clock.pass(delayMs + 1)
      expect([...waiting, ...others].map(({ isOver }) => isOver)).toEqual([true, true, false, false])
      await end()
    })

    it('wakes once: who waits again waits for the next', async () => {
      const { clock, waits, here, end } = await stage()
      here.notify('room')
      await clock.pass(delayMs + 1)
      const again = waits(here.wait('room', 1_000_000))
      await clock.pass(delayMs + 1)
      expect(again.isOver).toBe(false)
      await end()
    })

    it('ends a wait after its time, or when the signal aborts', async () => {
      const { clock, waits, here, end } = await stage()
      const stop = new AbortController()
      const timed = waits(here.wait('queries', 500))
      const aborted = waits(here.wait('queries', 1_000_000, { signal: stop.signal }))
      await clock.pass(499)
      expect([timed.isOver, aborted.isOver]).toEqual([false, false])
      await clock.pass(1)
      stop.abort()
      await clock.pass(1)
      expect([timed.isOver, aborted.isOver]).toEqual([true, true])
      await here.wait('queries', 1_000_000, { signal: stop.signal })
      await end()
    })

    it('reports to a reader that has just looked what came meanwhile', async () => {
      const { clock, waits, here, there, end } = await stage()
      const after = here.count('deliveries')
      there.notify('deliveries')
      await clock.pass(delayMs + 1)
      await here.wait('deliveries', 1_000_000, { after })
      const next = waits(here.wait('deliveries', 1_000_000, { after: here.count('deliveries') }))
      await clock.pass(delayMs + 1)
      expect(next.isOver).toBe(false)
      await end()
    })
  })
}
