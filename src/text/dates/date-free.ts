import type { InstantMs } from '../../model/time.ts'
import { foldDateText, monthByName, zoneByName } from './date-names.ts'
import type { CalendarDay, TimeOfDay } from './date-parts.ts'
import { daysInMonth, fullYear, instantOf, millisecondsOf } from './date-parts.ts'
import { REGION, regionMinutes } from './date-region.ts'
import { shortenZone, zoneMinutes } from './date-zone.ts'
import { type DateWitness, isWeekday, orderOf } from './day-month-order.ts'

const MIDNIGHT: TimeOfDay = { hour: 0, minute: 0, second: 0, millisecond: 0 }
const TIME = /(\d{1,2})(?::| ?h ?)(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,12}))?)?/
const HALF_DAY = /(?:^|[^a-z])([ap])\.?m(?![a-z])/

/**
 * Everything else: RFC 822, 850 and asctime with their slips, and dates as people write them. The time is what has a
 * colon; the zone follows it; of the words one is the month; the numbers left are day and year.
 */
export function parseFreeDate(text: string, witness?: DateWitness): InstantMs | null {
  const whole = shortenZone(westernize(foldDateText(text)))
  const region = whole.includes('/') ? (REGION.exec(whole)?.[1] ?? null) : null
  const folded = region === null ? whole : whole.replace(region, ' ')
  const match = TIME.exec(folded) ?? LONE_HOUR.exec(folded)
  const before = match === null ? folded : folded.slice(0, match.index)
  const after = match === null ? '' : folded.slice(match.index + match[0].length)
  const { zone, rest } = match === null ? lastZone(folded) : splitZone(after)
  const { zone: later, rest: days } = zone === '' && match !== null ? lastZone(rest) : { zone, rest }
  const date = readDate(match === null ? rest : `${before} ${days}`, witness)
  const time = readTime(match, HALF_DAY.exec(folded)?.[1] ?? null)
  if (date === null || time === null) return null
  const eastOfRegion = region === null ? null : regionMinutes(region, instantOf(date, time, 0))
  if (eastOfRegion !== null) return instantOf(date, time, eastOfRegion)
  const named = later !== '' ? later : KOREAN.test(text) ? 'kst' : earlierZone(before)
  if (named === '' || region !== null) noteUnknownZone(region ?? days, witness)
  return instantOf(date, time, zoneMinutes(named, witness))
}

/** `2 Jan 2006 EST 15:04`: a zone before the time. Two letters are more often a word (`at`). */
function earlierZone(before: string): string {
  const isZone = (word: string) => word.length > 2 && zoneByName(word) !== null && monthByName(word) === null
  return before.match(WORD)?.find(isZone) ?? ''
}

/** What ends a date and looks like a zone, but is neither one nor a month, a day or half of one. */
const UNKNOWN_ZONE = /(?:\d|\s[ap]\.?m\.?|^)\s*\(?([a-z]{3,5}|[a-z]+\/[a-z_/-]+)\)?$/

function noteUnknownZone(end: string, witness: DateWitness | undefined): void {
  const name = witness === undefined ? undefined : UNKNOWN_ZONE.exec(end.trim())?.[1]
  if (name !== undefined && monthByName(name) === null && !isWeekday(name)) witness?.missZone(name)
}

/** `2 Jan 2006 15 -0700`: an hour alone, between a year and a zone. */
const LONE_HOUR = /(?<=\d{4} )(\d{2})(?= [+-]\d{4}$)/

const LAST_OFFSET = /\s([+\-\u2212\u2013]\d{2}:?\d{2})$/
const LAST_NAME = /\d\s+\(?([a-z]{2,5})\)?$/

/** A zone at the very end, with the date between it and the time, or without a time. */
function lastZone(text: string): { zone: string; rest: string } {
  const offset = LAST_OFFSET.exec(text)
  if (offset !== null) return { zone: offset[1] as string, rest: text.slice(0, offset.index) }
  const name = LAST_NAME.exec(text)?.[1]
  if (name === undefined || zoneByName(name) === null || monthByName(name) !== null) return { zone: '', rest: text }
  return { zone: name, rest: text.slice(0, text.lastIndexOf(name)) }
}

const KOREAN = /[\uac00-\ud7a3]/

