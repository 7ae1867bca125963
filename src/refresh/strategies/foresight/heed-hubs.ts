import { HOUR_MS, type InstantMs, WEEK_MS } from '../../../model/index.ts'
import type { PushSignals } from '../../strategy.ts'
import type { HubSignals } from './hub-signals.ts'
import { precisionAt, waitAfterPushHours } from './signals.ts'

/** Hubs as the scheduler hears of them. `expected`: what is believed of a source between two moments. */
export function heedHubs<Memory>(
  hubs: HubSignals,
  expected: (memory: Memory, from: InstantMs, to: InstantMs) => number,
): PushSignals<Memory> {
  return {
    observe: (observation) => hubs.observed(observation),
    pushed: (id, now) => hubs.pushed(id, now),
    after(memory, { id, cost, weight }, price, now) {
      const ratePerHour = expected(memory, now, now + HOUR_MS)
      const usualPerHour = (expected(memory, now, now + WEEK_MS) * HOUR_MS) / WEEK_MS
      const isTrueWith = precisionAt(hubs.precision(id), ratePerHour, usualPerHour)
      return now + waitAfterPushHours(ratePerHour, (price * cost) / weight, isTrueWith) * HOUR_MS
    },
    stretch: (id, waitMs) => hubs.stretch(id, waitMs),
    shift: (byMs) => hubs.shift(byMs),
  }
}
