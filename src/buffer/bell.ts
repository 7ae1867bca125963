import type { Clock } from '../runtime/clock.ts'

/** Wakes those who wait in this process; those in others look for themselves every now and then. */
export interface Bell {
  ring(): void
  /** Resolves at the next ring, after `timeoutMs`, or when the signal aborts. */
  wait(timeoutMs: number, signal?: AbortSignal): Promise<void>
}

export function createBell(clock: Clock): Bell {
  let listeners = new Set<() => void>()
  return {
    ring() {
      const called = listeners
      listeners = new Set()
      for (const listener of called) listener()
    },
    async wait(timeoutMs, signal) {
      if (signal?.aborted) return
      const over = new AbortController()
      const end = () => over.abort()
      listeners.add(end)
      signal?.addEventListener('abort', end, { once: true })
      try {
        await clock.sleep(timeoutMs, over.signal)
      } finally {
        listeners.delete(end)
        signal?.removeEventListener('abort', end)
      }
    },
  }
}
