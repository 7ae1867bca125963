import { HOUR_MS, type InstantMs } from '../../../model/index.ts'
import type { PushSignals } from '../../strategy.ts'
import type { HubSignals } from './hub-signals.ts'
import { waitAfterPushHours } from './signals.ts'

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
      return now + waitAfterPushHours(ratePerHour, (price * cost) / weight / hubs.precision(id)) * HOUR_MS
    },
    stretch: (id, waitMs) => hubs.stretch(id, waitMs),
    shift: (byMs) => hubs.shift(byMs),
  }
}
