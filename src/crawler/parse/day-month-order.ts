import { type CalendarDay, daysFromCivil, daysInMonth } from './date-parts.ts'

/** 31/1/2004, or 1/31/2004 as Americans write it. */
export type DayMonthOrder = 'day-first' | 'month-first'

/** What is known of how a feed orders day and month while its dates are read. */
export interface OrderWitness {
  /** As the other dates of the feed show; null: not known (yet). */
  readonly order: DayMonthOrder | null
  /** A date could only be read this way. */
  show(order: DayMonthOrder): void
  /** A date could be read either way, and nothing was known. */
  guess(order: DayMonthOrder): void
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY = /(?:^|[^a-z])(sun|mon|tue|wed|thu|fri|sat)/

/**
 * Which of two numbers is the day: by their size, else by the weekday beside them, else as the feed's other dates show, else by
 * custom: a slash is American, a dot or a hyphen is not.
 */
export function orderOf(
  first: number,
  second: number,
  year: number,
  text: string,
  witness: OrderWitness | undefined,
): DayMonthOrder {
  const shown = bySize(first, second) ?? byWeekday(first, second, year, text)
  if (shown !== null) {
    witness?.show(shown)
    return shown
  }
  const custom = text.includes('/') ? 'month-first' : 'day-first'
  if (witness === undefined || first === second) return custom
  if (witness.order !== null) return witness.order
  witness.guess(custom)
  return custom
}

function bySize(first: number, second: number): DayMonthOrder | null {
  if (first > 12) return 'day-first'
  return second > 12 ? 'month-first' : null
}

/** Where just one of the two falls on that day of the week. */
function byWeekday(first: number, second: number, year: number, text: string): DayMonthOrder | null {
  const name = WEEKDAY.exec(text)?.[1]
  if (name === undefined || first === second) return null
  const weekday = DAYS.indexOf(name)
  const dayFirst = fallsOn(weekday, { year, month: second, day: first })
  const monthFirst = fallsOn(weekday, { year, month: first, day: second })
  if (dayFirst === monthFirst) return null
  return dayFirst ? 'day-first' : 'month-first'
}

function fallsOn(weekday: number, { year, month, day }: CalendarDay): boolean {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
  // 1970-01-01 was a Thursday.
  return (((daysFromCivil(year, month, day) + 4) % 7) + 7) % 7 === weekday
}
