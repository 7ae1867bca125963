import { entryAt } from '../../../src/model/entry-at.ts'
import { MINUTE_MS, type Observation } from '../../../src/model/index.ts'
import type { IntensityEstimator } from '../../../src/refresh/estimator.ts'
import type { Intensity } from '../../../src/refresh/intensity.ts'
import { CYCLES_PER_DAY, CYCLES_PER_HOUR, type NormalisedSource } from './normalised-source.ts'

const CYCLE_MS = 10 * MINUTE_MS

export interface OnlineRun<State> {
  readonly source: NormalisedSource
  /** Cycles at whose start the source is refreshed, ascending. */
  readonly refreshes: Uint32Array
  readonly estimator: IntensityEstimator<State>
  /** After each cycle: items published since the last refresh, as they are and as estimated. */
  readonly onCycle?: (cycle: number, real: number, estimated: number) => void
  /** At the end of each day, with the model as it stands. */
  readonly onDay?: (day: number, intensity: Intensity) => void
}

/**
 * Online estimation of one source (thesis 7.1.1): every refresh shows how much is new, the model learns, and until the
 * next one divergence is estimated with it. As in the thesis, the model starts at (nearly) zero and saturation is left
 * out. Cycles are 10 minutes, so that each lies within one hour slot.
 */
export function runOnline<State>(run: OnlineRun<State>): void {
  const { source, refreshes, estimator } = run
  let state = estimator.start({ ratePerHour: 0, at: 0 })
  let rates = hourlyRates(estimator.intensity(state))
  let real = 0
  let estimated = 0
  let previous = 0
  let next = 0
  for (let cycle = 0; cycle < source.length; cycle++) {
    if (refreshes[next] === cycle) {
      state = estimator.observe(state, observation(previous, cycle, real))
      rates = hourlyRates(estimator.intensity(state))
      real = 0
      estimated = 0
      previous = cycle
      next++
    }
    real += entryAt(source, cycle)
    estimated += entryAt(rates, Math.floor((cycle % CYCLES_PER_DAY) / CYCLES_PER_HOUR)) / CYCLES_PER_HOUR
    run.onCycle?.(cycle, real, estimated)
    if ((cycle + 1) % CYCLES_PER_DAY === 0) run.onDay?.((cycle + 1) / CYCLES_PER_DAY, estimator.intensity(state))
  }
}

/** Items per hour in each hour of the day, for constant and daily models. */
export function hourlyRates(intensity: Intensity): ArrayLike<number> {
  const rates = intensity.ratesPerHour
  return rates.length === 24 ? rates : new Array<number>(24).fill(entryAt(rates, 0))
}

function observation(fromCycle: number, toCycle: number, items: number): Observation {
  return {
    sourceId: 1,
    previousAt: fromCycle * CYCLE_MS,
    at: toCycle * CYCLE_MS,
    newItems: items,
    windowSize: null,
    overlap: 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: items === 0,
    bytes: 0,
    latencyMs: 0,
  }
}
