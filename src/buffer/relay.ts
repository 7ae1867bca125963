import type { DurationMs } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Notifier, NotifierChannel } from './notifier.ts'

export interface RelayOptions {
  /** Of this process. */
  readonly local: Notifier
  readonly clock: Pick<Clock, 'sleep' | 'monotonicMs'>
  /** From one message to the next, at least. */
  readonly everyMs: DurationMs
  /** Tells the other processes, once about each of these; where that fails, they look for themselves. */
  readonly send: (channels: readonly NotifierChannel[]) => Promise<void>
}

export interface Relay extends Notifier {
  /** What another process has sent. */
  receive(channels: readonly NotifierChannel[]): void
  /** Sends what waits, and ends. */
  close(): Promise<void>
}

/** A notifier that other processes hear as well: those who wait here are woken at once, the others by few messages. */
export function createRelay({ local, clock, everyMs, send }: RelayOptions): Relay {
  const waiting = new Set<NotifierChannel>()
  const ending = new AbortController()
  let nextAtMs = Number.NEGATIVE_INFINITY
  let work: Promise<void> | null = null
  const sendAll = async () => {
    while (waiting.size > 0) {
      // Also where none was sent for long: what is notified in this turn of the loop goes along.
      await clock.sleep(Math.max(0, nextAtMs - clock.monotonicMs()), ending.signal)
      nextAtMs = clock.monotonicMs() + everyMs
      const channels = [...waiting]
      waiting.clear()
      await send(channels).catch(() => {})
    }
    work = null
  }
  return {
    notify(channel) {
      local.notify(channel)
      waiting.add(channel)
      work ??= sendAll()
    },
    count: local.count,
    wait: local.wait,
    receive(channels) {
      for (const channel of channels) local.notify(channel)
    },
    async close() {
      ending.abort()
      await work
    },
  }
}
