import { addressesOf, type InstantMs } from '../../model/index.ts'
import type { AlterFeed, CreateFeed, QueryStatement } from '../../query/language/ast.ts'
import { checkStatements } from '../../query/language/check.ts'
import { formatQueryError, type QueryError } from '../../query/language/errors.ts'
import { parseStatements } from '../../query/language/parse.ts'
import { printStatement } from '../../query/language/print.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { CatchUpStart, QueryChange } from '../../store/query-feeds.ts'
import type { Store } from '../../store/store.ts'
import { type BackFill, DEFAULT_BACK_FILL } from './back-fill.ts'
import { catalogOf, type KnownFeeds, knownFeeds } from './catalog.ts'
import { type AppliedChange, planChanges } from './changes.ts'
import { type Behalf, reachOf, refuseForeign, unseenBy } from './reach.ts'

export interface CheckedText {
  readonly statements: readonly QueryStatement[]
  readonly errors: readonly QueryError[]
}

export interface ApplyOptions {
  readonly now: InstantMs
  readonly backFill?: BackFill
  /** CREATE of a feed that is there changes it. */
  readonly replace?: boolean
  /** Refuses outputs of SUBSCRIBE that could never be served; see app/outputs.ts. */
  readonly checkOutputs?: (statements: readonly QueryStatement[]) => Promise<void>
  /** Refuses what is more than one may have; see app/member-limits.ts. */
  readonly checkChanges?: (changes: readonly QueryChange[]) => Promise<void>
  /** New feeds are private whatever they read. */
  readonly isPrivate?: boolean
  /** Absent: that of the operator at the command line. */
  readonly behalf?: Behalf | null
}

export interface CheckOptions {
  /** CREATE of a feed that is there is no mistake. */
  readonly replace?: boolean
  /** Feeds that must look as if they were not there; absent: none. */
  readonly unseen?: ReadonlyMap<string, readonly string[]>
  /** They are about to be carried out: then names must be free, also of those. */
  readonly isForGood?: boolean
}

/** What is wrong with a text of statements, against what is there. */
export function checkText(text: string, known: KnownFeeds | null, options: CheckOptions = {}): CheckedText {
  const parsed = parseStatements(text)
  if (!parsed.ok) return { statements: [], errors: parsed.errors }
  const statements = parsed.value
  if (known === null) return { statements, errors: checkStatements(text, statements, NOTHING_KNOWN) }
  const { replace = false, unseen = new Map(), isForGood = false } = options
  const again = namesGivenAgain(statements, known, replace, unseen)
  return { statements, errors: checkStatements(text, statements, catalogOf(known, again, unseen, isForGood)) }
}

/** Against what the store has; for a mistyped name, the error suggests one that the caller may see. */
export async function checkAgainst(
  text: string,
  store: Store,
  options: Pick<CheckOptions, 'replace' | 'isForGood'>,
  behalf: Behalf | null,
): Promise<CheckedText> {
  const check = async (withNames: boolean) => {
    const known = await knownFeeds(store, text, withNames)
    const unseen = behalf === null ? new Map() : unseenBy(known, await behalf.access(), behalf.caller)
    return checkText(text, known, { ...options, unseen })
  }
  const checked = await check(false)
  return checked.errors.length === 0 ? checked : check(true)
}

const NOTHING_KNOWN = { sources: [], feeds: new Map(), categories: null }

/** A text may be applied twice: who is created as it is, or registered with its address, takes its own name. */
function namesGivenAgain(
  statements: readonly QueryStatement[],
  known: KnownFeeds,
  replace: boolean,
  unseen: ReadonlyMap<string, unknown>,
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const statement of statements) {
    const { name } = statement.feed
    if (statement.kind === 'create') {
      const before = unseen.has(name) ? undefined : known.feeds.get(name)?.statement
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
export async function applyQueries(
  text: string,
  store: Store,
  options: ApplyOptions,
): Promise<readonly AppliedChange[]> {
  const { now, backFill = DEFAULT_BACK_FILL, replace = false, behalf = null } = options
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await knownFeeds(store, text)
    const reached = behalf === null ? null : await reach(text, known, behalf, replace, store)
    const { statements, errors } = reached ?? checkText(text, known, { replace, isForGood: true })
    if (errors.length > 0) throw invalid(await explained(errors, text, store, options))
    await options.checkOutputs?.(statements)
    const by = behalf?.caller.user?.id ?? null
    const first = (name: string) => ({
      isPrivate: options.isPrivate === true || reached?.privateFeeds.has(name) === true,
      ownerId: by,
    })
    const from = await startOfBackFill(backFill, store, now)
    const { changes, done } = planChanges(statements, known, { from, newSecret: randomSecret, first, by })
    await options.checkChanges?.(changes)
    if (await store.changeQueries(changes, known.revision, now)) return done
  }
  throw new HeadwaterError('QUERY_BUSY')
}

/** Throws RIGHT_MISSING for what is seen and another's. */
async function reach(text: string, known: KnownFeeds, { caller, access }: Behalf, replace: boolean, store: Store) {
  const view = await access()
  const unseen = unseenBy(known, view, caller)
  const checked = checkText(text, known, { replace, unseen, isForGood: true })
  refuseForeign(checked.statements, known, view, caller)
  if (checked.errors.length > 0) return { ...checked, privateFeeds: new Set<string>() }
  const { errors, privateFeeds } = await reachOf(text, queriesOf(checked.statements), caller, view, store)
  return { statements: checked.statements, errors, privateFeeds }
}

/** With the names that may have been meant. */
async function explained(
  errors: readonly QueryError[],
  text: string,
  store: Store,
  { replace = false, behalf = null }: ApplyOptions,
): Promise<readonly QueryError[]> {
  const again = await checkAgainst(text, store, { replace, isForGood: true }, behalf)
  return again.errors.length > 0 ? again.errors : errors
}

function queriesOf(statements: readonly QueryStatement[]): readonly Pick<CreateFeed, 'feed' | 'query'>[] {
  return statements.filter(isQueryStatement)
}

export function invalid(errors: readonly QueryError[]): HeadwaterError {
  return new HeadwaterError('QUERY_INVALID', `\n${errors.map(formatQueryError).join('\n')}`)
}

/** Where in the archive a query begins. */
export async function startOfBackFill(
  backFill: BackFill,
  store: Store,
  now: InstantMs,
): Promise<Exclude<CatchUpStart, 'no'>> {
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
  statement: QueryStatement,
): statement is CreateFeed | (AlterFeed & Pick<CreateFeed, 'query'>) {
  return (statement.kind === 'create' || statement.kind === 'alter') && statement.query !== undefined
}
