import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ParseOptions } from '../../src/crawler/parse/parse.ts'
import { resolveBase } from '../../src/crawler/parse/url.ts'
import type { ParseResult } from '../../src/model/index.ts'
import { sanitizeHtml } from '../../src/publisher/sanitize.ts'
import { type Corpus, type CorpusResult, corpusFolder, Examination, filesBelow } from './corpus.ts'
import { expectedDate, lookUp, type Path, type PathValue, SKIP } from './feedparser-paths.ts'
import { sameHtml } from './html-equal.ts'
import { findDanger } from './safety.ts'

interface Clause {
  readonly path?: Path
  readonly op?: string
  readonly value?: unknown
  readonly python?: string
}

interface Expectation {
  readonly file: string
  readonly headers: readonly (readonly [string, string])[]
  readonly clauses?: readonly Clause[]
}

const FOLDER = corpusFolder('feedparser')
// feedparser's own tests fetch these from a server at this address; the expectations name it.
const TEST_SERVER = 'http://127.0.0.1:8097/'

const REQUIRED = 'clauses on title, link, id, dates, author, categories, summary, content, enclosures'
const MORE = 'clauses on other fields that the model keeps'
const BOZO = 'clauses on well-formedness (bozo)'
const SAFE = 'sanitize/: texts safe after the sanitiser'
const HTML = 'of the first: equal as HTML though not to the letter'

export const feedparser: Corpus = { name: 'feedparser', run }

function run(): CorpusResult {
  const exam = new Examination(FOLDER)
  exam.require(REQUIRED, 0.95)
  exam.require(BOZO, 0.99)
  exam.require(SAFE, 1)
  const expectations = readExpectations()
  for (const expectation of expectations) examine(expectation, exam)
  const named = new Set(expectations.map(({ file }) => file))
  for (const file of filesBelow(FOLDER, /\.(?:xml|json|atom|rss|rdf|cdf)$/)) if (!named.has(file)) exam.read(file)
  return exam.result('feedparser')
}

function readExpectations(): readonly Expectation[] {
  const path = join(FOLDER, 'expect.jsonl')
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Expectation)
    .filter(({ file }) => existsSync(join(FOLDER, file)))
}

function examine(expectation: Expectation, exam: Examination): void {
  const { file } = expectation
  const result = exam.read(file, optionsFor(expectation))
  if (result === null) return
  const sanitizing = file.includes('/sanitize/')
  if (sanitizing) judgeSafety(file, result, exam)
  for (const clause of expectation.clauses ?? []) {
    if (isBozo(clause)) judgeBozo(file, clause, result, exam)
    else if (!sanitizing) judgeClause(file, clause, result, exam)
  }
}

function optionsFor({ file, headers }: Expectation): ParseOptions {
  const header = (name: string): string | null => headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null
  const documentUrl = file.includes('http') ? TEST_SERVER + file : null
  const location = header('content-location')
  return {
    contentType: header('content-type'),
    url: location === null ? documentUrl : resolveBase(location, documentUrl),
  }
}

// Well-formedness -----------------------------------------------------------------------------------------------------

function isBozo({ path }: Clause): boolean {
  return path?.length === 1 && path[0] === 'bozo'
}

function judgeBozo(file: string, { op, value }: Clause, result: ParseResult, exam: Examination): void {
  const expected = op === 'truthy' || (op === 'Eq' && Boolean(value))
  const codes = result.problems.map(({ code }) => code).join(', ')
  exam.count(
    BOZO,
    result.problems.length > 0 === expected,
    () => `${file}: bozo is ${expected}; problems: ${codes || 'none'}`,
  )
}

// Safety --------------------------------------------------------------------------------------------------------------

function judgeSafety(file: string, result: ParseResult, exam: Examination): void {
  const { feed } = result
  const texts = [
    feed.title,
    feed.description,
    feed.copyright,
    ...result.items.flatMap((i) => [i.title, i.summary, i.content]),
  ]
  for (const text of texts) {
    if (text === null) continue
    const danger = findDanger(sanitizeHtml(text))
    exam.count(SAFE, danger === null, () => `${file}: ${danger} in ${JSON.stringify(text)}`)
  }
}

