const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
] as const

/** Short, with two digits that matter: 1.5 h, 12 min, 3 d. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`
  const [unitMs, unit] = UNITS.find(([size]) => ms >= size) ?? [SECOND_MS, 's']
  const amount = ms / unitMs
  return `${amount < 10 ? trimmed(amount, 1) : Math.round(amount)} ${unit}`
}

const LONG_UNITS = { d: 'day', h: 'hour', min: 'minute', s: 'second' } as const

/** The same in a sentence: 5.8 minutes, 1 day. */
export function durationWords(ms: number): string {
  const [amount = '', unit = ''] = formatDuration(ms).split(' ')
  const name = LONG_UNITS[unit as keyof typeof LONG_UNITS]
  return name === undefined ? formatDuration(ms) : `${amount} ${name}${amount === '1' ? '' : 's'}`
}

const DATE_AFTER_MS = 7 * DAY_MS

/** How long ago, or in how long; beyond a week the date says more. */
export function relative(at: number | null, now: number): string {
  if (at === null) return 'never'
  const awayMs = at - now
  if (Math.abs(awayMs) > DATE_AFTER_MS) return `${awayMs > 0 ? 'on ' : ''}${dateOf(at, now)}`
  if (Math.abs(awayMs) < SECOND_MS) return 'now'
  return awayMs > 0 ? `in ${formatDuration(awayMs)}` : `${formatDuration(-awayMs)} ago`
}

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

export function count(value: number | null): string {
  return value === null ? '–' : WHOLE.format(value)
}

/** Three digits that matter. */
export function figure(value: number | null): string {
  if (value === null) return '–'
  if (value === 0) return '0'
  return Math.abs(value) >= 1_000 ? WHOLE.format(value) : trimmed(value, value >= 100 ? 0 : value >= 10 ? 1 : 2)
}

/** Near 100 % the nines are what matters. */
export function percent(share: number | null): string {
  if (share === null) return '–'
  const digits = share > 0.999 && share < 1 ? 2 : share > 0.99 && share < 1 ? 1 : share < 0.1 ? 1 : 0
  // Rounding must never turn a loss into none.
  const value = Math.min(Number((share * 100).toFixed(digits)), share < 1 ? 99.99 : 100)
  return `${value} %`
}

/** A share that was counted, with where it lies; one that a form says is certain. */
export function shareInWords(selectivity: {
  share: number
  atLeast: number
  atMost: number
  isByForm: boolean
}): string {
  const { share, atLeast, atMost, isByForm } = selectivity
  return isByForm ? percent(share) : `${percent(share)} (${percent(atLeast)} to ${percent(atMost)})`
}

export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`
  if (size < 1_000_000) return `${trimmed(size / 1_000, 1)} kB`
  return size < 1_000_000_000 ? `${trimmed(size / 1_000_000, 1)} MB` : `${trimmed(size / 1_000_000_000, 2)} GB`
}

export function plural(amount: number, one: string, more = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : more}`
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

const EXACT = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export const exactTime = (at: number): string => EXACT.format(at)
export const clockTime = (at: number): string => CLOCK.format(at)
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' })

export const weekdayOf = (at: number): string => WEEKDAY.format(at).replace(',', '')
export const dayOf = (at: number): string => DAY.format(at)
/** With its year, unless it is this one's. */
export const dateOf = (at: number, now: number): string =>
  (new Date(at).getFullYear() === new Date(now).getFullYear() ? DAY : DATE).format(at)
const TODAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
/** Monday 16 November, 14:20. */
export const todayWords = (at: number): string => `${TODAY.format(at)}, ${CLOCK.format(at)}`
export const fullTime = (at: number): string => FULL.format(at)
