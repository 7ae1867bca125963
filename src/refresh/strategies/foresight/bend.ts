import { DAYS, HOURS, MINUTE_PARTS, PART_MINUTES, WEEK_HOURS } from './tables.ts'

/**
 * The shared week × own hours of the day × own days, mean 1, and the hours before each. Of two kinds of days each is summed
 * once (the five weekdays have one shape, and the two days of the weekend: tables.ts): additions one after the other over
 * all hours of the week would wait for each other.
 */
export function bendWeek(
  into: Float64Array,
  before: Float64Array,
  best: Float64Array,
  mean: Float64Array,
  weight: number,
  hourFactor: Float64Array,
  dayFactor: Float64Array,
): void {
  const weekday = bendDay(WEEKDAY, 0, best, mean, weight, hourFactor)
  const weekendDay = bendDay(WEEKEND, WEEKDAYS * HOURS, best, mean, weight, hourFactor)
  let sum = 0
  for (let day = 0; day < DAYS; day++) sum += dayFactor[day]! * (day < WEEKDAYS ? weekday : weekendDay)
  const scale = WEEK_HOURS / sum
  let passed = 0
  for (let day = 0, hour = 0; day < DAYS; day++) {
    const { intensity, passedBy } = day < WEEKDAYS ? WEEKDAY : WEEKEND
    const factor = dayFactor[day]! * scale
    for (let hourOfDay = 0; hourOfDay < HOURS; hourOfDay++, hour++) {
      into[hour] = intensity[hourOfDay]! * factor
      before[hour + 1] = passed + passedBy[hourOfDay]! * factor
    }
    passed = before[hour]!
  }
}

const WEEKDAYS = 5

/** Hours of one kind of day, and their sum up to the end of each. */
interface BentDay {
  readonly intensity: Float64Array
  readonly passedBy: Float64Array
}

/** Reused between calls. */
const WEEKDAY: BentDay = { intensity: new Float64Array(HOURS), passedBy: new Float64Array(HOURS) }
const WEEKEND: BentDay = { intensity: new Float64Array(HOURS), passedBy: new Float64Array(HOURS) }

/** Returns the sum. */
function bendDay(
  { intensity, passedBy }: BentDay,
  firstHour: number,
  best: Float64Array,
  mean: Float64Array,
  weight: number,
  hourFactor: Float64Array,
): number {
  let sum = 0
  for (let hourOfDay = 0, hour = firstHour; hourOfDay < HOURS; hourOfDay++, hour++) {
    const shared = mean[hour]! + weight * (best[hour]! - mean[hour]!)
    const bent = shared * hourFactor[hourOfDay]!
    intensity[hourOfDay] = bent
    sum += bent
    passedBy[hourOfDay] = sum
  }
  return sum
}

/** The shared hour × own five minutes; returns their sum. */
export function bendHour(into: Float64Array, shared: Float64Array, partFactor: Float64Array): number {
  let sum = 0
  for (let part = 0, minute = 0; part < MINUTE_PARTS; part++) {
    const factor = partFactor[part]!
    for (const end = minute + PART_MINUTES; minute < end; minute++) {
      const share = shared[minute]! * factor
      into[minute] = share
      sum += share
    }
  }
  return sum
}
