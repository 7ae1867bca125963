import type { InstantMs } from '../model/index.ts'
import type { Budget } from './strategy.ts'

/**
 * Moves the price of a request until spending meets the budget: μ ← μ·exp(k·(demand/target − 1)) (refresh-science §1),
 * where demand is what was spent plus what became worth its price but had to wait for the budget. The correction is
 * bounded per step, so that a burst of news or a long sleep cannot throw the price away.
 */
export interface PriceState {
  readonly price: number
  readonly since: InstantMs
  readonly spent: number
}

const GAIN = 0.2
const LARGEST_STEP = 0.1

export function startPrice(price: number, now: InstantMs): PriceState {
  return { price, since: now, spent: 0 }
}

export function recordSpending(state: PriceState, cost: number): PriceState {
  return { ...state, spent: state.spent + cost }
}

/** Adjusts once a period is over; before that returns the state as it is. */
export function adjustPrice(
  state: PriceState,
  budget: Budget,
  now: InstantMs,
  options: { readonly periodMs: number; readonly waiting: number },
): PriceState {
  const elapsedMs = now - state.since
  if (elapsedMs < 0) return { ...state, since: now, spent: 0 }
  if (elapsedMs < options.periodMs) return state
  const target = (elapsedMs * budget.requests) / budget.perMs
  const error = (state.spent + options.waiting) / target - 1
  const step = Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, GAIN * error))
  return { price: state.price * Math.exp(step), since: now, spent: 0 }
}
