import { DAY_MS, type DurationMs, type InstantMs, MINUTE_MS } from '../../../model/index.ts'

/** How long a source keeps its pace before it changes for good: a magazine starts, closes, or is taken over. */
const CHANGES_EVERY_MS = 365 * DAY_MS
/** Trust, in items, in a rate that is new: Jeffreys's prior. */
const NEW_TRUST = 0.5
// Bursts: counts of an unchanged source vary at least so much beyond Poisson's (variance m + m²/10, as in loss.ts).
const MOST_TRUST = 10
/** Items closer together than this came together: a merge, an import. Twenty of them are one event, not twenty. */
const TOGETHER_MS = 5 * MINUTE_MS

export interface Counted {
  readonly items: number
  /** Dates of the items, ascending; empty where unknown. */
  readonly times: readonly InstantMs[]
  /** What was expected, and how many items' worth it was trusted. */
  readonly expected: number
  readonly trust: number
  readonly elapsedMs: DurationMs
}

/**
 * Probability that the rate is not what it was before this interval: two negative binomials of the same mean, one as
 * sure as the rate was known, one that knows nothing. Fading alone would need weeks to believe a source that was silent
 * for months and now fills its window every two hours; and what it loses meanwhile is most of what is lost at all.
 */
export function chanceOfChange(counted: Counted): number {
  const { expected, trust, elapsedMs } = counted
  const items = tellingItems(counted)
  if (!(expected > 0) || items === null) return 0
  const before = Math.expm1(elapsedMs / CHANGES_EVERY_MS)
  const odds =
    before * Math.exp(logChance(items, NEW_TRUST, expected) - logChance(items, Math.min(trust, MOST_TRUST), expected))
  return Number.isFinite(odds) ? odds / (1 + odds) : 1
}

/** More only if events apart are more, less only if all items are less; null: neither. */
function tellingItems({ items, times, expected }: Counted): number | null {
  if (items <= expected) return items
  const apart = times.length > 0 ? eventsApart(times) : items
  return apart >= expected ? apart : null
}

function eventsApart(times: readonly InstantMs[]): number {
  let events = 0
  let last = Number.NEGATIVE_INFINITY
  for (const time of times) {
    if (time - last >= TOGETHER_MS) events++
    last = time
  }
  return events
}

/** Logarithm of the chance of a count under a Gamma-mixed Poisson, up to what does not depend on the trust. */
function logChance(count: number, trust: number, mean: number): number {
  return (
    logGamma(count + trust) -
    logGamma(trust) -
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
