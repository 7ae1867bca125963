import type { InstantMs } from '../../model/time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/time.ts'

export interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

export interface TimeOfDay {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
}

/**
 * Days since 1970-01-01 in the Gregorian calendar. Counted in years that begin in March, where the leap day is the
 * last and the lengths of the months follow (153 m + 2) / 5. A day beyond the end of its month rolls over.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const m = month <= 2 ? month + 9 : month - 3
  const dayOfYear = Math.floor((153 * m + 2) / 5) + day - 1
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** RFC 5322 §4.3: 00 to 49 are of this century, 50 to 99 and all three-digit years count from 1900. */
export function fullYear(digits: string): number {
  const value = Number(digits)
  if (digits.length >= 4) return value
  if (digits.length === 3) return 1900 + value
  return value < 50 ? 2000 + value : 1900 + value
}

/** `zoneMinutes` count east of Greenwich. */
export function instantOf(date: CalendarDay, time: TimeOfDay, zoneMinutes: number): InstantMs {
  const days = daysFromCivil(date.year, date.month, date.day)
  const minutes = time.minute - zoneMinutes
  return days * DAY_MS + time.hour * HOUR_MS + minutes * MINUTE_MS + time.second * SECOND_MS + time.millisecond
}

const YEAR_1000: InstantMs = daysFromCivil(1000, 1, 1) * DAY_MS
const YEAR_10000: InstantMs = daysFromCivil(10_000, 1, 1) * DAY_MS

/** Outside of four-digit years nothing can be written back in any feed format. */
export function withinYears(value: InstantMs): InstantMs | null {
  return value >= YEAR_1000 && value < YEAR_10000 ? value : null
}

/** Digits after the decimal sign as milliseconds, cut off rather than rounded. */
export function millisecondsOf(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
}
