import { HOUR_MS } from '../../model/index.ts'
import { type Intensity, itemsPerPeriod } from '../intensity.ts'

/**
 * A periodic posting rate λ(t) as SCC07 uses it (2.2), time in any unit. `cumulative` is ∫₀ᵗ λ, for any t ≥ 0.
 * `breaks` are the points of [0, T] where λ jumps; λ is smooth between them.
 */
export interface PostingPattern {
  readonly period: number
  readonly breaks: readonly number[]
  rate(t: number): number
  /** λ just before t; differs from `rate` at breaks. */
  rateBefore(t: number): number
  cumulative(t: number): number
  /** ∫ t·λ over one period. */
  readonly moment: number
}

/** The pattern of a learnt intensity, time in hours. */
export function stepPattern(intensity: Intensity): PostingPattern {
  const rates = intensity.ratesPerHour
  const slots = rates.length
  const period = intensity.periodMs / HOUR_MS
  const slotHours = period / slots
  const until = new Float64Array(slots + 1)
  let moment = 0
  for (let slot = 0; slot < slots; slot++) {
    const mass = rates[slot]! * slotHours
    until[slot + 1] = until[slot]! + mass
    moment += mass * (slot + 0.5) * slotHours
  }
  const perPeriod = itemsPerPeriod(intensity)
  const phaseOf = (t: number) => t - Math.floor(t / period) * period
  return {
    period,
    breaks: Array.from({ length: slots + 1 }, (_, slot) => slot * slotHours),
    moment,
    rate: (t) => rates[Math.min(slots - 1, Math.floor(phaseOf(t) / slotHours))]!,
    rateBefore(t) {
      const slot = Math.ceil(phaseOf(t) / slotHours) - 1
      return rates[slot < 0 ? slots - 1 : slot]!
    },
    cumulative(t) {
      const periods = Math.floor(t / period)
      const phase = t - periods * period
      const slot = Math.min(slots - 1, Math.floor(phase / slotHours))
      return periods * perPeriod + until[slot]! + rates[slot]! * (phase - slot * slotHours)
    },
  }
}

/** A pattern given by formulas, for worked examples. */
export function smoothPattern(
  period: number,
  rate: (t: number) => number,
  cumulative: (t: number) => number,
  moment: number,
): PostingPattern {
  return { period, breaks: [], rate, rateBefore: rate, cumulative, moment }
}
