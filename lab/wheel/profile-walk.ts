import { HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import { type Intensity, slotAt, utilityItemHours } from '../../src/refresh/intensity.ts'

/**
 * `utilityItemHours` but for rounding, in a fraction of the time: a pass over the slots without divisions. The period is
 * cyclic, so the part after whole periods starts in the same slot as the first of them.
 *
 * Borders of slots that are no whole milliseconds (no daily or weekly model has any) lie between two doubles, 0.12 µs off
 * at most, and where hardly anything but a moment after such a border counts, two ways to sum up may disagree by all of
 * it: there the sum is left to `utilityItemHours` itself.
 */
export function utilityNear(intensity: Intensity, from: InstantMs, to: InstantMs): number {
  const rates = intensity.ratesPerHour
  if (rates.length === 1 || !Number.isInteger(intensity.periodMs / rates.length)) {
    return utilityItemHours(intensity, from, to)
  }
  if (!(to > from)) return 0
  const periodHours = intensity.periodMs / HOUR_MS
  const wholePeriods = Math.floor((to - from) / intensity.periodMs)
  const { items, moment } = passOver(intensity, from, (to - from) / HOUR_MS - wholePeriods * periodHours)
  if (wholePeriods === 0) return moment
  const period = passOver(intensity, from, periodHours)
  const lift = ((wholePeriods * (wholePeriods - 1)) / 2) * periodHours * period.items
  return wholePeriods * period.moment + lift + moment + wholePeriods * periodHours * items
}

const pass = { items: 0, moment: 0 }

/** ∫λ and ∫(s − from)·λ from an instant on, over at most a period. One result object for all calls. */
function passOver(intensity: Intensity, from: InstantMs, hours: number): { items: number; moment: number } {
  const rates = intensity.ratesPerHour
  const slots = rates.length
  const slotHours = intensity.periodMs / slots / HOUR_MS
  let slot = slotAt(intensity.periodMs, slots, from)
  let age = 0
  let end = hoursToSlotEnd(intensity, slot, from)
  let items = 0
  let moment = 0
  while (age < hours) {
    if (end > hours) end = hours
    const mass = (rates[slot] ?? 0) * (end - age)
    items += mass
    moment += mass * ((age + end) / 2)
    age = end
    end += slotHours
    slot = slot + 1 === slots ? 0 : slot + 1
  }
  pass.items = items
  pass.moment = moment
  return pass
}

/** Looking further ahead than this pays less than it costs. */
const MOST_PERIODS = 4

/**
 * When a source last refreshed at `since` will have gained so much more utility after `at`; or an earlier moment, where
 * that lies more than four periods ahead. Exact in utility, not in time: where a rate is a billionth of another's, the
 * last digit of what the busy slots gave is minutes of the quiet one.
 */
export function gainsBy(intensity: Intensity, since: InstantMs, at: InstantMs, gain: number): InstantMs {
  if (!(gain > 0)) return at
  const rates = intensity.ratesPerHour
  const slots = rates.length
  const start = (at - since) / HOUR_MS
  if (slots === 1) return at + hoursToGain(rates[0] ?? 0, start, gain) * HOUR_MS
  const slotHours = intensity.periodMs / slots / HOUR_MS
  let slot = slotAt(intensity.periodMs, slots, at)
  let age = start
  let end = start + hoursToSlotEnd(intensity, slot, at)
  let remaining = gain
  // The first slot has begun already, so one step more makes four periods.
  for (let step = MOST_PERIODS * slots + 1; step > 0; step--) {
    const gained = (rates[slot] ?? 0) * (end - age) * ((age + end) / 2)
    if (gained >= remaining) return at + (age - start + hoursToGain(rates[slot] ?? 0, age, remaining)) * HOUR_MS
    remaining -= gained
    age = end
    end += slotHours
    slot = slot + 1 === slots ? 0 : slot + 1
  }
  return at + (age - start) * HOUR_MS
}

/** rate·(age·x + x²/2) = gain, solved for x without cancellation; Infinity at a rate of 0. */
function hoursToGain(ratePerHour: number, ageHours: number, gain: number): number {
  const twice = (2 * gain) / ratePerHour
  return twice === Number.POSITIVE_INFINITY ? twice : twice / (ageHours + Math.sqrt(ageHours * ageHours + twice))
}

/** With the border rounded as `slotEnd` of intensity.ts has it, so that the first, partial slot weighs the same there. */
function hoursToSlotEnd(intensity: Intensity, slot: number, at: InstantMs): number {
  const { periodMs, ratesPerHour } = intensity
  const periodStart = Math.floor(at / periodMs) * periodMs
  return (periodStart + ((slot + 1) * periodMs) / ratesPerHour.length - at) / HOUR_MS
}
