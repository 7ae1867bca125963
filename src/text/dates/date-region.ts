import { type InstantMs, MINUTE_MS } from '../../model/time.ts'

/** `america/los_angeles`, `america/argentina/buenos_aires`, `us/eastern`, `etc/gmt+5`; lower case. */
export const REGION =
  /(?:^|[^a-z])((?:(?:africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|europe|indian|mexico|pacific|us)\/[a-z_/-]{2,40})|etc\/[a-z]{3,9}(?:[+-]\d{1,2})?)/

// A formatter takes a tenth of a millisecond to make; documents cannot fill the memory with them.
const MOST_FORMATTERS = 100
const formatters = new Map<string, Intl.DateTimeFormat | null>()

/**
 * Minutes east of Greenwich in a region of the tz database, at a moment given as if its clocks showed UTC. null: there is no
 * such region. In the hour that is skipped in spring, and in the one that comes twice in autumn, one of the two.
 */
export function regionMinutes(region: string, shownMs: InstantMs): number | null {
  const formatter = formatterOf(region)
  if (formatter === null) return null
  const guess = offsetMs(formatter, shownMs)
  return Math.round(offsetMs(formatter, shownMs - guess) / MINUTE_MS)
}

function formatterOf(region: string): Intl.DateTimeFormat | null {
  let formatter = formatters.get(region)
  if (formatter === undefined) {
    formatter = makeFormatter(region)
    if (formatters.size < MOST_FORMATTERS) formatters.set(region, formatter)
  }
  return formatter
}

function makeFormatter(timeZone: string): Intl.DateTimeFormat | null {
  const numeric = 'numeric' as const
  const parts = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric }
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', era: 'short', ...parts })
  } catch {
    return null
  }
}

function offsetMs(formatter: Intl.DateTimeFormat, at: InstantMs): number {
  const parts = new Map(formatter.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const localMs = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return localMs - Math.floor(at / 1_000) * 1_000
}
