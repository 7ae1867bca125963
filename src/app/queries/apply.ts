import { addressesOf, type InstantMs } from '../../model/index.ts'
import { checkPlace } from '../../publisher/channels/file-place.ts'
import type { AlterFeed, CreateFeed, Statement } from '../../query/language/ast.ts'
import { checkStatements } from '../../query/language/check.ts'
import { formatQueryError, type QueryError } from '../../query/language/errors.ts'
import { parseStatements } from '../../query/language/parse.ts'
import { printStatement } from '../../query/language/print.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { CatchUp } from '../../store/query-feeds.ts'
import type { Store } from '../../store/store.ts'
import { type BackFill, DEFAULT_BACK_FILL } from './back-fill.ts'
import { catalogOf, type KnownFeeds, knownFeeds } from './catalog.ts'
import { type Done, planChanges } from './changes.ts'

export interface Checked {
  readonly statements: readonly Statement[]
  readonly errors: readonly QueryError[]
}

export interface ApplyOptions {
  readonly now: InstantMs
  readonly backFill?: BackFill
  /** CREATE of a feed that is there changes it. */
  readonly replace?: boolean
  /** Where OUTPUT FILE may write; a path that leads out of it is refused with FILE_OUTSIDE. */
  readonly outputDir?: string
}

/** What is wrong with a text of statements, against what is there. */
export function checkText(text: string, known: KnownFeeds | null, replace = false): Checked {
  const parsed = parseStatements(text)
  if (!parsed.ok) return { statements: [], errors: parsed.errors }
  const statements = parsed.value
  if (known === null) return { statements, errors: checkStatements(text, statements, NOTHING_KNOWN) }
  const again = namesGivenAgain(statements, known, replace)
  return { statements, errors: checkStatements(text, statements, catalogOf(known, again)) }
}

/** Against what the store has; who made a mistake is told which of all names was meant. */
export async function checkAgainst(text: string, store: Store, replace: boolean): Promise<Checked> {
  const checked = checkText(text, await knownFeeds(store, text), replace)
  return checked.errors.length === 0 ? checked : checkText(text, await knownFeeds(store, text, true), replace)
}

const NOTHING_KNOWN = { sources: [], feeds: new Map(), categories: null }

/** A text may be applied twice: who is created as it is, or registered with its address, takes its own name. */
function namesGivenAgain(statements: readonly Statement[], known: KnownFeeds, replace: boolean): ReadonlySet<string> {
  const names = new Set<string>()
  for (const statement of statements) {
    const { name } = statement.feed
    if (statement.kind === 'create') {
      const before = known.feeds.get(name)?.statement
      if (before !== undefined && (replace || printStatement(before) === printStatement(statement))) names.add(name)
    } else if (statement.kind === 'register') {
      const address = normalizeSourceUrl(statement.url)
      const others = known.sources.filter((source) => source.name === name && !addressesOf(source).includes(address))
      if (others.length === 0 && !known.feeds.has(name)) names.add(name)
    }
  }
  return names
}

const ATTEMPTS = 10

/** All statements or none. Works beside a running node, which sees the change within a second. */
export async function applyQueries(text: string, store: Store, options: ApplyOptions): Promise<readonly Done[]> {
  const { now, backFill = DEFAULT_BACK_FILL, replace = false } = options
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await knownFeeds(store, text)
    const { statements, errors } = checkText(text, known, replace)
    if (errors.length > 0) throw invalid((await checkAgainst(text, store, replace)).errors)
    if (options.outputDir !== undefined) checkFiles(statements, options.outputDir)
    const { changes, done } = planChanges(statements, known, await startOfBackFill(backFill, store, now), randomSecret)
    if (await store.changeQueries(changes, known.revision, now)) return done
  }
  throw new HeadwaterError('QUERY_BUSY')
}

function checkFiles(statements: readonly Statement[], folder: string): void {
  for (const statement of statements) {
    if (statement.kind === 'subscribe' && statement.output.kind === 'file') checkPlace(statement.output.path, folder)
  }
}

export function invalid(errors: readonly QueryError[]): HeadwaterError {
  return new HeadwaterError('QUERY_INVALID', `\n${errors.map(formatQueryError).join('\n')}`)
}

/** Where in the archive a query begins. */
export async function startOfBackFill(
  backFill: BackFill,
  store: Store,
  now: InstantMs,
): Promise<Exclude<CatchUp, 'no'>> {
  switch (backFill.kind) {
    case 'none':
      return 'from now'
    case 'all':
      return { after: 0 }
    case 'items':
      return { after: await store.itemSeqBeforeLast(backFill.count) }
    case 'age':
      return { after: await store.itemSeqBefore(now - backFill.lengthMs) }
  }
}

export function isQueryStatement(
  statement: Statement,
): statement is CreateFeed | (AlterFeed & Pick<CreateFeed, 'query'>) {
  return (statement.kind === 'create' || statement.kind === 'alter') && statement.query !== undefined
}
