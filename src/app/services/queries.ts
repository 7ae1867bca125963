import type { ReadAccess } from '../../access/index.ts'
import type { QueryFormFields } from '../../api/operations/wire.ts'
import type { FeedOrigin, QueryService } from '../../api/services.ts'
import { MINUTE_MS } from '../../model/index.ts'
import type { FeedQuery, QueryStatement, SourceRef } from '../../query/language/ast.ts'
import { FIELD_NAMES } from '../../query/language/fields.ts'
import { formOf } from '../../query/language/form.ts'
import { parseQuery } from '../../query/language/parse.ts'
import { printQuery, printStatement } from '../../query/language/print.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createWorkQueue } from '../../runtime/work-queue.ts'
import type { Store } from '../../store/store.ts'
import type { OutputCheck } from '../publishing/outputs.ts'
import { type ApplyOptions, applyQueries, checkAgainst, startOfBackFill } from '../queries/apply.ts'
import { parseBackFill } from '../queries/back-fill.ts'
import { type KnownFeeds, knownFeeds } from '../queries/catalog.ts'
import { previewQueries } from '../queries/preview.ts'
import { unreadInPreview } from '../queries/reach.ts'
import type { LimitCheck } from '../users/member-limits.ts'

const KEYWORDS =
  'REGISTER CREATE ALTER DROP SUBSCRIBE UNSUBSCRIBE FEED AS RETURN JOIN JOINED ON WITH WHERE DISTINCT BY ORDER FULLTEXT FETCH WAIT ALL AND OR NOT IN CONTAINS MATCHES SIMILAR TITLE LIMIT CATEGORY WEIGHT OUTPUT EVERY SCORE SIMILARITY FRESHNESS'.split(
    ' ',
  )

/** Each may walk through the whole archive. */
const PREVIEWS = { name: 'previews', atOnce: 2, mostWaiting: 10, deadlineMs: 2 * MINUTE_MS }

export interface QueryServiceDeps {
  readonly store: Store
  readonly limits: LimitCheck
  readonly access: ReadAccess
  readonly outputs: OutputCheck
  readonly clock: Pick<Clock, 'now'>
}

export function createQueryService({ store, access, outputs, limits, clock }: QueryServiceDeps): QueryService {
  const previews = createWorkQueue(PREVIEWS)
  return {
    async check(text, replace, caller) {
      if (isStatement(text)) {
        const { statements, errors } = await checkAgainst(text, store, { replace }, { caller, access })
        const canonical = errors.length > 0 ? null : statements.map((one) => `${printStatement(one)};`).join('\n')
        return { statements: statements.length, errors, canonical, form: formIn(statements, errors) }
      }
      const parsed = parseQuery(text)
      return parsed.ok
        ? { statements: 0, errors: [], canonical: printQuery(parsed.value), form: null }
        : { statements: 0, errors: parsed.errors, canonical: null, form: null }
    },
    apply(text, { replace, backFill, isPrivate = false, by: caller }) {
      const userId = caller.user?.id ?? null
      const options: ApplyOptions = {
        now: clock.now(),
        replace,
        backFill: parseBackFill(backFill),
        behalf: { caller, access },
        isPrivate,
        checkOutputs: (statements) => outputs.checkStatements(statements, userId),
        checkChanges: (changes) => limits.checkChanges(userId, changes),
      }
      return limits.inTurn(userId, () => applyQueries(text, store, options))
    },
    preview: (text, options) => previews.run((signal) => preview(text, options, signal)),
    origins: () => feedOrigins(store),
    words: () => ({ fields: FIELD_NAMES, keywords: KEYWORDS }),
  }

  async function preview(
    text: string,
    { over, newest, most, by }: Parameters<QueryService['preview']>[1],
    signal: AbortSignal,
  ): ReturnType<QueryService['preview']> {
    const start = await startOfBackFill(parseBackFill(over), store, clock.now())
    const earliest = await store.itemSeqBeforeLast(most)
    const from = start === 'from now' ? await store.lastItemSeq() : start.after
    const unread = unreadInPreview(await access(), by)
    const options = { after: Math.max(from, earliest), newest, unread, signal }
    const { items, feeds } = await previewQueries(text, store, options)
    return {
      items,
      isComplete: from >= earliest,
      feeds: feeds.map((feed) => ({ ...feed, newest: feed.newest.map(({ item }) => item.seq) })),
    }
  }
}

/** What each query feed reads. */
export async function feedOrigins(store: Store): Promise<ReadonlyMap<string, readonly FeedOrigin[]>> {
  const { feeds } = await knownFeeds(store, '')
  return new Map([...feeds].map(([name, { statement }]) => [name, originsOf(statement.query, feeds)]))
}

function formIn(statements: readonly QueryStatement[], errors: readonly unknown[]): QueryFormFields | null {
  const [only, second] = statements
  if (errors.length > 0 || only?.kind !== 'create' || second !== undefined) return null
  const { from, joins, conditions, ending, ...rest } = formOf(only)
  return {
    ...rest,
    from: from === null ? null : [...from],
    joins: [...joins],
    conditions: conditions.map((one) => (one.kind === 'words' ? { ...one, words: [...one.words] } : one)),
    ending: [...ending],
  }
}

/** Else it is a query alone. */
function isStatement(text: string): boolean {
  return /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(REGISTER|CREATE|ALTER|DROP|SUBSCRIBE|UNSUBSCRIBE)\b/i.test(text)
}

function originsOf(query: FeedQuery, feeds: KnownFeeds['feeds']): readonly FeedOrigin[] {
  return [
    ...query.sources.map((ref) => originOf(ref, false, feeds)),
    ...query.joins.flatMap(({ sources }) => sources.map((source) => originOf(source, true, feeds))),
  ]
}

function originOf({ origin }: SourceRef, isJoin: boolean, feeds: KnownFeeds['feeds']): FeedOrigin {
  switch (origin.kind) {
    case 'all':
      return { kind: 'all', name: 'ALL', isJoin }
    case 'category':
      return { kind: 'category', name: origin.category, isJoin }
    case 'url':
      return { kind: 'url', name: origin.url, isJoin }
    case 'name':
      return { kind: feeds.has(origin.name) ? 'feed' : 'source', name: origin.name, isJoin }
  }
}
