import { DAY_MS, MINUTE_MS } from '../../../src/model/index.ts'
import { history } from '../../../src/refresh/estimators/index.ts'
import { daily, scc07Allocation } from '../../../src/refresh/strategies/scc07.ts'
import { calibrate } from '../../compare/calibrate.ts'
import { runPriced } from '../../simulator/priced-run.ts'
import { Tally } from '../../simulator/tally.ts'
import { type LearningWorld, requestsOf } from './world.ts'

export interface RateWindow {
  readonly days: number
  readonly meanDelayMinutes: number
  readonly maxDelayMinutes: number
  readonly requests: number
  /** The price that met the budget: a good start for the next window. */
  readonly price: number
}

/**
 * Figure 8: "at the beginning of each day" the rate is the count of the last k days, and retrievals are shared out by its
 * root (Theorem 1), evenly spaced. One price for all days makes the total of requests equal.
 */
export function measureRateWindow(
  learning: LearningWorld,
  perDay: number,
  days: number,
  before: RateWindow | null,
): RateWindow {
  const { world, measureFromMs } = learning
  const strategy = scc07Allocation(daily(history({ days })))
  const tallies = new Map<number, Tally>()
  const requestsAt = (price: number) => {
    const tally = new Tally(measureFromMs, world.endMs)
    runPriced({ world, strategy, price, seed: 1 }, tally)
    tallies.set(price, tally)
    return tally.requests
  }
  const count = world.sources.length
  const first = before?.price ?? strategy.firstPrice(count, { requests: perDay * count, perMs: DAY_MS })
  const { knob } = calibrate(requestsAt, first, requestsOf(learning, perDay))
  const { meanDelayMs, maxDelayMs, requests } = tallies.get(knob)!
  return {
    days,
    meanDelayMinutes: meanDelayMs / MINUTE_MS,
    maxDelayMinutes: maxDelayMs / MINUTE_MS,
    requests,
    price: knob,
  }
}
