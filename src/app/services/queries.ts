import type { FeedOrigin, QueryService } from '../../api/services.ts'
import type { QueryFeedId, User, UserId } from '../../model/index.ts'
import type { FeedQuery, SourceRef, Statement } from '../../query/language/ast.ts'
import { FIELD_NAMES } from '../../query/language/fields.ts'
import { parseQuery } from '../../query/language/parse.ts'
import { printQuery, printStatement } from '../../query/language/print.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { Store } from '../../store/store.ts'
import { applyQueries, checkAgainst, checkText, startOfBackFill } from '../queries/apply.ts'
import { parseBackFill } from '../queries/back-fill.ts'
import { type KnownFeeds, knownFeeds } from '../queries/catalog.ts'
import { previewQueries } from '../queries/preview.ts'

const KEYWORDS =
  'REGISTER CREATE ALTER DROP SUBSCRIBE UNSUBSCRIBE FEED AS RETURN JOIN JOINED ON WITH WHERE DISTINCT BY ORDER ALL AND OR NOT IN CONTAINS MATCHES SIMILAR TITLE LIMIT CATEGORY WEIGHT OUTPUT EVERY'.split(
    ' ',
  )

export function createQueryService(store: Store, clock: Pick<Clock, 'now'>): QueryService {
  return {
    async check(text, replace) {
      if (isStatement(text)) {
        const { statements, errors } = await checkAgainst(text, store, replace)
        const canonical = errors.length > 0 ? null : statements.map((one) => `${printStatement(one)};`).join('\n')
        return { statements: statements.length, errors, canonical }
      }
      const parsed = parseQuery(text)
      return parsed.ok
        ? { statements: 0, errors: [], canonical: printQuery(parsed.value) }
        : { statements: 0, errors: parsed.errors, canonical: null }
    },
    async apply(text, { replace, backFill, by }) {
      const known = await knownFeeds(store, text)
      if (by !== null)
        refuseForeign(checkText(text, known, replace).statements, known, await store.queryFeedOwners(), by)
      const before = new Set([...known.feeds.keys()])
      const done = await applyQueries(text, store, { now: clock.now(), replace, backFill: parseBackFill(backFill) })
      for (const { name, action } of done) {
        if (by === null || action !== 'created' || before.has(name)) continue
        const feed = await store.queryFeed(name)
        if (feed !== null) await store.setQueryFeedOwner(feed.id, by.id)
      }
      return done
    },
    async preview(text, { over, newest, most }) {
      const start = await startOfBackFill(parseBackFill(over), store, clock.now())
      const earliest = await store.itemSeqBeforeLast(most)
      const from = start === 'from now' ? await store.lastItemSeq() : start.after
      const { items, feeds } = await previewQueries(text, store, { after: Math.max(from, earliest), newest })
      return {
        items,
        isComplete: from >= earliest,
        feeds: feeds.map((feed) => ({ ...feed, newest: feed.newest.map(({ item }) => item.seq) })),
      }
    },
    async origins() {
      const { feeds } = await knownFeeds(store, '')
      return new Map([...feeds].map(([name, { statement }]) => [name, originsOf(statement.query, feeds)]))
    },
    words: () => ({ fields: FIELD_NAMES, keywords: KEYWORDS }),
  }
}

/** Else it is a query alone. */
function isStatement(text: string): boolean {
  return /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(REGISTER|CREATE|ALTER|DROP|SUBSCRIBE|UNSUBSCRIBE)\b/i.test(text)
}

/**
 * A user changes own query feeds, and registers sources that are not there yet; what others share is the admin's. Statements
 * with mistakes pass: they are refused as such afterwards.
 */
export function refuseForeign(
  statements: readonly Statement[],
  known: KnownFeeds,
  owners: ReadonlyMap<QueryFeedId, UserId>,
  by: User,
): void {
  for (const statement of statements) {
    const { name } = statement.feed
    if (statement.kind === 'register') {
      const isKnown = known.sources.some(({ url }) => url === normalizeSourceUrl(statement.url))
      if (isKnown) throw new HeadwaterError('RIGHT_MISSING', `admin, to register ${name} anew`)
      continue
    }
    const feed = known.feeds.get(name)?.feed
    const isSource = known.sources.some((source) => source.name === name)
    if (feed !== undefined && owners.get(feed.id) !== by.id) {
      throw new HeadwaterError('RIGHT_MISSING', `${name} is the feed of another user`)
    }
    if (feed === undefined && isSource && (statement.kind === 'alter' || statement.kind === 'drop')) {
      throw new HeadwaterError('RIGHT_MISSING', `admin, to change the source ${name}`)
    }
  }
}

function originsOf(query: FeedQuery, feeds: KnownFeeds['feeds']): readonly FeedOrigin[] {
  return [
    ...query.sources.map((ref) => originOf(ref, false, feeds)),
    ...query.joins.map(({ source }) => originOf(source, true, feeds)),
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
