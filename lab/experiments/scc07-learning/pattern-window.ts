import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../../src/model/index.ts'
import { stepPattern } from '../../../src/refresh/strategies/scc07-pattern.ts'
import { EVERYDAY, type Plan, refinedPlan } from '../../../src/refresh/strategies/scc07-plan.ts'
import { SourceRun } from '../../simulator/source-run.ts'
import { Tally } from '../../simulator/tally.ts'
import { countPublishedBy, type SimSource } from '../../simulator/world.ts'
import type { LearningWorld } from './world.ts'

export interface PatternWindow {
  readonly weeks: number
  readonly meanDelayMinutes: number
  readonly requests: number
}

/**
 * Figure 11: each day every source is retrieved equally often, at the best moments (Theorem 3) of the pattern that its
 * last k weeks give, their days laid over each other hour by hour (4.3). 0 weeks: no pattern, evenly spaced.
 */
export function measurePatternWindow(learning: LearningWorld, perDay: number, weeks: number): PatternWindow {
  const { world, measureFromMs } = learning
  const tally = new Tally(measureFromMs, world.endMs)
  for (const source of world.sources) {
    const run = new SourceRun(source)
    // What was published before belongs to nobody's delay.
    run.refresh(measureFromMs - 1)
    for (let day = measureFromMs; day < world.endMs; day += DAY_MS) {
      for (const hour of planOf(source, day, weeks, perDay)) {
        const at = Math.round(day + hour * HOUR_MS)
        run.refresh(at)
        tally.refreshed(source, at, run.sight)
      }
    }
    tally.ended(source, run.sight.to, countPublishedBy(source.times, world.endMs, run.sight.to))
  }
  return { weeks, meanDelayMinutes: tally.meanDelayMs / MINUTE_MS, requests: tally.requests }
}

function planOf(source: SimSource, dayMs: InstantMs, weeks: number, perDay: number): Plan {
  const counts = weeks === 0 ? null : hourlyCounts(source.times, dayMs - 7 * weeks * DAY_MS, dayMs)
  if (counts === null || counts.every((count) => count === counts[0])) {
    return Array.from({ length: perDay }, (_, k) => ((k + 0.5) * 24) / perDay)
  }
  return refinedPlan(stepPattern({ periodMs: DAY_MS, ratesPerHour: counts }), perDay, EVERYDAY)
}

// As src/refresh/estimators/history.ts: one item more, spread over the day, keeps hours without any from being impossible.
const SPREAD_ITEMS = 1

function hourlyCounts(times: Float64Array, from: InstantMs, to: InstantMs): number[] {
  const counts = new Array<number>(24).fill(SPREAD_ITEMS / 24)
  const end = countPublishedBy(times, to - 1)
  for (let index = countPublishedBy(times, from - 1); index < end; index++) {
    const hour = Math.floor(entryAt(times, index) / HOUR_MS) % 24
    counts[hour] = entryAt(counts, hour) + 1
  }
  return counts
}
