import type { InstantMs } from '../model/index.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

// The three forms of RFC 9110 §5.6.7; recipients must read all of them. The day of the week is not checked.
const IMF_FIXDATE = /^[a-z]{3}, (\d{1,2}) ([a-z]{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) (?:gmt|utc)$/i
const RFC_850 = /^[a-z]{6,9}, (\d{1,2})-([a-z]{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) (?:gmt|utc)$/i
const ASCTIME = /^[a-z]{3} ([a-z]{3}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/i

/** `now` decides the century of two-digit years: at most 50 years ahead (RFC 9110 §5.6.7). */
export function parseHttpDate(text: string, now: InstantMs): InstantMs | null {
  const fixdate = IMF_FIXDATE.exec(text)
  if (fixdate) {
    const [, day, month, year, h, m, s] = fixdate
    return instant(Number(year), month, day, h, m, s)
  }
  const rfc850 = RFC_850.exec(text)
  if (rfc850) {
    const [, day, month, year, h, m, s] = rfc850
    return instant(fullYear(Number(year), now), month, day, h, m, s)
  }
  const asctime = ASCTIME.exec(text)
  if (asctime) {
    const [, month, day, h, m, s, year] = asctime
    return instant(Number(year), month, day, h, m, s)
  }
  return null
}

type Part = string | undefined

function instant(year: number, month: Part, day: Part, h: Part, m: Part, s: Part): InstantMs | null {
  const monthIndex = MONTHS.indexOf((month ?? '').toLowerCase())
  const [d, hour, minute, second] = [Number(day), Number(h), Number(m), Number(s)]
  const inBounds = d >= 1 && d <= 31 && hour <= 23 && minute <= 59 && second <= 60
  return monthIndex < 0 || !inBounds ? null : Date.UTC(year, monthIndex, d, hour, minute, second)
}

function fullYear(twoDigits: number, now: InstantMs): number {
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}
