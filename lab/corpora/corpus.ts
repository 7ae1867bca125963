import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ParseOptions, parseFeed } from '../../src/crawler/parse/parse.ts'
import type { ParseResult } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'

/** So many of these were met, and these were not. */
export interface CorpusCounts {
  readonly name: string
  readonly passed: number
  readonly total: number
  /** Share that must be met; null: only counted. */
  readonly required: number | null
  /** `file: what was expected and what was read`. */
  readonly failures: readonly string[]
}

/** What a corpus expects of things that Headwater does not keep, with the reason. */
export interface NotApplicable {
  readonly reason: string
  readonly count: number
  /** Where, for those that are excluded one by one. */
  readonly names: readonly string[]
}

export interface CorpusResult {
  readonly name: string
  readonly documents: number
  readonly crashed: readonly string[]
  readonly slowestMs: number
  readonly slowestFile: string
  readonly tallies: readonly CorpusCounts[]
  readonly notApplicable: readonly NotApplicable[]
}

/** One folder of documents that others wrote. A new corpus is a file that exports one of these, named in main.ts. */
export interface Corpus {
  readonly name: string
  run(): CorpusResult
}

/** Beyond this a document counts as hung. */
export const SLOWEST_ALLOWED_MS = 200
const MOST_CHANCES = 10

// Beside the project; from lab/corpora and from dist/lab/corpora alike.
const HERE = fileURLToPath(new URL('.', import.meta.url))
export const CORPORA_FOLDER =
  ['../../../shared/corpora', '../../../../shared/corpora']
    .map((up) => join(HERE, up))
    .find((path) => existsSync(path)) ?? join(HERE, '../../../shared/corpora')

export function corpusFolder(name: string): string {
  return join(CORPORA_FOLDER, name)
}

/** All files below a folder whose name ends so, as paths relative to it, sorted. */
export function filesBelow(folder: string, endings: RegExp): readonly string[] {
  const found: string[] = []
  const visit = (path: string): void => {
    for (const name of readdirSync(path).sort()) {
      const full = join(path, name)
      if (statSync(full).isDirectory()) visit(full)
      else if (endings.test(name)) found.push(relative(folder, full))
    }
  }
  if (existsSync(folder)) visit(folder)
  return found
}

/** Reads documents, watching for crashes and slowness, and counts what was met. */
export class Examination {
  private readonly tallies = new Map<string, { passed: number; failures: string[]; required: number | null }>()
  private readonly skipped = new Map<string, { count: number; names: string[] }>()
  private readonly crashed: string[] = []
  private documents = 0
  private slowestMs = 0
  private slowestFile = ''
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** null after a crash, which is noted. */
  read(file: string, options: ParseOptions = {}): ParseResult | null {
    return this.readBytes(file, readFileSync(join(this.folder, file)), options)
  }

  /** A document that is not a file of its own. */
  readBytes(file: string, bytes: Uint8Array, options: ParseOptions = {}): ParseResult | null {
    this.documents++
    try {
      const { result, ms } = this.parseTimed(bytes, options)
      if (ms > this.slowestMs) {
        this.slowestMs = ms
        this.slowestFile = file
      }
      return result
    } catch (error) {
      this.crashed.push(`${file}: ${error instanceof Error ? error.message : String(error)}`)
      return null
    }
  }

  /** Something else than a feed was read. */
  noteDocument(): void {
    this.documents++
  }

  /** Wall or CPU time, whichever is less: a busy machine says nothing about the parser. A slow one gets more chances, and who hangs many. */
  private parseTimed(bytes: Uint8Array, options: ParseOptions): { result: ParseResult; ms: number } {
    let best = Number.POSITIVE_INFINITY
    for (let attempt = 0; ; attempt++) {
      const cpu = process.cpuUsage()
      const start = systemClock.monotonicMs()
      const result = parseFeed(bytes, options)
      const wallMs = systemClock.monotonicMs() - start
      const { user, system } = process.cpuUsage(cpu)
      best = Math.min(best, wallMs, (user + system) / 1_000)
      const chances = best < SLOWEST_ALLOWED_MS ? 3 : MOST_CHANCES
      if (best < SLOWEST_ALLOWED_MS / 4 || attempt + 1 >= chances) return { result, ms: best }
    }
  }

  /** Share that must be met in the end; a tally without is only counted. */
  require(name: string, share: number): void {
    this.tally(name).required = share
  }

  count(name: string, isMet: boolean, failure: () => string): void {
    const tally = this.tally(name)
    if (isMet) tally.passed++
    else tally.failures.push(failure())
  }

  skip(reason: string, name?: string): void {
    const skipped = this.skipped.get(reason) ?? { count: 0, names: [] }
    skipped.count++
    if (name !== undefined) skipped.names.push(name)
    this.skipped.set(reason, skipped)
  }

  result(name: string): CorpusResult {
    return {
      name,
      documents: this.documents,
      crashed: this.crashed,
      slowestMs: this.slowestMs,
      slowestFile: this.slowestFile,
      tallies: [...this.tallies].map(([tallyName, { passed, failures, required }]) => ({
        name: tallyName,
        passed,
        total: passed + failures.length,
        required,
        failures,
      })),
      notApplicable: [...this.skipped]
        .map(([reason, skipped]) => ({ reason, ...skipped }))
        .sort((a, b) => b.count - a.count),
    }
  }

  private tally(name: string): { passed: number; failures: string[]; required: number | null } {
    let tally = this.tallies.get(name)
    if (tally === undefined) {
      tally = { passed: 0, failures: [], required: null }
      this.tallies.set(name, tally)
    }
    return tally
  }
}

/** Whether everything that a corpus must show is shown. */
export function passes(result: CorpusResult): boolean {
  if (result.crashed.length > 0 || result.slowestMs > SLOWEST_ALLOWED_MS) return false
  return result.tallies.every(({ passed, total, required }) => required === null || passed >= required * total)
}
