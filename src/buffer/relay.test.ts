import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../test/support/virtual-clock.ts'
import { createNotifier, type NotifierChannel } from './notifier.ts'
import { createRelay } from './relay.ts'

function stage(send: (channels: readonly NotifierChannel[]) => Promise<void> = async () => {}) {
  const clock = virtualClock()
  const sent: string[] = []
  const relay = createRelay({
    local: createNotifier(clock),
    clock,
    everyMs: 100,
    async send(channels) {
      sent.push(`${clock.monotonicMs()} ${channels.join(' ')}`)
      await send(channels)
    },
  })
  return { clock, sent, relay }
}

describe('a notifier that other processes hear', () => {
  it('sends what is notified together as one message, and the first at once', async () => {
    const { clock, sent, relay } = stage()
    relay.notify('entries')
    relay.notify('room')
    relay.notify('entries')
    await clock.pass(1)
    expect(sent).toEqual(['0 entries room'])
  })

  it('sends ten times a second at most, and the last is never left out', async () => {
    const { clock, sent, relay } = stage()
    for (let ms = 0; ms < 1_000; ms++) {
      relay.notify('entries')
      await clock.pass(1)
    }
    // At 0, 100, …, 1000 ms.
    expect(sent.length).toBe(11)
    relay.notify('queries')
    await clock.pass(200)
    expect(sent.at(-1)).toContain('queries')
    expect(sent.length).toBeLessThanOrEqual(13)
  })

  it('wakes those who wait here although nothing can be sent, and goes on sending', async () => {
    const { clock, sent, relay } = stage(() => Promise.reject(new Error('no connection')))
    for (const channel of ['entries', 'room'] as const) {
      const after = relay.count(channel)
      relay.notify(channel)
      await relay.wait(channel, 1_000_000, { after })
      await clock.pass(150)
    }
    expect(sent.map((text) => text.split(' ')[1])).toEqual(['entries', 'room'])
  })

  it('sends what waits when it is closed', async () => {
    const { clock, sent, relay } = stage()
    relay.notify('entries')
    await clock.pass(1)
    relay.notify('room')
    await relay.close()
    expect(sent).toEqual(['0 entries', '1 room'])
  })
})
