import { type Clock, systemClock } from '../../src/runtime/clock.ts'

/** Real time, so many times as fast: hours of a node's life in seconds, with everything that runs beside. */
export function fastClock(times: number): Clock {
  const start = systemClock.now()
  const startMs = systemClock.monotonicMs()
  const passedMs = () => (systemClock.monotonicMs() - startMs) * times
  return {
    now: () => Math.round(start + passedMs()),
    monotonicMs: passedMs,
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  }
}
