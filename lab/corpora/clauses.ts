import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ParsedFeed, ParsedItem, ParseResult, Person } from '../../src/model/index.ts'
import { parseUrl } from '../../src/runtime/parse-url.ts'
import { type Corpus, corpusFolder, Examination } from './corpus.ts'
import { sameHtml } from './html-equal.ts'

/** Path, operation, value: see the README of the corpora. */
type Clause = readonly [path: string, op: string, value: unknown]

interface Case {
  readonly name: string
  readonly url: string | null
  readonly contentType: string | null
  readonly document?: string
  readonly base64?: string
  readonly clauses: readonly Clause[]
}

interface Taste {
  readonly name: string
  readonly clause: string
  readonly why: string
}

const TALLY = 'clauses outside matters of taste'

/** Documents with clauses in one file, and a list of those that are a matter of taste. */
function clauseCorpus(name: string): Corpus {
  return {
    name,
    run() {
      const folder = corpusFolder(name)
      const exam = new Examination(folder)
      exam.require(TALLY, 0.97)
      const tastes = new Map(readTastes(folder).map((taste) => [`${taste.name}\n${taste.clause}`, taste.why]))
      for (const one of readCases(folder)) {
        const bytes = one.base64 === undefined ? Buffer.from(one.document ?? '') : Buffer.from(one.base64, 'base64')
        const result = exam.readBytes(one.name, bytes, { url: one.url, contentType: one.contentType })
        if (result !== null) examine(one, result, tastes, exam)
      }
      return exam.result(name)
    },
  }
}

export const clauseCorpora: readonly Corpus[] = ['feedsmith', 'simplepie', 'picofeed'].map(clauseCorpus)

function examine(one: Case, result: ParseResult, tastes: ReadonlyMap<string, string>, exam: Examination): void {
  for (const [path, op, value] of one.clauses) {
    const taste = tastes.get(`${one.name}\n${path}`)
    if (taste !== undefined) {
      exam.skip(`a matter of taste: ${taste}`, `${one.name}: ${path}`)
      continue
    }
    const read = valueAt(path, result)
    exam.count(
      TALLY,
      isClauseMet(op, value, read),
      () => `${one.name}: ${path} ${op} ${brief(value)}, got ${brief(read)}`,
    )
  }
}

function readCases(folder: string): readonly Case[] {
  const file = join(folder, 'cases.jsonl')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Case)
}

function readTastes(folder: string): readonly Taste[] {
  const file = join(folder, 'taste.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Taste[]) : []
}

// Paths ------------------------------------------------------------------------------------------------------------------

function valueAt(path: string, { feed, items }: ParseResult): unknown {
  if (path === 'n') return items.length
  const [head, ...rest] = path.split('.') as [string, ...string[]]
  if (head === 'feed') return feedValue(rest, feed)
  const item = items[Number(head.slice(1))]
  return item === undefined ? undefined : itemValue(rest, item)
}

function feedValue([name, part]: readonly string[], feed: ParsedFeed): unknown {
  switch (name) {
    case 'self':
      return feed.hints.selfUrl
    case 'ttl':
      return feed.hints.ttlMs
    case 'anydate':
      return [feed.updated, feed.published]
    default:
      return sharedValue(name!, part, feed)
  }
}

function itemValue([name, part]: readonly string[], item: ParsedItem): unknown {
  switch (name) {
    case 'body':
      return item.content ?? item.summary
    case 'text':
      return item.summary ?? item.content
    case 'date':
      return item.published ?? item.updated
    case 'anydate':
      return [item.published, item.updated]
    case 'comments':
      return item.commentsUrl
    case 'enclUrls':
      return item.enclosures.map(({ url }) => url)
    case 'enclN':
      return item.enclosures.length
    default:
      if (!name!.startsWith('encl')) return sharedValue(name!, part, item)
      return (item.enclosures[Number(name!.slice(4))] as unknown as Record<string, unknown>)?.[part!]
  }
}

function sharedValue(name: string, part: string | undefined, read: ParsedFeed | ParsedItem): unknown {
  if (name === 'author') return personText(read.authors[0])
  if (/^author\d+$/.test(name)) {
    return (read.authors[Number(name.slice(6))] as unknown as Record<string, unknown>)?.[part!]
  }
  if (/^cat\d+$/.test(name)) return read.categories[Number(name.slice(3))]
  return (read as unknown as Record<string, unknown>)[name]
}

function personText(person: Person | undefined): unknown {
  return person === undefined ? undefined : [person.name, person.email].filter((part) => part !== null)
}

// Operations --------------------------------------------------------------------------------------------------------------

/** Whether what was read is what a clause wants. */
export function isClauseMet(op: string, expected: unknown, read: unknown): boolean {
  switch (op) {
    case 'eq':
      return Array.isArray(read) ? holdsPerson(expected, read) : isEqual(expected, read)
    case 'date':
      return asList(read).some((one) => one === instantOf(expected))
    case 'list':
      return JSON.stringify(expected) === JSON.stringify(read)
    case 'set':
      return JSON.stringify([...asList(expected)].sort()) === JSON.stringify([...asList(read)].sort())
    case 'has':
      return asList(read).some((one) => isEqual(expected, one))
    case 'contains':
      return fold(String(read ?? '')).includes(fold(String(expected)))
    case 'null':
      return asList(read).every((one) => one === null || one === undefined)
    case 'notnull':
      return asList(read).some((one) => one !== null && one !== undefined)
    default:
      throw new Error(`a corpus asks for ${op}, which is unknown`)
  }
}

/** A person as one text: by name, by address, or by both in either order. */
function holdsPerson(expected: unknown, parts: readonly unknown[]): boolean {
  if (parts.some((part) => isEqual(expected, part))) return true
  const text = fold(String(expected))
  return parts.length > 0 && parts.every((part) => text.includes(fold(String(part))))
}

function isEqual(expected: unknown, read: unknown): boolean {
  if (expected === null || expected === '') return read === null || read === undefined || read === ''
  if (typeof expected !== 'string' || typeof read !== 'string') return expected === read
  return fold(expected) === fold(read) || sameHtml(fold(expected), fold(read)) || isSameAddress(expected, read)
}

/** Some parsers add the slash after a bare host. */
function isSameAddress(expected: string, read: string): boolean {
  const address = parseUrl(expected)?.href
  return address !== undefined && address === parseUrl(read)?.href
}

/** In ISO, or in milliseconds. */
function instantOf(value: unknown): number {
  return typeof value === 'number' ? value : Date.parse(String(value))
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
