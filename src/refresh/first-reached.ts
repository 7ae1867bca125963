import { HOUR_MS, type InstantMs } from '../model/index.ts'
import { type Intensity, reachesItems, reachesUtility, slotAt } from './intensity.ts'

/** Further ahead than this the closed forms of intensity.ts are quicker. */
const MOST_PERIODS = 8

/**
 * When a source last refreshed at `from` will have published so many items or gained so much utility (item-hours),
 * whichever comes first: min(reachesItems, reachesUtility) but for rounding, in one pass over the slots without divisions
 * or calls. Schedulers ask it of every source whenever the price falls.
 */
export function firstTimeReached(intensity: Intensity, from: InstantMs, items: number, utility: number): InstantMs {
  if (!(items > 0) || !(utility > 0)) return from
  const rates = intensity.ratesPerHour
  const slots = rates.length
  if (slots === 1) return Math.min(reachesItems(intensity, from, items), reachesUtility(intensity, from, utility))
  const slotHours = intensity.periodMs / slots / HOUR_MS
  let slot = slotAt(intensity.periodMs, slots, from)
  let age = 0
  let end = hoursToSlotEnd(intensity, slot, from)
  let itemsLeft = items
  let utilityLeft = utility
  for (let step = MOST_PERIODS * slots; step > 0; step--) {
    const rate = rates[slot]!
    const mass = rate * (end - age)
    const gained = mass * ((age + end) / 2)
    if (mass >= itemsLeft || gained >= utilityLeft) {
      const full = mass >= itemsLeft ? itemsLeft / rate : Number.POSITIVE_INFINITY
      const worth = gained >= utilityLeft ? hoursToGain(rate, age, utilityLeft) : Number.POSITIVE_INFINITY
      return from + (age + Math.min(full, worth)) * HOUR_MS
    }
    itemsLeft -= mass
    utilityLeft -= gained
    age = end
    end += slotHours
    slot = slot + 1 === slots ? 0 : slot + 1
  }
  return Math.min(reachesItems(intensity, from, items), reachesUtility(intensity, from, utility))
}

/** rate·(age·x + x²/2) = gain, solved for x without cancellation. */
function hoursToGain(ratePerHour: number, ageHours: number, gain: number): number {
  const twice = (2 * gain) / ratePerHour
  return twice / (ageHours + Math.sqrt(ageHours * ageHours + twice))
}

function hoursToSlotEnd(intensity: Intensity, slot: number, at: InstantMs): number {
  const slotMs = intensity.periodMs / intensity.ratesPerHour.length
  const phaseMs = at - Math.floor(at / intensity.periodMs) * intensity.periodMs
  return ((slot + 1) * slotMs - phaseMs) / HOUR_MS
}
