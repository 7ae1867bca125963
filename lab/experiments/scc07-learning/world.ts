import { DAY_MS, type InstantMs } from '../../../src/model/index.ts'
import { type SimWorld, simSource } from '../../simulator/world.ts'
import type { Trace } from '../../worlds/trace.ts'
import { activeWithin, firstDays } from '../traces/days.ts'
import type { LearningConfig } from './config.ts'

export interface LearningWorld {
  readonly world: SimWorld
  readonly measureFromMs: InstantMs
}

// SCC07 archived every posting: nothing falls out of a window before it is learnt of.
const UNLIMITED = Number.MAX_SAFE_INTEGER

/** The first days of a trace, with the sources that publish in them. */
export function learningWorld(trace: Trace, { days, warmupDays }: LearningConfig): LearningWorld {
  const span = firstDays(trace, days)
  const sources = activeWithin(trace, span).map(({ id, times }, index) => {
    const within = times.filter((time) => time >= span.from && time < span.to)
    return simSource(index, within, UNLIMITED, { name: id })
  })
  return {
    world: { startMs: span.from, endMs: span.to, sources },
    measureFromMs: span.from + warmupDays * DAY_MS,
  }
}

/** Requests that may be spent in the measured time. */
export function requestsOf({ world, measureFromMs }: LearningWorld, perDay: number): number {
  return Math.round((perDay * world.sources.length * (world.endMs - measureFromMs)) / DAY_MS)
}
