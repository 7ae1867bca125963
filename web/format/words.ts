import { decimal, percent } from '../language/amounts.ts'
import { t } from '../language/current.ts'
import { dateLocale } from '../language/locale.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

type Unit = 'days' | 'hours' | 'minutes' | 'seconds'
const UNITS: readonly (readonly [number, Unit])[] = [
  [DAY_MS, 'days'],
  [HOUR_MS, 'hours'],
  [MINUTE_MS, 'minutes'],
  [SECOND_MS, 'seconds'],
]

/** Two digits that matter. */
function amountOf(ms: number): { readonly amount: number; readonly unit: Unit } {
  const [unitMs, unit] = UNITS.find(([size]) => ms >= size) ?? [SECOND_MS, 'seconds']
  const amount = ms / unitMs
  return { amount: amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount), unit }
}

/** Short: 1.5 h, 12 min, 3 d. No line ends between an amount and its unit. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < SECOND_MS) return `${Math.round(ms)}\u00a0ms`
  const { amount, unit } = amountOf(ms)
  return `${decimal(amount, 1)}\u00a0${t.format.short[unit]}`
}

/** The same in a sentence: 5.8 minutes, 1 day. */
export function durationWords(ms: number): string {
  if (ms < SECOND_MS) return formatDuration(ms)
  const { amount, unit } = amountOf(ms)
  return `${decimal(amount, 1)} ${t.format.long[unit]({ amount })}`
}

const DATE_AFTER_MS = 7 * DAY_MS

/** How long ago, or in how long; beyond a week the date says more. */
export function relative(at: number | null, now: number): string {
  if (at === null) return t.format.never
  const awayMs = at - now
  if (awayMs > DATE_AFTER_MS) return t.format.on({ date: dateOf(at, now) })
  if (awayMs < -DATE_AFTER_MS) return dateOf(at, now)
  if (Math.abs(awayMs) < SECOND_MS) return t.format.now
  const time = formatDuration(wholeMinutes(Math.abs(awayMs)))
  return awayMs > 0 ? t.format.in({ time }) : t.format.ago({ time })
}

/** "6.3 min ago" is more than anybody asks for. */
function wholeMinutes(ms: number): number {
  if (ms >= HOUR_MS) return ms
  const unitMs = ms >= MINUTE_MS ? MINUTE_MS : SECOND_MS
  return Math.round(ms / unitMs) * unitMs
}

/** A share that was counted, with where it lies; one that a form says is certain. */
export function shareInWords(selectivity: {
  share: number
  atLeast: number
  atMost: number
  isByForm: boolean
}): string {
  const { share, atLeast, atMost, isByForm } = selectivity
  const range = t.format.range({ low: percent(atLeast), high: percent(atMost) })
  return isByForm ? percent(share) : `${percent(share)} (${range})`
}

const FORMATS = {
  clock: { hour: '2-digit', minute: '2-digit' },
  exact: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'short', day: 'numeric' },
  today: { weekday: 'long', day: 'numeric', month: 'long' },
  full: { dateStyle: 'medium', timeStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

function written(name: keyof typeof FORMATS, at: number): string {
  const key = `${dateLocale()} ${name}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(dateLocale(), FORMATS[name])
  formats.set(key, format)
  return format.format(at)
}

export const exactTime = (at: number): string => written('exact', at)
export const clockTime = (at: number): string => written('clock', at)
export const weekdayOf = (at: number): string => written('weekday', at).replace(',', '')
export const dayOf = (at: number): string => written('day', at)
/** With its year, unless it is this one's. */
export const dateOf = (at: number, now: number): string =>
  written(new Date(at).getFullYear() === new Date(now).getFullYear() ? 'day' : 'date', at)
/** Monday 16 November, 14:20. */
export const todayWords = (at: number): string => `${written('today', at)}, ${written('clock', at)}`
export const fullTime = (at: number): string => written('full', at)

/** 2030-01-07 was a Monday. */
const MONDAY_MS = Date.UTC(2030, 0, 7)

/** Names of the days from Monday on. */
export function weekdayNames(length: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat(dateLocale(), { weekday: length, timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => format.format(MONDAY_MS + day * DAY_MS))
}
