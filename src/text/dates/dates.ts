import type { InstantMs } from '../../model/time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/time.ts'
import { parseFreeDate } from './date-free.ts'
import { parseIsoDate } from './date-iso.ts'
import { daysFromCivil, daysInMonth, withinYears } from './date-parts.ts'
import type { DateWitness } from './day-month-order.ts'

const LONGEST = 128
const UNREAD = Number.NaN

/**
 * The moment that a feed's date names, or null where it names none between the years 1000 and 9999. Reads W3C-DTF and
 * RFC 822 as they should be and as they are; without a zone, UTC. Never throws. `witness` knows in which order the document
 * writes day and month, and gets what had to be guessed.
 */
export function parseFeedDate(text: string, witness?: DateWitness): InstantMs | null {
  const iso = readStrictIso(text)
  if (!Number.isNaN(iso)) return withinYears(iso)
  const rfc = readStrictRfc822(text)
  if (!Number.isNaN(rfc)) return withinYears(rfc)
  const trimmed = text.length <= 4 * LONGEST ? text.trim() : ''
  if (trimmed.length < 4 || trimmed.length > LONGEST) return null
  // White space around the commonest forms is the commonest deviation.
  if (trimmed.length !== text.length) return parseFeedDate(trimmed, witness)
  const value = parseIsoDate(text, witness) ?? parseFreeDate(text, witness)
  return value === null ? null : withinYears(value)
}

/** Two digits as a number; NaN-free: anything else gives a value below 0. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1000
}

function clockMs(hour: number, minute: number, second: number): number {
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS
}

const MINUS = 0x2d
const COLON = 0x3a
const SPACE = 0x20
const COMMA = 0x2c
const DOT = 0x2e
const PLUS = 0x2b

/** `2003-12-31T10:14:55.123+01:00` and nothing looser; NaN for anything else. */
function readStrictIso(text: string): number {
  if (text.length < 20 || text.length > 35) return UNREAD
  if (text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS) return UNREAD
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON || (text.charCodeAt(10) | 0x20) !== 0x74)
    return UNREAD
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return UNREAD
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return UNREAD
  let at = 19
  let fractionMs = 0
  if (text.charCodeAt(at) === DOT) {
    for (let unit = 100; ; unit = Math.floor(unit / 10)) {
      const digit = text.charCodeAt(++at) - 48
      if (!(digit >= 0 && digit <= 9)) break
      fractionMs += digit * unit
    }
  }
  const zone = strictZoneMinutes(text, at)
  return daysFromCivil(year, month, day) * DAY_MS + clockMs(hour, minute - zone, second) + fractionMs
}

/** `Z`, `+01:00` or `+0100` up to the end of the text; NaN for anything else. */
function strictZoneMinutes(text: string, at: number): number {
  const sign = text.charCodeAt(at)
  if (text.length === at + 1) return sign === 0x5a || sign === 0x7a ? 0 : UNREAD
  if (sign !== PLUS && sign !== MINUS) return UNREAD
  const minutesAt = text.charCodeAt(at + 3) === COLON ? at + 4 : at + 3
  const minutes = twoDigits(text, at + 1) * 60 + twoDigits(text, minutesAt)
  if (minutes < 0 || text.length !== minutesAt + 2) return UNREAD
  return sign === PLUS ? minutes : -minutes
}

/** `Thu, 01 Jan 2004 19:48:21 GMT` or with `+0100`, and nothing looser; NaN for anything else. */
function readStrictRfc822(text: string): number {
  if (text.length < 28 || text.length > 31) return UNREAD
  if (text.charCodeAt(3) !== COMMA || text.charCodeAt(4) !== SPACE) return UNREAD
  const dayDigits = text.charCodeAt(6) === SPACE ? 1 : 2
  const day = dayDigits === 1 ? text.charCodeAt(5) - 48 : twoDigits(text, 5)
  const at = 5 + dayDigits
  const month = englishMonth(text, at + 1)
  const year = twoDigits(text, at + 5) * 100 + twoDigits(text, at + 7)
  const hour = twoDigits(text, at + 10)
  const minute = twoDigits(text, at + 13)
  const second = twoDigits(text, at + 16)
  if (text.charCodeAt(at) !== SPACE || text.charCodeAt(at + 4) !== SPACE || text.charCodeAt(at + 9) !== SPACE)
    return UNREAD
  if (text.charCodeAt(at + 12) !== COLON || text.charCodeAt(at + 15) !== COLON) return UNREAD
  if (text.charCodeAt(at + 18) !== SPACE || year < 0 || month === 0) return UNREAD
  if (!(day >= 1 && day <= daysInMonth(year, month))) return UNREAD
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return UNREAD
  const zone = isGmt(text, at + 19) ? 0 : strictZoneMinutes(text, at + 19)
  return daysFromCivil(year, month, day) * DAY_MS + clockMs(hour, minute - zone, second)
}

/** GMT or UTC at the end of the text. */
function isGmt(text: string, at: number): boolean {
  if (text.length !== at + 3) return false
  const name = packed(text, at)
  return name === GMT || name === UTC
}

/** Three letters in lower case as one number. */
function packed(text: string, at: number): number {
  const first = text.charCodeAt(at) | 0x20
  const second = text.charCodeAt(at + 1) | 0x20
  return (first << 16) | (second << 8) | (text.charCodeAt(at + 2) | 0x20)
}

const GMT = packed('gmt', 0)
const UTC = packed('utc', 0)
const JANUARY = packed('jan', 0)
const FEBRUARY = packed('feb', 0)
const MARCH = packed('mar', 0)
const APRIL = packed('apr', 0)
const MAY = packed('may', 0)
const JUNE = packed('jun', 0)
const JULY = packed('jul', 0)
const AUGUST = packed('aug', 0)
const SEPTEMBER = packed('sep', 0)
const OCTOBER = packed('oct', 0)
const NOVEMBER = packed('nov', 0)
const DECEMBER = packed('dec', 0)

/** 1 to 12; 0 for no month. */
function englishMonth(text: string, at: number): number {
  switch (packed(text, at)) {
    case JANUARY:
      return 1
    case FEBRUARY:
      return 2
    case MARCH:
      return 3
    case APRIL:
      return 4
    case MAY:
      return 5
    case JUNE:
      return 6
    case JULY:
      return 7
    case AUGUST:
      return 8
    case SEPTEMBER:
      return 9
    case OCTOBER:
      return 10
    case NOVEMBER:
      return 11
    case DECEMBER:
      return 12
    default:
      return 0
  }
}
