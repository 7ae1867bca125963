import { entryAt } from '../../src/model/entry-at.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'

/**
 * The time of a world: real time times a speed, plus jumps. `stated` is what a feed prints for a virtual moment: with
 * `real` dates an item carries the real moment at which it appeared, so that a crawler on the real clock finds dates
 * credible in a world that runs a thousand times as fast; with `virtual` dates it carries the virtual moment.
 */
export interface VirtualTime {
  /** When this process took the world up: counting begins here. */
  readonly beganAt: InstantMs
  now(): InstantMs
  advance(ms: DurationMs): void
  setSpeed(speed: number): void
  stated(virtualAt: InstantMs): InstantMs
}

export interface VirtualTimeOptions {
  readonly clock: Clock
  /** 0: time only moves by `advance`. */
  readonly speed: number
  /** Virtual moment at which the world begins. */
  readonly startAt: InstantMs
  /** Real moment at which it begins; give it again after a restart to go on where it would be. */
  readonly realStartAt: InstantMs
  readonly dates: 'real' | 'virtual'
}

/** A stretch of even speed, from its beginning to that of the next. */
interface Leg {
  readonly realAt: InstantMs
  readonly virtualAt: InstantMs
  readonly speed: number
}

export function virtualTime(options: VirtualTimeOptions): VirtualTime {
  const { clock } = options
  const first: Leg = { realAt: options.realStartAt, virtualAt: options.startAt, speed: options.speed }
  const legs = [first]
  const current = () => legs.at(-1)!
  const now = () => Math.floor(current().virtualAt + (clock.now() - current().realAt) * current().speed)
  return {
    beganAt: now(),
    now,
    advance(ms) {
      legs.push({ virtualAt: now() + ms, realAt: clock.now(), speed: current().speed })
    },
    setSpeed(speed) {
      legs.push({ virtualAt: now(), realAt: clock.now(), speed })
    },
    stated(virtualAt) {
      if (options.dates === 'virtual') return virtualAt
      // Before the beginning of a world that stands still, a virtual second is a real one.
      if (virtualAt <= first.virtualAt) return first.realAt - (first.virtualAt - virtualAt) / (first.speed || 1)
      return realMoment(legs, virtualAt)
    },
  }
}

function realMoment(legs: readonly Leg[], virtualAt: InstantMs): InstantMs {
  let index = legs.length - 1
  while (index > 0 && entryAt(legs, index).virtualAt > virtualAt) index--
  const leg = entryAt(legs, index)
  const real = leg.realAt + (leg.speed === 0 ? 0 : (virtualAt - leg.virtualAt) / leg.speed)
  // What a jump skipped appeared at the moment of the jump.
  return Math.floor(Math.min(real, legs[index + 1]?.realAt ?? Number.POSITIVE_INFINITY))
}
