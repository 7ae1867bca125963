import { type CalendarDay, daysFromCivil, daysInMonth } from './date-parts.ts'

/** 31/1/2004, or 1/31/2004 as Americans write it. */
export type DayMonthOrder = 'day-first' | 'month-first'

/** What is known of the dates of a feed, and what is learnt about them, while they are read. */
export interface DateWitness {
  /** As the other dates of the feed show; null: not known (yet). */
  readonly order: DayMonthOrder | null
  /** A date could only be read this way. */
  show(order: DayMonthOrder): void
  /** A date could be read either way, and nothing was known: custom decided. The two readings are days since 1970. */
  guess(custom: DayMonthOrder, dayFirst: number, monthFirst: number): void
  /** A date names an unknown zone; it was read as UTC. */
  missZone(name: string): void
}

/**
 * Beginnings of the days of the week, Sunday to Saturday: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
 * Danish, Polish, Russian. Folded as dates are. Beside two numbers `mar` is a Tuesday, not a month.
 */
const DAYS: readonly string[] = [
  'sun son dim dom zon nie вос',
  'mon lun seg maa man pon пон',
  'tue die mar ter din tis tir wto вто',
  'wed mit mer mie qua woe ons sro сре',
  'thu don jeu jue gio qui tor czw чет',
  'fri fre ven vie sex vri pia пят',
  'sat sam sab zat lor sob суб',
]
const WEEKDAY_BY_NAME: ReadonlyMap<string, number> = new Map(
  DAYS.flatMap((names, weekday) => names.split(' ').map((name) => [name, weekday] as const)),
)
const WORD = /[a-z\u0430-\u044f]{3,}/g

/**
 * Which of two numbers is the day: by their size, else by the weekday beside them, else as the feed's other dates show, else by
 * custom: a slash is American, a dot or a hyphen is not.
 */
export function orderOf(
  first: number,
  second: number,
  year: number,
  text: string,
  witness: DateWitness | undefined,
): DayMonthOrder {
  const order = bySize(first, second) ?? byWeekday(first, second, year, text)
  if (order !== null) {
    witness?.show(order)
    return order
  }
  const custom = text.includes('/') ? 'month-first' : 'day-first'
  if (witness === undefined || first === second) return custom
  if (witness.order !== null) return witness.order
  witness.guess(custom, daysFromCivil(year, second, first), daysFromCivil(year, first, second))
  return custom
}

function bySize(first: number, second: number): DayMonthOrder | null {
  if (first > 12) return 'day-first'
  return second > 12 ? 'month-first' : null
}

/** Where just one of the two falls on that day of the week. */
function byWeekday(first: number, second: number, year: number, text: string): DayMonthOrder | null {
  const weekday = first === second ? null : weekdayIn(text)
  if (weekday === null) return null
  const dayFirst = fallsOn(weekday, { year, month: second, day: first })
  const monthFirst = fallsOn(weekday, { year, month: first, day: second })
  if (dayFirst === monthFirst) return null
  return dayFirst ? 'day-first' : 'month-first'
}

/** `word` is folded as dates are. */
export function isWeekday(word: string): boolean {
  return WEEKDAY_BY_NAME.has(word.slice(0, 3))
}

function weekdayIn(text: string): number | null {
  for (const word of text.match(WORD) ?? []) {
    const weekday = WEEKDAY_BY_NAME.get(word.slice(0, 3))
    if (weekday !== undefined) return weekday
  }
  return null
}

function fallsOn(weekday: number, { year, month, day }: CalendarDay): boolean {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
  // 1970-01-01 was a Thursday.
  return (((daysFromCivil(year, month, day) + 4) % 7) + 7) % 7 === weekday
}
