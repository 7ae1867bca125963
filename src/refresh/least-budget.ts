import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, WEEK_MS } from '../model/index.ts'
import type { Budget, CycleSource, PricedStrategy, SourceFacts } from './strategy.ts'

/** What a strategy expects to happen at a price, from its own publication models. */
export interface Forecast {
  readonly requestsPerDay: number
  readonly itemsPerDay: number
  /** From publication to refresh, every item counted by what it is worth. */
  readonly meanDelayMs: DurationMs
  /** Share of items that are still in the window when refreshed. */
  readonly completeness: number
}

/** A wished quality: all that is given must be met. */
export interface QualityBounds {
  readonly meanDelayMs?: DurationMs
  readonly completeness?: number
}

export interface LeastBudget {
  readonly budget: Budget
  readonly price: number
  readonly forecast: Forecast
}

type Sources<Memory> = readonly CycleSource<Memory>[]
/** What an item of a source counts in delay and completeness. */
type WorthOf = (facts: SourceFacts) => number
const BY_WEIGHT: WorthOf = ({ weight }) => weight

// A whole week, so that weekends count; a cap on the walk of very busy sources, whose share is then scaled up.
const HORIZON_MS = WEEK_MS
const MOST_REFRESHES = 2_000
/** A step is over after so many, or with the source: a millisecond or two. */
const STEP_REFRESHES = 50
/** Above so many sources, a sample of that size is computed first. */
const PILOT = 60
/** A two-hundredth of the price is far below what a forecast is good for. */
const EXACT = 1.005

/** Null where the strategy has no publication model. */
export function forecast<Memory>(
  strategy: PricedStrategy<Memory>,
  sources: Sources<Memory>,
  price: number,
  at: InstantMs,
  worthOf = BY_WEIGHT,
): Forecast | null {
  return atOnce(forecastSteps(strategy, sources, price, at, worthOf))
}

/**
 * The inverse problem: the smallest budget with which the strategy expects to meet the wish, and the price that spends
 * it. Null where no budget up to one request a minute and source does, or where the strategy has no publication model.
 */
export function leastBudgetFor<Memory>(
  strategy: PricedStrategy<Memory>,
  sources: Sources<Memory>,
  wish: QualityBounds,
  at: InstantMs,
  worthOf = BY_WEIGHT,
): LeastBudget | null {
  return atOnce(leastBudgetSteps(strategy, sources, wish, at, worthOf))
}

/** The same source by source: the caller may let others run at each step. */
export function* leastBudgetSteps<Memory>(
  strategy: PricedStrategy<Memory>,
  sources: Sources<Memory>,
  wish: QualityBounds,
  at: InstantMs,
  worthOf = BY_WEIGHT,
): Generator<void, LeastBudget | null> {
  // A few show roughly where it is; all are computed only there.
  const few = sources.length > PILOT ? spreadBudget(strategy, sources, PILOT, at) : sources
  const least = yield* highestPrice(strategy, few, { wish, worthOf }, at, startRange(strategy, sources.length))
  const price =
    least === null || few === sources
      ? least
      : yield* highestPrice(strategy, sources, { wish, worthOf }, at, { low: least / 2, high: least * 2 })
  if (price === null) return null
  const expected = yield* forecastSteps(strategy, sources, price, at, worthOf)
  if (expected === null) return null
  return { price, forecast: expected, budget: { requests: expected.requestsPerDay, perMs: DAY_MS } }
}

/** So many of the sources, evenly over their rates: the few busy ones are there in their proportion, not by luck. */
export function spreadBudget<Memory>(
  strategy: PricedStrategy<Memory>,
  sources: Sources<Memory>,
  most: number,
  at: InstantMs,
): Sources<Memory> {
  if (sources.length <= most || strategy.expected === undefined) return sources.slice(0, most)
  const rated = sources.map((source) => ({ source, rate: strategy.expected!(source.memory, at, at + HORIZON_MS) }))
  rated.sort((a, b) => a.rate - b.rate)
  return Array.from({ length: most }, (_, k) => rated[Math.floor(((k + 0.5) * rated.length) / most)]!.source)
}

