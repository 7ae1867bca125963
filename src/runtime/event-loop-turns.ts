import type { DurationMs } from '../model/index.ts'

/*
 * One event loop serves everybody, and SQLite works in it. Promises that are ready at once never let go of it: a chain of
 * short steps, such as a walk through the archive, can hold it for seconds. Work that runs step by step asks before each
 * step whether this turn of the loop has lasted long, and if so continues in a later one. Waiting work is resumed one by
 * one, a turn each, in the order in which they came: nobody waits for ever, and what comes from outside gets in between.
 */

const LONG_MS: DurationMs = 10

export interface EventLoopTurns {
  /** Resolves in a later turn where this one has lasted long; undefined: there is no need to wait. */
  giveWay(): Promise<void> | undefined
}

export function createTurns(
  monotonicMs: () => DurationMs = () => performance.now(),
  later: (next: () => void) => void = setImmediate,
): EventLoopTurns {
  const waiting: (() => void)[] = []
  /** Of the first step in this turn; null: none was made yet. */
  let beganAtMs: DurationMs | null = null

  const begin = (now: DurationMs) => {
    beganAtMs = now
    later(end)
  }
  const end = () => {
    beganAtMs = null
    const first = waiting.shift()
    if (first === undefined) return
    begin(monotonicMs())
    first()
  }
  return {
    giveWay() {
      const now = monotonicMs()
      if (beganAtMs === null) begin(now)
      else if (now - beganAtMs >= LONG_MS) return new Promise((resolve) => waiting.push(resolve))
      return undefined
    },
  }
}

/** Of this thread: there is one loop. */
export const { giveWay } = createTurns()
