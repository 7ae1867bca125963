import { DAY_MS, HOUR_MS, type InstantMs, WEEK_MS } from '../../src/model/index.ts'

/** A Monday midnight UTC before every world begins: week slots count from here. 2001-01-01. */
export const ORIGIN_MS: InstantMs = 978_307_200_000

const HOURS_PER_WEEK = 168

/**
 * A rate that repeats every week, constant within each hour (the periodic Poisson model of thesis 7.2.2 and SCC07
 * §2.2). `massUntil` is Λ(t), the expected number of items since ORIGIN_MS, and `momentOf` its inverse.
 */
export interface WeeklyIntensity {
  massUntil(at: InstantMs): number
  momentOf(mass: number): InstantMs
  ratePerDay(at: InstantMs): number
}

/** Weights of 24 hours of the day or 168 of the week (Monday first), scaled to a mean of `ratePerDay`. */
export function weeklyIntensity(ratePerDay: number, weights: readonly number[]): WeeklyIntensity {
  const hourly = Array.from({ length: HOURS_PER_WEEK }, (_, hour) => weights[hour % weights.length] ?? 0)
  const scale = (ratePerDay * 7) / hourly.reduce((sum, weight) => sum + weight, 0)
  const masses = hourly.map((weight) => weight * scale)
  const cumulative = [0]
  for (const mass of masses) cumulative.push(cumulative.at(-1)! + mass)
  const weekMass = cumulative[HOURS_PER_WEEK] ?? 0
  const hourOf = (at: InstantMs) => Math.floor(positiveModulo(at - ORIGIN_MS, WEEK_MS) / HOUR_MS)

  return {
    massUntil(at) {
      const week = Math.floor((at - ORIGIN_MS) / WEEK_MS)
      const hour = hourOf(at)
      const intoHour = positiveModulo(at - ORIGIN_MS, HOUR_MS) / HOUR_MS
      return week * weekMass + (cumulative[hour] ?? 0) + (masses[hour] ?? 0) * intoHour
    },
    momentOf(mass) {
      const week = Math.floor(mass / weekMass)
      const rest = mass - week * weekMass
      const hour = lastAtMost(cumulative, rest)
      const intoHour = (masses[hour] ?? 0) > 0 ? Math.min(1, (rest - (cumulative[hour] ?? 0)) / (masses[hour] ?? 0)) : 0
      return ORIGIN_MS + week * WEEK_MS + (hour + intoHour) * HOUR_MS
    },
    ratePerDay: (at) => ((masses[hourOf(at)] ?? 0) * DAY_MS) / HOUR_MS,
  }
}

/** A human day: a raised cosine around the busiest hour; `depth` 1 is silent at the opposite hour, 0 is flat. */
export function waveWeights(peakHour: number, depth: number, weekendShare: number): readonly number[] {
  return Array.from({ length: HOURS_PER_WEEK }, (_, hour) => {
    const daily = 1 + depth * Math.cos((2 * Math.PI * ((hour % 24) + 0.5 - peakHour)) / 24)
    return hour >= 5 * 24 ? daily * weekendShare : daily
  })
}

/** A robot's day: everything but a small leak falls into the given hours. */
export function peakWeights(hours: readonly number[], leak: number): readonly number[] {
  return Array.from({ length: 24 }, (_, hour) =>
    hours.includes(hour) ? (1 - leak) / hours.length : leak / (24 - hours.length),
  )
}

function positiveModulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus
}

/** Index of the last hour whose cumulative mass is at most `value`; hours of mass 0 are skipped. */
function lastAtMost(cumulative: readonly number[], value: number): number {
  let low = 0
  let high = HOURS_PER_WEEK - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((cumulative[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
