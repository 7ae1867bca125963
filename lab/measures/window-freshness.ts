import type { InstantMs } from '../../src/model/index.ts'
import { aggregatedStream } from './completeness.ts'
import { type Accepts, everything, type TimedItem, windowAt } from './feed.ts'
import { fetchedBy, type RefreshedSource } from './fetched.ts'

/** F_W(f/s, t) from counts: available and already fetched over available; 1 where nothing is (Definition 2.3.1). */
function freshnessOf(fetchedAndAvailable: number, available: number): number {
  return available > 0 ? fetchedAndAvailable / available : 1
}

/** The alternative form at the end of 2.3: 1 − Div_A/|q(A(s, t))|. */
export function freshnessFromDivergence(windowDivergence: number, available: number): number {
  return available > 0 ? 1 - windowDivergence / available : 1
}

/**
 * F_W(f/s, t), Definition 2.3.1 (thesis): of the relevant items in the source's window, the share that the query feed's
 * *stream* F(f, t) holds.
 */
export function windowFreshness<Item extends TimedItem>(
  source: RefreshedSource<Item>,
  t: InstantMs,
  accepts: Accepts<Item> = everything,
): number {
  const fetched = new Set(fetchedBy(source, t).map(({ item }) => item))
  const available = windowAt(source.items, t, source.windowSize).filter(accepts)
  return freshnessOf(available.filter((item) => fetched.has(item)).length, available.length)
}

/**
 * F_W(f/s, t) as the 2010 paper has it (section 5): compared with the aggregator's own *window* A(f, t), the newest items
 * of the query feed over all its sources. Lower than the thesis's where that window is too small to hold all of them.
 */
export function windowFreshness2010<Item extends TimedItem>(
  source: RefreshedSource<Item>,
  aggregatorWindow: ReadonlySet<Item>,
  t: InstantMs,
  accepts: Accepts<Item> = everything,
): number {
  const available = windowAt(source.items, t, source.windowSize).filter(accepts)
  return freshnessOf(available.filter((item) => aggregatorWindow.has(item)).length, available.length)
}

/** A(f, t): the newest items of the query feed, as many as its own window holds. */
export function aggregatorWindow<Item extends TimedItem>(
  sources: readonly RefreshedSource<Item>[],
  t: InstantMs,
  windowSize: number,
  accepts: Accepts<Item> = everything,
): ReadonlySet<Item> {
  return new Set(aggregatedStream(sources, t, accepts).slice(-windowSize))
}

/** F_W(f, t), Definition 2.3.2: the plain mean over the sources (thesis). */
export function meanFreshness(perSource: readonly number[]): number {
  return weightedFreshness(
    perSource,
    perSource.map(() => 1),
  )
}

/**
 * The 2010 paper says "a weighted average" without saying of what. Weighing each source by its relevant items in the
 * window, |q(A(s, t))|, is the reading that makes it the share of all available items that are fetched.
 */
export function weightedFreshness(perSource: readonly number[], weights: readonly number[]): number {
  let sum = 0
  let total = 0
  perSource.forEach((freshness, index) => {
    sum += freshness * (weights[index] ?? 0)
    total += weights[index] ?? 0
  })
  return total > 0 ? sum / total : 1
}

/** A reading that holds until the next one. */
export interface Reading {
  readonly at: InstantMs
  readonly value: number
}

/** F_W(f) over [from, to), Definition 2.3.3: the time average of readings, each valid until the next. */
export function overTime(readings: readonly Reading[], from: InstantMs, to: InstantMs): number {
  let integral = 0
  let covered = 0
  readings.forEach(({ at, value }, index) => {
    const start = Math.max(from, at)
    const end = Math.min(to, readings[index + 1]?.at ?? to)
    if (end <= start) return
    integral += value * (end - start)
    covered += end - start
  })
  return covered > 0 ? integral / covered : 1
}
