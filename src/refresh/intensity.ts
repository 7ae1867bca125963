import { type DurationMs, HOUR_MS, type InstantMs } from '../model/index.ts'

/**
 * A believed publication frequency λ(t) (thesis 7.2.2): constant within each of n equal slots of a period, repeated for
 * ever; slot 0 starts at the epoch, so that a daily model counts hours UTC. One slot is a constant rate (7.2.1).
 * Every estimator yields one, so that divergence, saturation time, utility and its inverse are each written once.
 */
export interface Intensity {
  readonly periodMs: DurationMs
  /** Items per hour in each slot: finite, ≥ 0. */
  readonly ratesPerHour: ArrayLike<number>
  /** Their mean, where it is known without looking at them. */
  readonly meanPerHour?: number
  /** Shares of the slots, one value for all who have this shape, where rates are a mean and a shape. */
  readonly shape?: readonly number[]
}

export function constantIntensity(ratePerHour: number): Intensity {
  return { periodMs: HOUR_MS, ratesPerHour: [ratePerHour] }
}

/** Slot that covers an instant, 0 to n − 1. Also before the epoch, as clocks may be wrong. */
export function slotAt(periodMs: DurationMs, slots: number, at: InstantMs): number {
  const phaseMs = at - Math.floor(at / periodMs) * periodMs
  return Math.min(slots - 1, Math.floor((phaseMs * slots) / periodMs))
}

export function rateAt(intensity: Intensity, at: InstantMs): number {
  const rates = intensity.ratesPerHour
  return rates.length === 1 ? rates[0]! : rates[slotAt(intensity.periodMs, rates.length, at)]!
}

export function itemsPerPeriod(intensity: Intensity): number {
  const slotHours = intensity.periodMs / intensity.ratesPerHour.length / HOUR_MS
  let items = 0
  for (let slot = 0; slot < intensity.ratesPerHour.length; slot++) items += intensity.ratesPerHour[slot]! * slotHours
  return items
}

export function meanRatePerHour(intensity: Intensity): number {
  return intensity.meanPerHour ?? (itemsPerPeriod(intensity) * HOUR_MS) / intensity.periodMs
}

/**
 * ∫ λ over [from, to), equation 7.1, by the slot formula of 7.2.2. The printed formula counts a whole slot too many when
 * both ends fall into one slot (k = 0); here each slot counts for the part of it that the interval covers.
 */
export function expectedItems(intensity: Intensity, from: InstantMs, to: InstantMs): number {
  if (!(to > from)) return 0
  const rates = intensity.ratesPerHour
  if (rates.length === 1) return rates[0]! > 0 ? (rates[0]! * (to - from)) / HOUR_MS : 0
  if (to === Number.POSITIVE_INFINITY) return itemsPerPeriod(intensity) > 0 ? to : 0
  const wholePeriods = Math.floor((to - from) / intensity.periodMs)
  const start = from + wholePeriods * intensity.periodMs
  let items = wholePeriods > 0 ? wholePeriods * itemsPerPeriod(intensity) : 0
  const { periodMs } = intensity
  const slots = rates.length
  // The loop of eachSlot, written out: every refresh of every simulated source comes here.
  let slot = slotAt(periodMs, slots, start)
  let periodStart = startOfPeriod(periodMs, start)
  for (let at = start; at < to; ) {
    const end = Math.min(to, endOfSlot(periodStart, periodMs, slots, slot, at))
    items += (rates[slot]! * (end - at)) / HOUR_MS
    at = end
    if (++slot === slots) {
      slot = 0
      periodStart += periodMs
    }
  }
  return items
}

/**
 * ∫ (s − from)·λ(s) ds over [from, to), in item-hours: the utility of refreshing at `to` (thesis equation 4.3, which is
 * (t − T_r)·Div − ∫Div), and at the same time what SCC07's Lemma 1 sums, seen from the other end.
 */
