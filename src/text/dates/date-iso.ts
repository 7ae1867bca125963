import type { InstantMs } from '../../model/time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/time.ts'
import { daysFromCivil, fullYear, millisecondsOf } from './date-parts.ts'
import { zoneMinutes } from './date-zone.ts'
import type { DateWitness } from './day-month-order.ts'

/**
 * ISO 8601 in all its precisions and basic forms, W3C-DTF (a profile of it), and Unix time. What is out of range by
 * its digits rolls over into the next larger unit, so that hour 24, second 60 and 30 February name a moment.
 */
export function parseIsoDate(text: string, witness?: DateWitness): InstantMs | null {
  if (!/^[\d-]/.test(text)) return null
  const unix = parseUnixTime(text)
  if (unix !== null) return unix
  for (const form of DATE_FORMS) {
    const match = form.pattern.exec(text)
    if (match === null) continue
    const time = parseTime(text.slice(match[0].length), witness)
    if (time !== null) return form.days(match) * DAY_MS + time
  }
  return null
}

// 9 to 11 digits are seconds from 1973 to 5138, 13 are milliseconds; 8, 12 and 14 digits are dates.
const UNIX_TIME = /^(?:(\d{9,11})(?:\.(\d{1,9}))?|(\d{13}))$/

function parseUnixTime(text: string): InstantMs | null {
  const match = UNIX_TIME.exec(text)
  if (match === null) return null
  return match[3] === undefined ? Number(match[1]) * SECOND_MS + millisecondsOf(match[2]) : Number(match[3])
}

interface DateForm {
  readonly pattern: RegExp
  days(match: RegExpExecArray): number
}

function civil(year: number, month: number, day: number): number {
  const monthsAfter = month - 1
  return daysFromCivil(year + Math.floor(monthsAfter / 12), (((monthsAfter % 12) + 12) % 12) + 1, day)
}

/** 2003-25-12: there is no month 25, but a day. */
function inEitherOrder(year: number, month: number, day: number): number {
  return month > 12 && day >= 1 && day <= 12 ? civil(year, day, month) : civil(year, month, day)
}

const calendar = (match: RegExpExecArray) =>
  civil(fullYear(match[1] as string), Number(match[2]), match[3] === undefined ? 1 : Number(match[3]))
const ordinal = (match: RegExpExecArray) => civil(fullYear(match[1] as string), 1, Number(match[2]))

/** ISO 8601 week dates: week 1 holds 4 January, and Monday is day 1. */
function week(match: RegExpExecArray): number {
  const january4 = daysFromCivil(Number(match[1]), 1, 4)
  // 1970-01-01 was a Thursday.
  const mondayOfWeek1 = january4 - ((((january4 + 3) % 7) + 7) % 7)
  return mondayOfWeek1 + (Number(match[2]) - 1) * 7 + Number(match[3] ?? 1) - 1
}

const DATE_FORMS: readonly DateForm[] = [
  {
    pattern: /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/,
    days: (m) => inEitherOrder(Number(m[1]), Number(m[3]), Number(m[4])),
  },
  { pattern: /^(\d{4})(\d{2})(\d{2})(?=\D|\d{4}(?:\d{2})?$|$)/, days: calendar },
  { pattern: /^(\d{4})-(\d{2})(?![\d-])/, days: calendar },
  { pattern: /^(\d{4})-?(\d{3})(?!\d)/, days: ordinal },
  { pattern: /^(\d{4})-?w(\d{2})(?:-?([1-7]))?(?!\d)/i, days: week },
  { pattern: /^(\d{2})-(\d{2})-(\d{2})(?!\d)/, days: calendar },
  { pattern: /^(\d{2})(\d{2})(\d{2})(?!\d)/, days: calendar },
  { pattern: /^(\d{2})-?(\d{3})(?!\d)/, days: ordinal },
  { pattern: /^-(\d{2})-?(\d{2})(?!\d)/, days: calendar },
  { pattern: /^(\d{4})(?!\d)/, days: (m) => civil(Number(m[1]), 1, 1) },
]

const TIME =
  /^(?:[t_]\s?|\s{1,4}|)(\d{1,2})(?:(?::|(?=\d))(\d{2})(?:(?::|(?=\d))(\d{2})(?:[.,](\d{1,12}))?)?)?(?::(?=[+-]))?\s?(?![\d:])(.*)$/
const ZONE = /^(?:z|[+\-\u2212\u2013]\d.*|\(?[a-z]{1,5}\)?(?:[+-]\d.*)?)?$/

/** Milliseconds after midnight UTC for the rest of a date; 0 for none, null for what is no time. */
function parseTime(rest: string, witness: DateWitness | undefined): number | null {
  if (rest === '' || rest === 'Z' || rest === 'z') return 0
  const match = TIME.exec(rest.toLowerCase())
  if (match === null) return null
  const zone = (match[5] as string).trim()
  if (!ZONE.test(zone) || zone.startsWith('am') || zone.startsWith('pm')) return null
  const minutes = Number(match[2] ?? 0) - zoneMinutes(zone, witness)
  return Number(match[1]) * HOUR_MS + minutes * MINUTE_MS + Number(match[3] ?? 0) * SECOND_MS + millisecondsOf(match[4])
}
