import type { SourceRow } from '../../../src/api/operations/wire.ts'
import { DAY_MS, HOUR_MS } from '../../format/words.ts'
import { folded, type TableData } from './table-data.ts'

type Test = (row: SourceRow, text: string, now: number) => boolean

const NUMBERS: Readonly<Record<string, (row: SourceRow) => number | null>> = {
  id: (row) => row.id,
  items: (row) => row.items,
  weight: (row) => row.weight,
  rate: (row) => row.ratePerHour,
  window: (row) => row.windowSize,
}

/** How long ago, or for `next` in how long. */
const TIMES: Readonly<Record<string, (row: SourceRow, now: number) => number | null>> = {
  checked: (row, now) => row.lastCheckAt && now - row.lastCheckAt,
  new: (row, now) => row.lastNewItemAt && now - row.lastNewItemAt,
  next: (row, now) => row.nextCheckAt && row.nextCheckAt - now,
}

const WORDS: Readonly<Record<string, (row: SourceRow) => string>> = {
  is: (row) => row.condition,
  condition: (row) => row.condition,
  category: (row) => row.categories.join('\n'),
  name: (row) => row.name,
  url: (row) => row.url,
  error: (row) => row.errorCode ?? '',
}

export const FILTER_HELP =
  'Words, or is:failing, category:news, error:timeout, rate>10, items<5, checked>2h, next<10min; - in front means not'

/** Each part separated by spaces narrows further. What is no known comparison is looked for as it stands. */
export function parseFilter(text: string): Test {
  const tests = (text.match(/-?\w*[:<>]?"[^"]*"|\S+/g) ?? []).map(testOf)
  return (row, rowText, now) => tests.every((test) => test(row, rowText, now))
}

export function filtered(data: TableData, filter: Test, now: number): number[] {
  const chosen: number[] = []
  for (let i = 0; i < data.rows.length; i++) {
    if (filter(data.rows[i] as SourceRow, data.text[i] as string, now)) chosen.push(i)
  }
  return chosen
}

function testOf(part: string): Test {
  if (part.length > 1 && part.startsWith('-')) {
    const test = testOf(part.slice(1))
    return (row, text, now) => !test(row, text, now)
  }
  const [, name = '', sign = '', given = ''] = /^(\w+)([:<>])(.+)$/.exec(part) ?? []
  const value = given.replaceAll('"', '')
  return comparison(name.toLowerCase(), sign, value) ?? contains(part.replaceAll('"', ''))
}

function comparison(name: string, sign: string, value: string): Test | null {
  const words = WORDS[name]
  if (words && sign === ':') {
    const wanted = folded(value)
    return (row) => folded(words(row)).includes(wanted)
  }
  if (sign !== '<' && sign !== '>') return null
  const number = NUMBERS[name]
  if (number && value !== '' && Number.isFinite(Number(value))) {
    const limit = Number(value)
    return (row) => isBeyond(number(row), sign, limit)
  }
  const time = TIMES[name]
  const limitMs = durationMs(value)
  if (time && limitMs !== null) return (row, _text, now) => isBeyond(time(row, now), sign, limitMs)
  return null
}

function contains(word: string): Test {
  const wanted = folded(word)
  return (_row, text) => text.includes(wanted)
}

function isBeyond(value: number | null, sign: '<' | '>', limit: number): boolean {
  if (value === null) return false
  return sign === '<' ? value < limit : value > limit
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  m: 60_000,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
}

function durationMs(text: string): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(s|min|m|h|d|w)$/.exec(text) ?? []
  return amount === undefined || unit === undefined ? null : Number(amount) * (UNIT_MS[unit] as number)
}
