import type { Enclosure, ParsedFeed, ParsedItem, ParseResult, Person } from '../../src/model/index.ts'
import { parseUrl } from '../../src/runtime/parse-url.ts'
import type { Examination } from './corpus.ts'
import { sameHtml } from './html-equal.ts'

/** What a corpus expects of a feed or item, in our words; what is left out is not expected either way. */
export interface Expectation {
  readonly title?: string | undefined
  readonly link?: string | undefined
  readonly id?: string | undefined
  readonly summary?: string | undefined
  readonly content?: string | undefined
  readonly published?: number | undefined
  readonly updated?: number | undefined
  readonly authors?: readonly PartOf<Person>[]
  readonly categories?: readonly string[] | undefined
  readonly enclosures?: readonly PartOf<Enclosure>[]
}

/** undefined: the corpus says nothing about it. */
export type PartOf<T> = { readonly [Field in keyof T]?: T[Field] | undefined }

export interface WantedFeed extends Expectation {
  readonly items?: readonly Expectation[]
}

type ReadItem = Pick<ParsedItem, 'title' | 'link' | 'id' | 'published' | 'updated' | 'authors' | 'categories'> &
  Partial<Pick<ParsedItem, 'summary' | 'content' | 'enclosures'>> &
  Partial<Pick<ParsedFeed, 'description'>>

/** Compares field by field and counts each under `tally`. */
export function compareFeed(
  exam: Examination,
  tally: string,
  file: string,
  expected: WantedFeed,
  result: ParseResult,
): void {
  const count = counter(exam, tally, file)
  compare('feed', expected, result.feed, count)
  if (expected.items === undefined) return
  count('number of items', expected.items.length, result.items.length, Object.is)
  for (const [index, item] of expected.items.entries()) {
    const read = result.items[index]
    if (read !== undefined) compare(`items[${index}]`, item, read, count)
  }
}

type Same = (expected: unknown, actual: unknown) => boolean
type Count = (what: string, expected: unknown, actual: unknown, same: Same) => void

function counter(exam: Examination, tally: string, file: string): Count {
  return (what, expected, actual, same) =>
    exam.count(tally, same(expected, actual), () => `${file}: ${what} is ${brief(expected)}, got ${brief(actual)}`)
}

function compare(where: string, expected: Expectation, read: ReadItem, count: Count): void {
  const text = (name: 'title' | 'link' | 'id', same: Same): void => {
    if (expected[name] !== undefined) count(`${where}.${name}`, expected[name], read[name], same)
  }
  text('title', sameText)
  text('link', sameAddress)
  text('id', sameText)
  if (expected.summary !== undefined)
    count(`${where}.summary`, expected.summary, read.summary ?? read.description, sameText)
  if (expected.content !== undefined) count(`${where}.content`, expected.content, read.content, sameText)
  if (expected.published !== undefined) count(`${where}.published`, expected.published, read.published, Object.is)
  if (expected.updated !== undefined) count(`${where}.updated`, expected.updated, read.updated, Object.is)
  for (const [i, person] of (expected.authors ?? []).entries()) {
    count(`${where}.authors[${i}]`, person, read.authors[i], includesParts)
  }
  if (expected.categories !== undefined) count(`${where}.categories`, expected.categories, read.categories, sameList)
  for (const [i, enclosure] of (expected.enclosures ?? []).entries()) {
    count(`${where}.enclosures[${i}]`, enclosure, read.enclosures?.[i], includesParts)
  }
}

/** HTML counts as equal when it means the same; an empty text is as good as none. */
function sameText(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'string') return expected === actual
  if (expected.trim() === '') return actual === null || actual === undefined || actual === ''
  return typeof actual === 'string' && (expected.trim() === actual || sameHtml(expected, actual))
}

/** Some parsers add the slash after a bare host, or write hosts in lower case. */
function sameAddress(expected: unknown, actual: unknown): boolean {
  return sameText(expected, actual) || (typeof actual === 'string' && normal(String(expected)) === normal(actual))
}

function normal(url: string): string {
  return parseUrl(url)?.href ?? url
}

function sameList(expected: unknown, actual: unknown): boolean {
  return JSON.stringify(expected) === JSON.stringify(actual)
}

function includesParts(expected: unknown, actual: unknown): boolean {
  if (typeof actual !== 'object' || actual === null) return false
  const parts = Object.entries(expected as object).filter(([, value]) => value !== undefined)
  return parts.every(([key, value]) => (actual as Record<string, unknown>)[key] === value)
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}

// Reading of expectations in JSON ---------------------------------------------------------------------------------------

export type Json = Readonly<Record<string, unknown>>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Only for dates in ISO 8601, as expectations have them. */
export function readIsoDate(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
