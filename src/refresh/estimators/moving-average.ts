import { HOUR_MS, type InstantMs } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { type ObservedInterval, observedInterval, saneRate } from './interval.ts'

export interface MovingAverageState {
  readonly v: 1
  /** Predicted time between two items. */
  readonly gapHours: number
  /** Newest item known, or the end of the first refresh. */
  readonly lastItemAt: InstantMs | null
}

const LONGEST_GAP_HOURS = 10 * 365 * 24
const SHORTEST_GAP_HOURS = 1e-6

/**
 * Simple moving average of update intervals, as thesis 5.3.1 describes it from [URM+11]: the gap to come is the plain
 * mean of the gaps between the items that the last refresh brought; where it brought none, the gap grows. By how much is
 * left open: here to the silence already seen, the least it can be, so that no factor depends on how often one polls.
 * Without dates the items are taken as evenly spread.
 */
export function movingAverage(options: { readonly id?: string } = {}): IntensityEstimator<MovingAverageState> {
  return intensityEstimator<MovingAverageState>({
    id: options.id ?? 'moving-average',
    start: (prior) => ({ v: 1, gapHours: withinGaps(1 / saneRate(prior.ratePerHour)), lastItemAt: null }),
    observe(state, observation) {
      const interval = observedInterval(observation)
      if (interval === null) return state
      const since = Math.min(state.lastItemAt ?? interval.from, interval.to)
      if (interval.items === 0) {
        const silence = (interval.to - since) / HOUR_MS
        return { v: 1, gapHours: withinGaps(Math.max(state.gapHours, silence)), lastItemAt: since }
      }
      const newest = interval.times.at(-1) ?? interval.to
      return { v: 1, gapHours: withinGaps(meanGapHours(interval, since)), lastItemAt: newest }
    },
    intensity: (state) => constantIntensity(1 / state.gapHours),
  })
}

function meanGapHours(interval: ObservedInterval, lastItemAt: InstantMs): number {
  const { times } = interval
  if (times.length === 0) return interval.hours / interval.items
  // After an overflow the gap to the item before the oldest one seen is unknown.
  if (interval.saturated) {
    return times.length > 1
      ? (times.at(-1)! - times[0]!) / (times.length - 1) / HOUR_MS
      : interval.hours / interval.items
  }
  return (times.at(-1)! - Math.min(lastItemAt, times[0]!)) / times.length / HOUR_MS
}

function withinGaps(hours: number): number {
  return Math.min(LONGEST_GAP_HOURS, Math.max(SHORTEST_GAP_HOURS, hours))
}
