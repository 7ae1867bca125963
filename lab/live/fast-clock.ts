import type { InstantMs } from '../../src/model/index.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'

/** Real time, some thousand times as fast, beginning at a moment of choice. */
export function fastClock(startAt: InstantMs, speed: number): Clock {
  const began = systemClock.monotonicMs()
  const now = () => Math.floor(startAt + (systemClock.monotonicMs() - began) * speed)
  return { now, monotonicMs: now, sleep: (ms, signal) => systemClock.sleep(ms / speed, signal) }
}
