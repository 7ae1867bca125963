import type { DurationMs } from '../model/index.ts'
import type { Clock } from './clock.ts'

export interface PeriodicWork {
  readonly clock: Pick<Clock, 'sleep' | 'monotonicMs'>
  readonly everyMs: DurationMs
  readonly action: () => Promise<void>
  /** Once more when the node stops; usually so. */
  readonly alsoAtEnd?: boolean
}

export type RepeatedRun = (signal: AbortSignal, succeeded?: () => void) => Promise<void>

/** Does something now and then until the signal aborts. Run again after it failed, it is due at once. */
export function repeat({ clock, everyMs, action, alsoAtEnd = true }: PeriodicWork): RepeatedRun {
  let dueAtMs: number | null = null
  return async (signal, succeeded = () => {}) => {
    dueAtMs ??= clock.monotonicMs() + everyMs
    while (!signal.aborted) {
      await clock.sleep(Math.max(0, dueAtMs - clock.monotonicMs()), signal)
      if (signal.aborted && !alsoAtEnd) return
      await action()
      dueAtMs = clock.monotonicMs() + everyMs
      succeeded()
    }
  }
}
