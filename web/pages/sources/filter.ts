import { DAY_MS, HOUR_MS } from '../../format/words.ts'
import { t } from '../../language/current.ts'
import { type Columns, foldText, type TableData } from './table-data.ts'

/** Whether a source, by its place in the columns, fits. */
type Fits = (at: number) => boolean
type Test = (data: TableData, now: number) => Fits

const NUMBERS: Readonly<Record<string, (columns: Columns) => readonly (number | null)[]>> = {
  id: ({ id }) => id,
  items: ({ items }) => items,
  weight: ({ weight }) => weight,
  rate: ({ ratePerHour }) => ratePerHour,
  window: ({ windowSize }) => windowSize,
}

/** How long ago, or for `next` in how long: the sign of what is to come. */
const TIMES: Readonly<Record<string, readonly [sign: 1 | -1, (columns: Columns) => readonly (number | null)[]]>> = {
  checked: [-1, ({ lastCheckAt }) => lastCheckAt],
  new: [-1, ({ lastNewItemAt }) => lastNewItemAt],
  next: [1, ({ nextCheckAt }) => nextCheckAt],
}

const WORDS: Readonly<Record<string, (columns: Columns) => (at: number) => string>> = {
  is:
    ({ condition }) =>
    (at) =>
      condition[at] ?? '',
  condition:
    ({ condition }) =>
    (at) =>
      condition[at] ?? '',
  folder:
    ({ categories }) =>
    (at) =>
      categories[at]?.join('\n') ?? '',
  needs:
    ({ condition }) =>
    (at) =>
      NEEDY.has(condition[at] ?? '') ? 'me' : '',
  category:
    ({ categories }) =>
    (at) =>
      categories[at]?.join('\n') ?? '',
  name:
    ({ name }) =>
    (at) =>
      name[at] ?? '',
  url:
    ({ url }) =>
    (at) =>
      url[at] ?? '',
  error:
    ({ errorCode }) =>
    (at) =>
      errorCode[at] ?? '',
}

export const FILTER_TRIES = ['needs:me', 'folder:news', 'rate>10', 'new>7d', '-is:paused'] as const

/** Which states want somebody to do something. */
const NEEDY = new Set(['saturated', 'flooding', 'failing', 'retired'])

const CONDITIONS = ['new', 'active', 'saturated', 'flooding', 'failing', 'retired', 'paused'] as const

const PARTS = /-?\w*[:<>]?"[^"]*"|\S+/g

/** Each part separated by spaces narrows further. What is no known comparison is looked for as it stands. */
export function parseFilter(text: string): readonly Test[] {
  return (text.match(PARTS) ?? []).map(testOf)
}

/** What of a filter can fit nothing, in words; null: it is right. */
export function mistakeIn(text: string): string | null {
  for (const part of text.match(PARTS) ?? []) {
    const [, name = '', value = ''] = /^-?(is|condition):(.+)$/i.exec(part) ?? []
    const needle = foldText(value.replaceAll('"', ''))
    if (name !== '' && !CONDITIONS.some((condition) => condition.includes(needle)))
      return t.sources.fitsNothing({ part: `${name}:${value}`, all: CONDITIONS.map((one) => `is:${one}`).join(', ') })
  }
  return null
}

type Said = Readonly<Record<string, ((p: { readonly value: string }) => string) | undefined>>

/** What is understood, as a sentence goes on after a number of sources. */
export function filterWords(text: string): string {
  const parts = (text.match(PARTS) ?? []).map((part) => {
    const [, not = '', name = '', sign = '', value = ''] = /^(-?)(\w+)([:<>])(.+)$/.exec(part) ?? []
    const said = (t.sources.said as Said)[name.toLowerCase()]
    if (said === undefined)
      return part.startsWith('-') ? t.sources.without({ words: part.slice(1) }) : t.sources.with({ words: part })
    const amount = sign === '>' ? t.sources.moreThan({ value }) : sign === '<' ? t.sources.lessThan({ value }) : value
    const words = said({ value: amount })
    return not === '' ? words : t.sources.not({ words })
  })
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

/** 1 for each that fits; null: all do. */
export function filterRows(data: TableData, tests: readonly Test[], now: number): Uint8Array | null {
  if (tests.length === 0) return null
  const fits = tests.map((test) => test(data, now))
  const chosen = new Uint8Array(data.count)
  for (let at = 0; at < data.count; at++) if (fits.every((fitsAt) => fitsAt(at))) chosen[at] = 1
  return chosen
}

function testOf(part: string): Test {
  if (part.length > 1 && part.startsWith('-')) {
    const test = testOf(part.slice(1))
    return (data, now) => {
      const fits = test(data, now)
      return (at) => !fits(at)
    }
  }
  const [, name = '', sign = '', text = ''] = /^(\w+)([:<>])(.+)$/.exec(part) ?? []
  const value = text.replaceAll('"', '')
  return comparison(name.toLowerCase(), sign, value) ?? contains(part.replaceAll('"', ''))
}

function containsIn(words: (columns: Columns) => (at: number) => string, value: string): Test {
  const needle = foldText(value)
  return ({ columns }) => {
    const read = words(columns)
    return (at) => foldText(read(at)).includes(needle)
  }
}

function comparison(name: string, sign: string, value: string): Test | null {
  const words = WORDS[name]
  if (words && sign === ':') return containsIn(words, value)
  if (sign !== '<' && sign !== '>') return null
  const number = NUMBERS[name]
  if (number && value !== '' && Number.isFinite(Number(value))) {
    const limit = Number(value)
    return ({ columns }) => {
      const values = number(columns)
      return (at) => isBeyond(values[at] ?? null, sign, limit)
    }
  }
  const [towards, time] = TIMES[name] ?? []
  const limitMs = durationMs(value)
  if (!time || !towards || limitMs === null) return null
  return ({ columns }, now) => {
    const times = time(columns)
    return (at) => {
      const instant = times[at]
      return instant != null && isBeyond(towards * (instant - now), sign, limitMs)
    }
  }
}

function contains(word: string): Test {
  const needle = foldText(word)
  return (data) => {
    const text = data.text()
    return (at) => text[at]?.includes(needle) === true
  }
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
