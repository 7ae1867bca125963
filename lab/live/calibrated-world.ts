import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, type InstantMs, WEEK_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { type Trace, traceSpan } from '../worlds/trace.ts'

/** What a feed shows when it is first refreshed was published before the world begins. */
const BEFORE_MS = 2 * WEEK_MS
/** A Monday. */
const START: InstantMs = Date.UTC(2026, 0, 5)
const MONDAY_MS = 4 * DAY_MS

/**
 * Any number of feeds that publish as those of a trace: each takes one source and some whole weeks of it, moved to the
 * time of the world. Rates, hours, weekends and bursts are the real ones. Ids are those that a fresh store gives.
 */
export function calibratedWorld(
  trace: Trace,
  options: { readonly feeds: number; readonly days: number; readonly windowSize: number; readonly seed: number },
): SimWorld {
  const random = seededRandom(options.seed)
  const span = traceSpan(trace)
  const lengthMs = BEFORE_MS + options.days * DAY_MS
  // The week of the epoch began on a Thursday.
  const firstMonday = Math.ceil((span.fromMs - MONDAY_MS) / WEEK_MS) * WEEK_MS + MONDAY_MS
  const weeks = Math.max(1, Math.floor((span.toMs - firstMonday - lengthMs) / WEEK_MS) + 1)
  const sources = Array.from({ length: options.feeds }, (_, index) => {
    const { id, times } = entryAt(trace.sources, index % trace.sources.length)
    const fromMs = firstMonday + Math.floor(random() * weeks) * WEEK_MS
    const shiftMs = START - (fromMs + BEFORE_MS)
    const selected = times.filter((at) => at >= fromMs && at < fromMs + lengthMs)
    return simSource(
      index + 1,
      selected.map((at) => at + shiftMs),
      options.windowSize,
      { name: id },
    )
  })
  return { startMs: START, endMs: START + options.days * DAY_MS, sources }
}
