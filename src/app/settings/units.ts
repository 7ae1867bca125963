import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../../model/index.ts'
import { tableOf } from '../../model/table.ts'
import type { QualityBounds } from '../../refresh/least-budget.ts'
import type { Budget } from '../../refresh/strategy.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { phrase } from '../../runtime/phrase.ts'

const UNITS_MS = tableOf<DurationMs>({
  ms: 1,
  s: SECOND_MS,
  sec: SECOND_MS,
  second: SECOND_MS,
  m: MINUTE_MS,
  min: MINUTE_MS,
  minute: MINUTE_MS,
  h: HOUR_MS,
  hour: HOUR_MS,
  d: DAY_MS,
  day: DAY_MS,
  w: WEEK_MS,
  week: WEEK_MS,
})

/** `90 s`, `10min`, `2 hours`, `1d`. */
export function parseDuration(text: string): DurationMs {
  const [, count, unitName = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text) ?? []
  const name = unitName.toLowerCase()
  const unit = UNITS_MS[name] ?? UNITS_MS[name.replace(/s$/, '')]
  if (count === undefined || unit === undefined) {
    throw new HeadwaterError('USAGE', phrase`"${text}" is not a duration; write it as 90s, 10min, 2h or 1d`)
  }
  return Number(count) * unit
}

/** `60/min`, `5000/day`, `2/s`, `1000 / 10min`. */
export function parseBudget(text: string): Budget {
  const [, count, period] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*(.+)$/.exec(text) ?? []
  const requests = Number(count)
  if (period === undefined || !(requests > 0)) {
    throw new HeadwaterError('USAGE', phrase`"${text}" is not a budget; write it as 60/min or 5000/day`)
  }
  return { requests, perMs: parseDuration(/^\d/.test(period) ? period : `1${period}`) }
}

/** `delay<15min`, `completeness>0.999`, or both with a comma. */
export function parseWish(text: string): QualityBounds {
  const wish: { meanDelayMs?: number; completeness?: number } = {}
  for (const part of text.split(',')) {
    const [, measure, bound] = /^\s*(delay\s*<=?|completeness\s*>=?)\s*(.+)$/.exec(part) ?? []
    if (measure === undefined || bound === undefined) {
      throw new HeadwaterError(
        'USAGE',
        phrase`"${part}" is not a quality; write it as delay<15min or completeness>0.999`,
      )
    }
    if (measure.startsWith('delay')) wish.meanDelayMs = parseDuration(bound)
    else wish.completeness = parseShare(bound)
  }
  return wish
}

function parseShare(text: string): number {
  const percent = text.trim().endsWith('%')
  const value = Number(text.replace('%', '')) / (percent ? 100 : 1)
  if (value > 0 && value < 1) return value
  throw new HeadwaterError('USAGE', phrase`"${text}" is not a share between 0 and 1, as 0.999 or 99.9%`)
}

const BYTES = tableOf<number>({
  b: 1,
  kb: 1e3,
  kib: 1024,
  mb: 1e6,
  mib: 1024 ** 2,
  gb: 1e9,
  gib: 1024 ** 3,
})

/** `15MiB`, `500 kB`, `1048576`. */
export function parseBytes(text: string): number {
  const [, count, unitName = 'b'] = /^\s*(\d+(?:\.\d+)?)\s*(b|kb|kib|mb|mib|gb|gib)?\s*$/i.exec(text) ?? []
  const unit = BYTES[unitName.toLowerCase()]
  if (count === undefined || unit === undefined) {
    throw new HeadwaterError('USAGE', phrase`"${text}" is not a size; write it as 15MiB or 500kB`)
  }
  return Math.round(Number(count) * unit)
}
