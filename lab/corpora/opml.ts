import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { splitCategory } from '../../src/sources/category-path.ts'
import { type OpmlList, readOpml, writeOpml } from '../../src/sources/opml.ts'
import {
  type Corpus,
  type CorpusCounts,
  type CorpusResult,
  corpusFolder,
  filesBelow,
  SLOWEST_ALLOWED_MS,
} from './corpus.ts'
import { evaluateClause } from './python-clause.ts'

/** Reads lists, watching for crashes and slowness. */
class ListExamination {
  private documents = 0
  private readonly crashed: string[] = []
  private slowestMs = 0
  private slowestFile = ''
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  read(file: string): OpmlList | null {
    const bytes = readFileSync(join(this.folder, file))
    this.documents += 1
    try {
      const { list, ms } = parseTimed(bytes)
      if (ms > this.slowestMs) [this.slowestMs, this.slowestFile] = [ms, file]
      return list
    } catch (error) {
      this.crashed.push(`${file}: ${error instanceof Error ? error.message : String(error)}`)
      return null
    }
  }

  result(name: string, tallies: readonly CorpusCounts[], skipped: ReadonlyMap<string, number>): CorpusResult {
    const notApplicable = [...skipped].map(([reason, count]) => ({ reason, count, names: [] }))
    const { documents, crashed, slowestMs, slowestFile } = this
    return { name, documents, crashed, slowestMs, slowestFile, tallies, notApplicable }
  }
}

/** A slow list gets a second and third chance: the machine may have been busy. */
function parseTimed(bytes: Uint8Array): { list: OpmlList; ms: number } {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; ; attempt++) {
    const startMs = systemClock.monotonicMs()
    const list = readOpml(bytes)
    best = Math.min(best, systemClock.monotonicMs() - startMs)
    if (best < SLOWEST_ALLOWED_MS / 10 || attempt === 2) return { list, ms: best }
  }
}

// Reported to the user, but nothing was wrong with the document.
const NOTES = new Set(['no-feed-address', 'included-list'])

/** Our reading in the words of listparser. */
function asListparser(list: OpmlList): object {
  const feeds = list.entries.map((entry) => {
    const categories = entry.categories.map((category) => [...splitCategory(category)])
    const tags = categories.flatMap((path) => (path.length === 1 ? path : []))
    return { url: entry.url, title: entry.name ?? '', categories, tags }
  })
  const linked = (links: OpmlList['pages']) => links.map(({ url, name }) => ({ url, title: name ?? '' }))
  return {
    bozo: list.problems.some(({ code }) => !NOTES.has(code)),
    meta: list.title === null ? {} : { title: list.title },
    feeds,
    lists: linked(list.lists),
    opportunities: linked(list.pages),
  }
}

/** Why Headwater has no answer; null where it must have one. */
function reasonNotStored(clause: string, file: string): string | null {
  if (/'author'|"author"/.test(clause)) return 'the owner of a list is not stored'
  if (/'(created|modified)/.test(clause) || (/-invalid/.test(file) && /bozo/.test(clause)))
    return 'dates of a list are not stored'
  return clause.includes("'version'") ? 'the version of the format is not stored' : null
}

interface Expectation {
  readonly file: string
  readonly eval: readonly string[]
}

export const listparser: Corpus = {
  name: 'listparser',
  run() {
    const folder = corpusFolder('listparser')
    const examination = new ListExamination(folder)
    const skipped = new Map<string, number>()
    const failures: string[] = []
    let passed = 0
    for (const { file, eval: clauses } of expectations(folder)) {
      const list = examination.read(file)
      if (list === null) continue
      const result = asListparser(list)
      for (const clause of clauses) {
        const reason = reasonNotStored(clause, file)
        if (reason !== null) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
        else if (evaluateClause(clause, result) === true) passed += 1
        else failures.push(`${file}: ${clause}`)
      }
    }
    const tally = { name: 'clauses', passed, total: passed + failures.length, required: 0.99, failures }
    return examination.result('listparser', [tally], skipped)
  },
}

function expectations(folder: string): readonly Expectation[] {
  const path = join(folder, 'expect.jsonl')
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Expectation)
}

/** Lists that people keep: each must be read, hold as many feeds as a plain search finds, and survive a round trip. */
function listsOf(name: string): Corpus {
  return {
    name,
    run() {
      const folder = corpusFolder(name)
      const examination = new ListExamination(folder)
      const whole = { name: 'lists whole', passed: 0, total: 0, required: 1, failures: [] as string[] }
      const feeds = { name: 'feeds read', passed: 0, total: 0, required: 1, failures: [] as string[] }
      for (const file of filesBelow(folder, /\.opml$/)) {
        const list = examination.read(file)
        if (list === null) continue
        const expected = distinctAddresses(readFileSync(join(folder, file), 'utf8'))
        const again = readOpml(writeOpml(list.entries, 'again', 0)).entries
        const found = list.entries.length
        feeds.passed += Math.min(found, expected)
        feeds.total += expected
        whole.total += 1
        if (found === expected && sameEntries(list.entries, again)) whole.passed += 1
        else whole.failures.push(`${file}: ${found} feeds of ${expected}, ${again.length} after a round trip`)
      }
      return examination.result(name, [whole, feeds], new Map())
    },
  }
}

function distinctAddresses(text: string): number {
  return new Set([...text.matchAll(/\bxmlUrl\s*=\s*"\s*([^"]+?)\s*"/gi)].map((match) => match[1])).size
}

function sameEntries(before: OpmlList['entries'], after: OpmlList['entries']): boolean {
  const byUrl = (entries: OpmlList['entries']) => JSON.stringify([...entries].sort((a, b) => (a.url < b.url ? -1 : 1)))
  return byUrl(before) === byUrl(after)
}

export const opmlLists: readonly Corpus[] = ['awesome-rss-feeds', 'web-dev-feeds', 'awesome-tech-rss'].map(listsOf)
