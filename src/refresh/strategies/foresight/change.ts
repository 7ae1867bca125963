import { DAY_MS, type DurationMs, type InstantMs, SECOND_MS } from '../../../model/index.ts'

/** How long a source keeps its pace before it changes for good: a magazine starts, closes, or is taken over. */
const CHANGES_EVERY_MS = 365 * DAY_MS
/** A new rate is anything from a hundredth of the old one to a hundred times as much, alike by its logarithm. */
const LOG_RANGE = Math.log(100)
const EULER = 0.5772
// However much was expected: a source may always have gone silent.
const LEAST_SILENT = 0.05
// Bursts: counts of an unchanged source vary at least so much beyond Poisson's (variance m + m²/10, as in loss.ts).
const MOST_TRUST = 10
/** Items within this came together: a merge, an import. Twenty of them are one event, not twenty. */
const TOGETHER_MS = 10 * SECOND_MS

export interface CountUpdate {
  readonly items: number
  /** Dates of the items, ascending; empty where unknown. */
  readonly times: readonly InstantMs[]
  /** What was expected, and how many items' worth it was trusted. */
  readonly expected: number
  readonly trust: number
  readonly elapsedMs: DurationMs
}

/**
 * Probability that the rate is not what it was before this interval: a negative binomial, as sure as the rate was known,
 * against any rate. Fading alone would need weeks to believe a source that was silent
 * for months and now fills its window every two hours; and what it loses meanwhile is most of what is lost at all.
 */
export function chanceOfChange(counted: CountUpdate): number {
  const { expected, trust, elapsedMs } = counted
  const items = tellingItems(counted)
  if (!(expected > 0) || items === null) return 0
  const before = Math.expm1(elapsedMs / CHANGES_EVERY_MS)
  const odds =
    before * Math.exp(logChanceIfNew(items, expected) - logChance(items, Math.min(trust, MOST_TRUST), expected))
  return Number.isFinite(odds) ? odds / (1 + odds) : 1
}

/** More only if events apart are more, less only if all items are less; null: neither. */
function tellingItems({ items, times, expected }: CountUpdate): number | null {
  if (items <= expected) return items
  const apart = times.length > 0 ? eventsApart(times) : items
  return apart >= expected ? apart : null
}

function eventsApart(times: readonly InstantMs[]): number {
  let events = 0
  let last = Number.NEGATIVE_INFINITY
  for (const time of times) {
    if (time - last < TOGETHER_MS) continue
    events++
    last = time
  }
  return events
}

/** ∫ Poisson(count; rate) d log rate is 1/count over all rates; for 0 it is the share of the range that is below one item. */
function logChanceIfNew(count: number, expected: number): number {
  if (count >= 1) return -Math.log(2 * LOG_RANGE * count)
  const silent = (LOG_RANGE - Math.log(expected) - EULER) / (2 * LOG_RANGE)
  return Math.log(Math.min(1, Math.max(LEAST_SILENT, silent)))
}

/** Logarithm of the chance of a count under a Gamma-mixed Poisson. */
function logChance(count: number, trust: number, mean: number): number {
  // Nothing new, as most refreshes: what is before and after cancels.
  if (count === 0) return -LOG_GAMMA_1 - trust * Math.log1p(mean / trust)
  return (
    logGamma(count + trust) -
    logGamma(trust) -
    logGamma(count + 1) -
    trust * Math.log1p(mean / trust) +
    count * Math.log(mean / (trust + mean))
  )
}

/** Stirling's series beyond 6: within 1e-5. */
function logGamma(value: number): number {
  let shift = 0
  let x = value
  for (; x < 6; x++) shift -= Math.log(x)
  return shift + (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + 1 / (12 * x)
}

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)
const LOG_GAMMA_1 = logGamma(1)
