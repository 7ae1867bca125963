import { type DurationMs, MINUTE_MS, SECOND_MS } from '../model/index.ts'
import type { Budget } from './strategy.ts'

/** The price stays for this part of the mean time between two refreshes of a source, within limits. */
const PERIODS_PER_ROUND = 30
const SHORTEST_PERIOD_MS = 5 * SECOND_MS
const LONGEST_PERIOD_MS = MINUTE_MS
/** In which at least so many requests are made, so that there is something to count. */
const LEAST_REQUESTS = 2
/**
 * How many requests' worth of sources should be waiting for the budget, as a share of a period. With 0.3 the worst hours of
 * 2,000 feeds fell to 86 % of the budget when the day's activity went down; with 1 to 99 %, at the same delay.
 */
const WAITING_SHARE = 1
/** And at least so many, unless there are hardly any sources: with fewer, chance leaves the budget idle now and then. */
const LEAST_WAITING = 10
/** Bounds one step, so that a burst of news or a long sleep cannot throw the price away. */
const LARGEST_STEP = 0.1
const LARGEST_RISE = 0.5

export function pricePeriodMs(budget: Budget, sources: number): DurationMs {
  const unitMs = budget.perMs / budget.requests
  const roundMs = unitMs * sources
  const periodMs = Math.min(LONGEST_PERIOD_MS, Math.max(SHORTEST_PERIOD_MS, roundMs / PERIODS_PER_ROUND))
  return Math.round(Math.max(periodMs, LEAST_REQUESTS * unitMs))
}

export interface PeriodSpending {
  /** In the period that ends. */
  readonly spent: number
  /** What the budget allowed in it. */
  readonly target: number
  /** Due sources that wait for the budget. */
  readonly waiting: number
  readonly sources: number
}

/**
 * Moves the price of a request so that there is always a little more to do than the budget pays for: the token bucket then
 * spends all of it and never more, hour by hour, whatever the hour. A price fallen by the share x makes about n·x/2 of n
 * sources due at once where intervals go with its root (2Steps, SCC07), n·x where they go with it; so half of what would
 * close the gap under the root rule is right for the first and stable for the second. In the long run the same rule
 * integrates: spending below the budget empties the queue, and the price falls until it does not.
 */
export function nextPrice(price: number, { spent, target, waiting, sources }: PeriodSpending): number {
  const waitingTarget = Math.max(WAITING_SHARE * target, Math.min(LEAST_WAITING, sources / 20))
  const missing = waitingTarget - waiting + Math.max(0, target - spent)
  const change = -missing / Math.max(1, sources)
  // Far more waits than could be done for a long time: sources were added, or the price was held down by idleness.
  const rise = waiting > 10 * target && waiting > sources / 10 ? LARGEST_RISE : LARGEST_STEP
  return price * Math.exp(Math.min(rise, Math.max(-LARGEST_STEP, change)))
}

/** Spent on average, as a share of the budget: what is missing is room for the bunches in which timetables come due. */
const LEVEL_SHARE = 0.98
/** The level counts up to this share of a round, so that hours without work are soon forgotten. */
const LARGEST_LEVEL = 0.25
/** Per round: how strongly demand, and what has gathered of it, move the price. Twice or half of both cost 1 to 3 % of delay. */
const BY_DEMAND = 4
const BY_LEVEL = 8
/** Alike in both directions: with few sources a period's demand is mostly chance, and must not push the price one way. */
const LEVEL_STEP = 0.3

export interface Demand {
  /** What the budget would have paid for beyond what became due so far, requests; below 0: more became due. */
  readonly level: number
  readonly target: number
  /** What became due in the period. */
  readonly demand: number
  readonly sources: number
}

/**
 * The rule for timetables. Their due times come in bunches, after the full hour above all, so a queue at one moment says
 * little. A level gathers the difference between what the budget pays for and what becomes due, and the price follows it
 * and its change (a PI controller): a level of a twentieth of a round moves the price by a fifth at once and on from there.
 */
export function levelPrice(
  price: number,
  { level, target, demand, sources }: Demand,
): { readonly price: number; readonly level: number } {
  const n = Math.max(1, sources)
  const most = LARGEST_LEVEL * n
  const next = Math.min(most, Math.max(-most, level + LEVEL_SHARE * target - demand))
  const change = (-BY_DEMAND * (next - level) - (BY_LEVEL * next * target) / n) / n
  return { price: price * Math.exp(Math.min(LEVEL_STEP, Math.max(-LEVEL_STEP, change))), level: next }
}
