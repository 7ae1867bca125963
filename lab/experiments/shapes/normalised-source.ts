import { entryAt } from '../../../src/model/entry-at.ts'
import type { Random } from '../../../src/model/index.ts'

/** The shapes of thesis 6.4 that the experiments of 7.3 are made with. */
export type ShapeName = 'peaks' | 'uniform' | 'waves'

/** A cycle is 10 minutes (7.3.1). */
export const CYCLES_PER_DAY = 144
export const CYCLES_PER_HOUR = 6

/** What a source publishes in each cycle, as shares of the day's items: every day sums to 1 (7.3.1). */
export type NormalisedSource = Float64Array

/** Share of a day's items that fall into each hour, before chance. */
export function hourlyShares(shape: ShapeName, phaseHours: number): number[] {
  const weights = Array.from({ length: 24 }, (_, hour) => weightOf(shape, hour + 0.5, phaseHours))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

function weightOf(shape: ShapeName, hour: number, phaseHours: number): number {
  switch (shape) {
    case 'uniform':
      return 1
    case 'peaks':
      // One hour in four, "e.g. every 4 hours" (7.3.2); a robot publishes next to nothing in between.
      return Math.floor(hour + phaseHours) % 4 === 0 ? 1 : 0.01
    case 'waves':
      // A working day: a raised cosine, quiet at night but never quite silent.
      return 0.05 + (1 + Math.cos((2 * Math.PI * (hour - 14 - phaseHours)) / 24)) / 2
  }
}

/**
 * Draws a source: each day the items are thrown into the cycles by the shape's shares, then divided by their number. The
 * papers' sources publish at least 10 items a day.
 */
export function normalisedSource(
  shape: ShapeName,
  days: number,
  itemsPerDay: number,
  phaseHours: number,
  random: Random,
): NormalisedSource {
  const cumulative = cumulated(hourlyShares(shape, phaseHours))
  const source = new Float64Array(days * CYCLES_PER_DAY)
  for (let day = 0; day < days; day++) {
    // A day like any other, give or take a fifth.
    const items = Math.max(1, Math.round(itemsPerDay * (0.8 + 0.4 * random())))
    for (let item = 0; item < items; item++) {
      const hour = indexOf(cumulative, random())
      const cycle = day * CYCLES_PER_DAY + hour * CYCLES_PER_HOUR + Math.floor(random() * CYCLES_PER_HOUR)
      source[cycle] = entryAt(source, cycle) + 1 / items
    }
  }
  return source
}

function cumulated(shares: readonly number[]): number[] {
  let sum = 0
  return shares.map((share) => (sum += share))
}

function indexOf(cumulative: readonly number[], value: number): number {
  const index = cumulative.findIndex((bound) => value < bound)
  return index < 0 ? cumulative.length - 1 : index
}

/** One behaviour after another: the artificial source of 7.3.2. */
export function concatenateSources(parts: readonly NormalisedSource[]): NormalisedSource {
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Mean items of each hour of the day over the week that ends at a cycle: the "real" daily model of 7.3.2. */
export function referenceModel(source: NormalisedSource, endCycle: number, days = 7): number[] {
  const model = new Array<number>(24).fill(0)
  const start = Math.max(0, endCycle - days * CYCLES_PER_DAY)
  for (let cycle = start; cycle < endCycle; cycle++) {
    const hour = Math.floor((cycle % CYCLES_PER_DAY) / CYCLES_PER_HOUR)
    model[hour] = entryAt(model, hour) + entryAt(source, cycle) / days
  }
  return model
}

/**
 * The uniform random strategy of 7.3.2: intervals evenly distributed around their mean, from one cycle to twice the mean
 * (as "every 1 hour": 10 minutes to 2 hours, where the ends are one cycle short of symmetric).
 */
export function randomRefreshes(cycles: number, meanCycles: number, random: Random): Uint32Array {
  const refreshes: number[] = []
  const longest = Math.max(1, 2 * meanCycles - 1)
  for (let at = 0; at < cycles; ) {
    at += 1 + Math.floor(random() * longest)
    if (at < cycles) refreshes.push(at)
  }
  return Uint32Array.from(refreshes)
}