function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** By `worthOf` an item of one source may count more than that of another. */
export function* forecastSteps<Memory>(
  strategy: PricedStrategy<Memory>,
  sources: Sources<Memory>,
  price: number,
  at: InstantMs,
  worthOf: WorthOf,
): Generator<void, Forecast | null> {
  if (strategy.expected === undefined) return null
  const sum = { requests: 0, items: 0, weightedItems: 0, delay: 0, lost: 0 }
  for (const source of sources) {
    const part = yield* forecastSource(strategy, source, price, at)
    const weight = worthOf(source.facts)
    sum.requests += part.cost
    sum.items += part.items
    sum.weightedItems += weight * part.items
    sum.delay += weight * part.delayMs
    sum.lost += weight * part.lost
    yield
  }
  const perDay = DAY_MS / HORIZON_MS
  return {
    requestsPerDay: sum.requests * perDay,
    itemsPerDay: sum.items * perDay,
    meanDelayMs: sum.weightedItems > 0 ? sum.delay / sum.weightedItems : 0,
    completeness: sum.weightedItems > 0 ? 1 - sum.lost / sum.weightedItems : 1,
  }
}

interface PriceRange {
  readonly low: number
  readonly high: number
}

/** From a request a minute and source to one a year. */
function startRange({ firstPrice }: Pick<PricedStrategy<never>, 'firstPrice'>, sources: number): PriceRange {
  const priceOf = (perMs: DurationMs) => firstPrice(sources, { requests: sources, perMs })
  return { low: priceOf(HOUR_MS / 60), high: priceOf(365 * DAY_MS) }
}

/** The highest price at which the wish is met; null where it is not met at the lowest one. Quality falls with the price. */
function* highestPrice<Memory>(
  strategy: PricedStrategy<Memory>,
  sources: Sources<Memory>,
  { wish, worthOf }: { readonly wish: QualityBounds; readonly worthOf: WorthOf },
  at: InstantMs,
  range: PriceRange,
): Generator<void, number | null> {
  let { low, high } = range
  const meets = function* (price: number): Generator<void, boolean> {
    const expected = yield* forecastSteps(strategy, sources, price, at, worthOf)
    return expected !== null && satisfies(expected, wish)
  }
  if (!(yield* meets(low))) return null
  if (yield* meets(high)) return high
  for (let step = 0; step < 60 && high / low > EXACT; step++) {
    const middle = Math.sqrt(low * high)
    if (yield* meets(middle)) low = middle
    else high = middle
  }
  return low
}

function satisfies(expected: Forecast, wish: QualityBounds): boolean {
  if (wish.meanDelayMs !== undefined && expected.meanDelayMs > wish.meanDelayMs) return false
  return wish.completeness === undefined || expected.completeness >= wish.completeness
}

function* forecastSource<Memory>(
  strategy: PricedStrategy<Memory>,
  { facts, memory }: CycleSource<Memory>,
  price: number,
  start: InstantMs,
): Generator<void, { readonly cost: number; readonly items: number; readonly delayMs: number; readonly lost: number }> {
  const end = start + HORIZON_MS
  const sum = { cost: 0, items: 0, delayMs: 0, lost: 0 }
  let from = start
  for (let refreshes = 0; refreshes < MOST_REFRESHES && from < end; refreshes++) {
    const due = Math.max(from + 1, strategy.dueAt(memory, { ...facts, lastRefreshAt: from }, price))
    // A source that waits longer than the horizon counts with the part of the interval that lies in it.
    const share = Math.min(1, (end - from) / (due - from))
    const to = Math.min(due, start + 60 * HORIZON_MS)
    const items = strategy.expected!(memory, from, to)
    sum.cost += share * facts.cost
    sum.items += share * items
    sum.delayMs += share * delayWithin(strategy, memory, from, to)
    sum.lost += share * Math.max(0, items - facts.windowSize)
    from = due
    if (refreshes % STEP_REFRESHES === STEP_REFRESHES - 1) yield
  }
  const walked = Math.min(from, end) - start
  const scale = walked > 0 ? HORIZON_MS / walked : 0
  return { cost: sum.cost * scale, items: sum.items * scale, delayMs: sum.delayMs * scale, lost: sum.lost * scale }
}

/** ∫ expected(from, x) dx = Σ delay of what is published in the interval (SCC07 Lemma 1). */
function delayWithin<Memory>(strategy: PricedStrategy<Memory>, memory: Memory, from: InstantMs, to: InstantMs): number {
  const pieces = Math.min(48, Math.max(4, Math.ceil((to - from) / HOUR_MS)))
  const stepMs = (to - from) / pieces
  let sum = strategy.expected!(memory, from, to) / 2
  for (let k = 1; k < pieces; k++) sum += strategy.expected!(memory, from, from + k * stepMs)
  return sum * stepMs
}
