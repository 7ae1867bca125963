import type { DurationMs } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'

/** What somebody may wait for. */
export const NOTIFIER_CHANNELS = [
  /** The item buffer has new entries. */
  'entries',
  /** The item buffer may have room again. */
  'room',
  /** Query feeds have new publications, which may have to be delivered. */
  'deliveries',
  /** Query feeds were made, altered or dropped. */
  'queries',
  /** Hubs say that sources have something new. */
  'requests',
  /** An API has told the others something. */
  'events',
] as const
export type NotifierChannel = (typeof NOTIFIER_CHANNELS)[number]

/**
 * Wakes those who wait. A notification may be lost, above all one from another process: who waits looks for itself every now
 * and then, and nothing but time depends on a notification.
 */
export interface Notifier {
  notify(channel: NotifierChannel): void
  /** Notifications seen so far. Read it before looking: `wait` then knows what came meanwhile. */
  count(channel: NotifierChannel): number
  /** Resolves at the next notification, after `timeoutMs`, or when the signal aborts. */
  wait(channel: NotifierChannel, timeoutMs: DurationMs, options?: WaitOptions): Promise<void>
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  /** A `count`: resolves at once if there was a notification since. */
  readonly after?: number
}

interface Listening {
  count: number
  listeners: Set<() => void>
}

/** Among those who share it in one process, nothing is lost. */
export function createNotifier(clock: Clock): Notifier {
  const channels = new Map<NotifierChannel, Listening>()
  const listening = (channel: NotifierChannel): Listening => {
    const known = channels.get(channel)
    if (known !== undefined) return known
    const first = { count: 0, listeners: new Set<() => void>() }
    channels.set(channel, first)
    return first
  }
  return {
    notify(channel) {
      const of = listening(channel)
      const { listeners } = of
      of.count++
      of.listeners = new Set()
      for (const listener of listeners) listener()
    },
    count: (channel) => listening(channel).count,
    async wait(channel, timeoutMs, { signal, after } = {}) {
      const of = listening(channel)
      if (signal?.aborted || (after !== undefined && of.count !== after)) return
      const over = new AbortController()
      const end = () => over.abort()
      of.listeners.add(end)
      signal?.addEventListener('abort', end, { once: true })
      try {
        await clock.sleep(timeoutMs, over.signal)
      } finally {
        of.listeners.delete(end)
        signal?.removeEventListener('abort', end)
      }
    },
  }
}
