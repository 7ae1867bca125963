import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../../model/index.ts'
import { tableOf } from '../../model/table.ts'
import { phrase } from '../../runtime/phrase.ts'
import type { Moment } from './ast.ts'
import type { TokenCursor } from './cursor.ts'
import { QueryFailure } from './errors.ts'
import { didYouMean } from './suggest.ts'

const UNITS = tableOf<DurationMs>({
  SECOND: SECOND_MS,
  MINUTE: MINUTE_MS,
  HOUR: HOUR_MS,
  DAY: DAY_MS,
  WEEK: WEEK_MS,
})
const UNIT_NAMES = Object.keys(UNITS).map((unit) => `${unit}S`)
const MOST = 1e12
const LONGEST_MS = 100_000 * DAY_MS
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?)?)?$/

/** `3 HOURS` */
export function readDuration(cursor: TokenCursor): DurationMs {
  const { token } = cursor
  const amount = cursor.number(phrase`a length of time`, 0, MOST, false)
  const ms = Math.round(amount * unit(cursor))
  if (ms <= LONGEST_MS) return ms
  throw new QueryFailure('QUERY_BAD_NUMBER', token, phrase`That is too long a time`, phrase`Give at most 100000 days.`)
}

function unit(cursor: TokenCursor): DurationMs {
  const { token } = cursor
  const ms = UNITS[token.upper.replace(/S$/, '')]
  if (token.kind === 'word' && ms !== undefined) {
    cursor.advance()
    return ms
  }
  if (token.kind !== 'word') return cursor.fail(UNIT_NAMES)
  throw new QueryFailure(
    'QUERY_BAD_UNIT',
    token,
    phrase`${token.value} is not a unit of time`,
    didYouMean(token.value, UNIT_NAMES),
  )
}

/** `"2024-05-31"`, `2024-05`, `3 DAYS AGO`, `NOW - 3 DAYS`, `NOW` */
export function readMoment(cursor: TokenCursor): Moment {
  const { token } = cursor
  if (token.kind === 'string' || token.kind === 'date') {
    cursor.advance()
    const found = absolute(token.value)
    if (found !== null) return found
    throw new QueryFailure('QUERY_BAD_DATE', token, phrase`“${token.value}” is not a date`)
  }
  if (cursor.take('NOW')) return { kind: 'relative', agoMs: cursor.take('-') ? readDuration(cursor) : 0 }
  if (token.kind === 'number' && /^\d{4}$/.test(token.value) && cursor.next.kind !== 'word') {
    cursor.advance()
    return absolute(token.value)!
  }
  if (token.kind !== 'number') cursor.fail([phrase`a date`], phrase`Write "2024-05-31", 3 DAYS AGO or NOW - 3 DAYS.`)
  const agoMs = readDuration(cursor)
  cursor.expect('AGO')
  return { kind: 'relative', agoMs }
}

/** Dates without a zone are in UTC. */
function absolute(text: string): Moment | null {
  const parts = DATE.exec(text.trim())
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, zone] = parts
  const numbers = [year, month ?? '1', day ?? '1', hour ?? '0', minute ?? '0', second ?? '0'].map(Number)
  const [y, mo, d, h, mi, s] = numbers as [number, number, number, number, number, number]
  const from = Date.UTC(y, mo - 1, d, h, mi, s)
  const date = new Date(from)
  const real = date.getUTCMonth() === mo - 1 && date.getUTCDate() === d && h < 24 && mi < 60 && s < 60
  if (!real || y < 1000) return null
  let to = from + SECOND_MS
  if (month === undefined) to = Date.UTC(y + 1, 0)
  else if (day === undefined) to = Date.UTC(y, mo)
  else if (hour === undefined) to = from + DAY_MS
  else if (second === undefined) to = from + MINUTE_MS
  const shift = zoneMs(zone)
  return { kind: 'absolute', text: text.trim(), from: from - shift, to: to - shift }
}

function zoneMs(zone: string | undefined): DurationMs {
  if (zone === undefined || zone === 'Z') return 0
  const sign = zone[0] === '-' ? -1 : 1
  const digits = zone.slice(1).replace(':', '')
  return sign * (Number(digits.slice(0, 2)) * HOUR_MS + Number(digits.slice(2)) * MINUTE_MS)
}
