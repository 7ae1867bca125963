import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, type Random } from '../../src/model/index.ts'
import type { IntensityEstimator } from '../../src/refresh/estimator.ts'
import { seededRandom } from '../../src/runtime/random.ts'

export interface PredictiveScore {
  /** Mean Poisson log-likelihood per item, up to a constant that is the same for all estimators: higher is better. */
  readonly natsPerItem: number
  /** Mean |items that came − items expected| per refresh. */
  readonly absoluteError: number
}

export interface PredictiveOptions {
  readonly meanIntervalMs: DurationMs
  readonly windowSize: number
  /** What is predicted within this time of a source's first item does not count. */
  readonly learnMs: DurationMs
}

export const USUAL: PredictiveOptions = { meanIntervalMs: 6 * HOUR_MS, windowSize: 20, learnMs: 14 * DAY_MS }

// An estimator that says "never" would lose everything at once to one item.
const LEAST_EXPECTED = 1e-3

/**
 * How well an estimator foretells real sources: each is refreshed at random intervals, and before each refresh the
 * estimator has said how many items to expect. Windows overflow as they would; item dates are known.
 */
export function predictiveScore<State>(
  sources: readonly { readonly times: Float64Array }[],
  estimator: IntensityEstimator<State>,
  options: PredictiveOptions = USUAL,
): PredictiveScore {
  const sum = { likelihood: 0, error: 0, refreshes: 0, items: 0 }
  sources.forEach(({ times }, index) => {
    if (times.length < 2) return
    followSource(times, estimator, options, seededRandom(index + 1), (items, foretold) => {
      const expected = Math.max(LEAST_EXPECTED, foretold)
      sum.likelihood += items * Math.log(expected) - expected
      sum.error += Math.abs(items - foretold)
      sum.refreshes++
      sum.items += items
    })
  })
  return { natsPerItem: sum.likelihood / sum.items, absoluteError: sum.error / sum.refreshes }
}

function followSource<State>(
  times: Float64Array,
  estimator: IntensityEstimator<State>,
  options: PredictiveOptions,
  random: Random,
  judge: (items: number, expected: number) => void,
): void {
  const start = times[0] ?? 0
  const end = times[times.length - 1] ?? 0
  let state = estimator.start({ ratePerHour: 0.2, at: start })
  let known = 0
  for (let previousAt: InstantMs = start; previousAt < end; ) {
    const at = previousAt + Math.max(1000, Math.floor(options.meanIntervalMs * (0.05 + 1.9 * random())))
    let until = known
    while (until < times.length && (times[until] ?? 0) <= at) until++
    const items = until - known
    if (previousAt - start > options.learnMs) judge(items, estimator.expected(state, previousAt, at))
    const fetched = Math.min(items, options.windowSize)
    state = estimator.observe(state, {
      sourceId: 1,
      previousAt,
      at,
      newItems: fetched,
      windowSize: options.windowSize,
      overlap: items >= options.windowSize ? 'none' : 'some',
      lostAtLeast: 0,
      itemTimes: Array.from(times.subarray(until - fetched, until)),
      notModified: items === 0,
      bytes: 0,
      latencyMs: 0,
    })
    previousAt = at
    known = until
  }
}