export function utilityItemHours(intensity: Intensity, from: InstantMs, to: InstantMs): number {
  if (!(to > from)) return 0
  const rates = intensity.ratesPerHour
  const hours = (to - from) / HOUR_MS
  if (rates.length === 1) return (rates[0]! * hours * hours) / 2
  const wholePeriods = Math.floor((to - from) / intensity.periodMs)
  const periodHours = intensity.periodMs / HOUR_MS
  let utility = 0
  if (wholePeriods > 0) {
    // Each of the m periods repeats the first one's moment, lifted by its own distance from `from`.
    const first = partUtility(intensity, from, from + intensity.periodMs, 0)
    const lift = ((wholePeriods * (wholePeriods - 1)) / 2) * periodHours * itemsPerPeriod(intensity)
    utility = wholePeriods * first + lift
  }
  const start = from + wholePeriods * intensity.periodMs
  return utility + partUtility(intensity, start, to, wholePeriods * periodHours)
}

function partUtility(intensity: Intensity, from: InstantMs, to: InstantMs, ageHours: number): number {
  let age = ageHours
  let utility = 0
  eachSlot(intensity.periodMs, intensity.ratesPerHour.length, from, to, (slot, coveredMs) => {
    const hours = coveredMs / HOUR_MS
    utility += intensity.ratesPerHour[slot]! * hours * (age + hours / 2)
    age += hours
  })
  return utility
}

// Three million years on, where doubles lie 16 ms apart: the slot no longer matters.
const BEYOND_SLOTS_MS = 1e17

/** First t ≥ from with expectedItems(from, t) ≥ items; Infinity if never. With items = W, the saturation time. */
export function reachesItems(intensity: Intensity, from: InstantMs, items: number): InstantMs {
  if (!(items > 0)) return from
  const rates = intensity.ratesPerHour
  if (rates.length === 1) return rates[0]! > 0 ? from + (items / rates[0]!) * HOUR_MS : Number.POSITIVE_INFINITY
  const perPeriod = itemsPerPeriod(intensity)
  if (!(perPeriod > 0) || !Number.isFinite(items)) return Number.POSITIVE_INFINITY
  const roughly = from + (items / perPeriod) * intensity.periodMs
  if (roughly > BEYOND_SLOTS_MS) return roughly
  // One period less than would fit, so that rounding cannot step over the moment looked for.
  const wholePeriods = Math.max(0, Math.floor(items / perPeriod) - 1)
  let at = from + wholePeriods * intensity.periodMs
  let remaining = items - wholePeriods * perPeriod
  const { periodMs } = intensity
  const slots = rates.length
  let slot = slotAt(periodMs, slots, at)
  let periodStart = startOfPeriod(periodMs, at)
  for (let step = 0; step < 4 * slots + 4; step++) {
    const end = endOfSlot(periodStart, periodMs, slots, slot, at)
    const mass = (rates[slot]! * (end - at)) / HOUR_MS
    if (mass >= remaining) return remaining > 0 ? at + (remaining / rates[slot]!) * HOUR_MS : at
    remaining -= mass
    at = end
    if (++slot === slots) {
      slot = 0
      periodStart += periodMs
    }
  }
  return roughly
}