/** East Asian dates (2004년 5월 28일 오후 11:31, 2004年5月28日) with Western signs. */
function westernize(text: string): string {
  if (!/[^\x00-\u04ff]/.test(text)) return text
  // Folding has taken the Hangul syllables apart.
  return text
    .normalize('NFC')
    .replace(/(\d)\s?[년年월月]\s?/g, '$1-')
    .replace(/(\d)\s?[일日]/g, '$1 ')
    .replace(/오전|上午|午前/g, ' am ')
    .replace(/오후|下午|午後/g, ' pm ')
}

const YEAR_FIRST = /^\s{1,4}\d{4}(?=\s+[+-]\d)/
const SIGNED = /^\s*(?:[a-z]{1,5}\s?)?[+\-\u2212\u2013]{1,2}\s?\d[\d:]*(?:\s*\(?[a-z/_ ]*\)?)?/
const NAMED = /^[\s(]*(?:[ap]\.?m\.?)?[\s(]*([a-z]+)(?:\/[a-z_]+)?\)?/

/** What follows a time begins with its zone, if it has one; a year may come after it (`date`, asctime, Twitter). */
function splitZone(after: string): { zone: string; rest: string } {
  // As git writes: the year between time and zone.
  const year = YEAR_FIRST.exec(after)
  if (year !== null) return { zone: after.slice(year[0].length), rest: year[0] }
  const signed = SIGNED.exec(after)
  if (signed !== null) return { zone: signed[0], rest: after.slice(signed[0].length) }
  const named = NAMED.exec(after)
  const word = named?.[1]
  if (named === null || word === undefined) return { zone: '', rest: after }
  const rest = after.slice(named[0].length)
  // GMT+2 after AM or PM.
  const offset = SIGNED.exec(rest)
  if (offset !== null && zoneByName(word) !== null) return { zone: offset[0], rest: rest.slice(offset[0].length) }
  return zoneByName(word) === null ? { zone: '', rest: after } : { zone: word, rest }
}

function readTime(match: RegExpExecArray | null, half: string | null): TimeOfDay | null {
  if (match === null) return MIDNIGHT
  const hour = halfDayHour(Number(match[1]), half)
  const minute = Number(match[2] ?? 0)
  const second = Number(match[3] ?? 0)
  // Hour 24 is the first of the next day.
  if (hour > 24 || minute > 59 || second > 60) return null
  return { hour, minute, second, millisecond: millisecondsOf(match[4]) }
}

function halfDayHour(hour: number, half: string | null): number {
  if (half === null || hour > 12) return hour
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

// Letters of any script, for folded text: neither ASCII signs and digits nor the punctuation of Latin-1.
const WORD = /[a-z\u00aa-\uffff]+/g
const NUMBER = /\d+/g

function readDate(text: string, witness: DateWitness | undefined): CalendarDay | null {
  const numbers = text.match(NUMBER) ?? []
  const month = lastMonth(text.match(WORD) ?? [])
  return valid(month === null ? numericDate(numbers, text, witness) : namedDate(month, numbers))
}

/** The last one: `mar` before it is Tuesday in French, Spanish and Italian. */
function lastMonth(words: readonly string[]): number | null {
  for (let i = words.length - 1; i >= 0; i--) {
    const month = monthByName(words[i] as string)
    if (month !== null) return month
  }
  return null
}

function namedDate(month: number, numbers: readonly string[]): CalendarDay | null {
  const [first, second] = numbers
  if (first === undefined) return null
  if (second === undefined) return first.length === 4 ? { year: Number(first), month, day: 1 } : null
  if (first.length >= 3 && second.length <= 2) return { year: fullYear(first), month, day: Number(second) }
  return { year: fullYear(second), month, day: Number(first) }
}

/** 2004/1/31, 31.1.2004, 1/31/2004; with a last number of one digit the first is the year, as in 06/1/31. */
function numericDate(numbers: readonly string[], text: string, witness: DateWitness | undefined): CalendarDay | null {
  const [first, second, third] = numbers
  if (first === undefined || second === undefined || third === undefined) return null
  if (first.length === 4) return { year: Number(first), month: Number(second), day: Number(third) }
  if (first.length > 2 || second.length > 2) return null
  if (third.length === 1) return { year: fullYear(first), month: Number(second), day: Number(third) }
  if (third.length !== 4 && third.length !== 2) return null
  const year = fullYear(third)
  const isDayFirst = orderOf(Number(first), Number(second), year, text, witness) === 'day-first'
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  return { year, month: Number(month), day: Number(day) }
}

function valid(date: CalendarDay | null): CalendarDay | null {
  if (date === null || date.month < 1 || date.month > 12) return null
  return date.day >= 1 && date.day <= daysInMonth(date.year, date.month) ? date : null
}