// Fields --------------------------------------------------------------------------------------------------------------

function judgeClause(file: string, clause: Clause, result: ParseResult, exam: Examination): void {
  const plain = clause.python === undefined ? [clause] : fromPython(clause.python)
  if (plain === null) exam.skip(SKIP.python)
  for (const { path, op, value } of plain ?? []) {
    const found = lookUp(path!, result)
    if ('skip' in found) exam.skip(found.skip)
    else if (found.kind === 'one-of' && isOtherLink(value)) exam.skip(SKIP.link)
    else judgeFound(file, { path: path!, op: op!, value }, found, exam)
  }
}

function judgeFound(
  file: string,
  { path, op, value }: { path: Path; op: string; value: unknown },
  found: Exclude<PathValue, { skip: string }>,
  exam: Examination,
): void {
  const actual = found.kind === 'one-of' ? found.values : found.value
  const isMet = meets(found, op, value)
  const group = found.group === 'asked' ? REQUIRED : MORE
  exam.count(
    group,
    isMet,
    () => `${file}: ${path.join('.')} ${op} ${JSON.stringify(value)}, got ${JSON.stringify(actual)}`,
  )
  if (isMet && found.group === 'asked' && found.kind === 'html' && op === 'Eq' && found.value !== value) {
    exam.count(HTML, true, () => '')
  }
}

function meets(found: Exclude<PathValue, { skip: string }>, op: string, expected: unknown): boolean {
  const actual = found.kind === 'one-of' ? found.values[0] : found.value
  if (op === 'truthy') return Boolean(actual)
  if (op === 'falsy' || op === 'lacks') return !actual
  if (op === 'NotEq') return actual !== expected
  if (found.kind === 'one-of') return found.values.includes(addressOf(expected))
  if (found.kind === 'date') return found.value === expectedDate(expected)
  if (found.kind === 'html') return sameText(found.value, expected)
  return sameValue(found.value, expected)
}

function sameText(actual: string | number | null, expected: unknown): boolean {
  if (typeof actual !== 'string' || typeof expected !== 'string') return (actual ?? null) === (expected ?? null)
  return actual === expected || sameHtml(actual, expected)
}

/** feedparser reports charset and version names in its own spelling, and an enclosure as a whole. */
function sameValue(actual: string | number | null, expected: unknown): boolean {
  if (typeof expected === 'object' && expected !== null && 'href' in expected) return actual === expected.href
  if (typeof actual !== 'string' || typeof expected !== 'string') return actual === expected
  return (
    actual === expected ||
    actual.toLowerCase() === expected.toLowerCase() ||
    `${actual}n` === expected ||
    `${actual}u` === expected
  )
}

function addressOf(expected: unknown): string {
  if (typeof expected === 'string') return expected
  return String((expected as { href?: unknown } | null)?.href)
}

/** A link as a whole with a relation that the model has no place for, such as service.post. */
function isOtherLink(expected: unknown): boolean {
  const rel = (expected as { rel?: unknown } | null)?.rel
  return rel !== undefined && rel !== 'alternate' && rel !== 'enclosure' && rel !== 'self'
}

// Python --------------------------------------------------------------------------------------------------------------

/** `a == b == 'text'` and `not a.has_key('b')`; anything else is beyond us. */
function fromPython(expression: string): readonly Clause[] | null {
  const absent = /^not (.+)\.has_key\('(\w+)'\)$/.exec(expression)
  if (absent !== null) return [{ path: [...pythonPath(absent[1] ?? ''), absent[2] ?? ''], op: 'lacks' }]
  const parts = expression.split(' == ')
  const literal = /^'([^'\\]*)'$/.exec(parts.at(-1)!)
  if (parts.length < 2 || literal === null || expression.includes('ord(') || expression.includes(' or ')) return null
  return parts.slice(0, -1).map((part) => ({ path: pythonPath(part), op: 'Eq', value: literal[1] }))
}

function pythonPath(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|\['([^']+)'\]|(\w+)/g)].map((match) =>
    match[1] === undefined ? (match[2] ?? match[3] ?? '') : Number(match[1]),
  )
}