/** First t ≥ from with utilityItemHours(from, t) ≥ utility; Infinity if never. */
export function reachesUtility(intensity: Intensity, from: InstantMs, utility: number): InstantMs {
  if (!(utility > 0)) return from
  const rates = intensity.ratesPerHour
  if (rates.length === 1) {
    return rates[0]! > 0 ? from + Math.sqrt((2 * utility) / rates[0]!) * HOUR_MS : Number.POSITIVE_INFINITY
  }
  if (!(itemsPerPeriod(intensity) > 0) || !Number.isFinite(utility)) return Number.POSITIVE_INFINITY
  const wholePeriods = lastWholePeriodBelow(intensity, from, utility)
  let at = from + wholePeriods * intensity.periodMs
  if (at > BEYOND_SLOTS_MS) return at
  let remaining = utility - utilityItemHours(intensity, from, at)
  for (let step = 0; step < 2 * rates.length + 4; step++) {
    const slot = slotAt(intensity.periodMs, rates.length, at)
    const rate = rates[slot]!
    const end = endOfSlot(startOfPeriod(intensity.periodMs, at), intensity.periodMs, rates.length, slot, at)
    const ageHours = (at - from) / HOUR_MS
    const hours = (end - at) / HOUR_MS
    const gained = rate * hours * (ageHours + hours / 2)
    // rate·(age·x + x²/2) = left, solved without cancellation.
    if (gained >= remaining) {
      return (
        at + ((2 * remaining) / rate / (ageHours + Math.sqrt(ageHours * ageHours + (2 * remaining) / rate))) * HOUR_MS
      )
    }
    remaining -= gained
    at = end
  }
  return at
}

/** Largest m with utility(from, from + m periods) < target; utility grows with m, about as its square. */
function lastWholePeriodBelow(intensity: Intensity, from: InstantMs, target: number): number {
  let high = 1
  while (utilityItemHours(intensity, from, from + high * intensity.periodMs) < target) high *= 2
  if (from + high * intensity.periodMs > BEYOND_SLOTS_MS) return high
  let low = high === 1 ? 0 : high / 2
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (utilityItemHours(intensity, from, from + middle * intensity.periodMs) < target) low = middle
    else high = middle
  }
  return low
}

function startOfPeriod(periodMs: DurationMs, at: InstantMs): InstantMs {
  return Math.floor(at / periodMs) * periodMs
}

function endOfSlot(
  periodStart: InstantMs,
  periodMs: DurationMs,
  slots: number,
  slot: number,
  at: InstantMs,
): InstantMs {
  // Never `at` itself, also where an instant is so large that a slot is below the spacing of doubles.
  return Math.max(periodStart + ((slot + 1) * periodMs) / slots, at + Math.abs(at) * Number.EPSILON)
}

/**
 * expectedItems, and for each slot the part of it that [from, to) covers, 0 to 1: those who learn from an interval ask for
 * both, and the way through the slots is what costs.
 */
export function expectedAndCovered(
  rates: ArrayLike<number>,
  periodMs: DurationMs,
  from: InstantMs,
  to: InstantMs,
  shares: Float64Array,
): number {
  if (to - from >= periodMs) {
    shares.fill(1)
    return expectedItems({ periodMs, ratesPerHour: rates }, from, to)
  }
  const slots = shares.length
  shares.fill(0)
  let items = 0
  // As eachSlot, written out.
  let slot = slotAt(periodMs, slots, from)
  let periodStart = startOfPeriod(periodMs, from)
  for (let at = from; at < to; ) {
    const end = Math.min(to, endOfSlot(periodStart, periodMs, slots, slot, at))
    items += (rates[slot]! * (end - at)) / HOUR_MS
    shares[slot] = Math.min(1, shares[slot]! + ((end - at) * slots) / periodMs)
    at = end
    if (++slot === slots) {
      slot = 0
      periodStart += periodMs
    }
  }
  return items
}

/** Visits the slots that [from, to) touches, in order, each with the time of it that is covered. */
export function eachSlot(
  periodMs: DurationMs,
  slots: number,
  from: InstantMs,
  to: InstantMs,
  visit: (slot: number, coveredMs: DurationMs) => void,
): void {
  let slot = slotAt(periodMs, slots, from)
  let periodStart = startOfPeriod(periodMs, from)
  for (let at = from; at < to; ) {
    const end = Math.min(to, endOfSlot(periodStart, periodMs, slots, slot, at))
    visit(slot, end - at)
    at = end
    if (++slot === slots) {
      slot = 0
      periodStart += periodMs
    }
  }
}
