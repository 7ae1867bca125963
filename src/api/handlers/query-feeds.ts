import type { z } from 'zod'
import type { AccessFeed, AccessView } from '../../access/index.ts'
import { DAY_MS, type InstantMs, type QueryFeed } from '../../model/index.ts'
import { feedPath } from '../../publisher/addresses.ts'
import { tokenHash } from '../../publisher/feed-access.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import type { queryFeed, queryOperations } from '../operations/queries.ts'
import type { CallContext, Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { feedChangedBy, feedSeenBy, visibleFeeds } from './feed-rights.ts'
import { followersByFeed } from './follows.ts'
import { itemRows } from './item-rows.ts'
import { graphOf } from './query-graph.ts'
import { wishRow } from './wish.ts'

/** Each takes some short reads. */
const MOST_WITH_FIGURES = 500
const FIGURES_OVER_MS = 14 * DAY_MS
const MOST_COUNTED = 20_000

export function queryHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof queryOperations> {
  const { store, services, feeds, clock, events, directory } = deps
  const changed = () => {
    directory.forget()
    events.tell({ kind: 'queries' })
  }

  return {
    async checkQueries({ body }, { caller }) {
      const { errors, ...checked } = await services.queries.check(body.text, body.replace, caller)
      return { ok: errors.length === 0, ...checked, errors: [...errors] }
    },
    async queryWords({ query: { begins, limit } }, call) {
      const part = begins.toLowerCase()
      const fitting = (names: readonly string[]) => {
        const fit = names.filter((name) => name.toLowerCase().startsWith(part)).sort()
        return [...new Set(fit)].slice(0, limit)
      }
      const { fields, keywords } = services.queries.words()
      return {
        // Queries know sources by the names that users gave them.
        sources: fitting(await store.sourceNames()),
        feeds: fitting((await visibleFeeds(call, deps)).map(({ name }) => name)),
        categories: fitting((await store.categories()).map(({ category }) => category)),
        fields: [...fields],
        keywords: [...keywords],
      }
    },
    async previewQueries({ body: { text, ...options } }, { user, caller }) {
      const preview = await services.queries.preview(text, { ...options, by: caller })
      const sources = await directory.byId()
      const rows = preview.feeds.map(async ({ newest, bySource, byDay, ...feed }) => {
        return {
          ...feed,
          selectivity: preview.items === 0 ? 0 : feed.matches / preview.items,
          byDay: [...byDay],
          bySource: bySource.map((one) => ({ ...one, sourceName: nameOf(one.sourceId, sources) })),
          newest: await itemRows(
            newest.map((seq) => ({ seq })),
            user,
            deps,
          ),
        }
      })
      return { items: preview.items, isComplete: preview.isComplete, feeds: await Promise.all(rows) }
    },
    async applyQueries({ body: { text, ...options } }, { caller }) {
      const done = await services.queries.apply(text, { ...options, by: caller })
      changed()
      return { done: [...done] }
    },
    async listQueryFeeds(_input, call) {
      const describe = await describer(call, deps)
      const visible = await visibleFeeds(call, deps)
      const figuresOf = visible.length > MOST_WITH_FIGURES ? () => null : (feed: QueryFeed) => feedFigures(feed, deps)
      const rows = visible.map(async (feed) => ({ ...(await describe(feed)), figures: await figuresOf(feed) }))
      return { feeds: await Promise.all(rows) }
    },
    queryGraph: async (_input, call) => graphOf(await visibleFeeds(call, deps), await services.queries.origins()),
    async showQueryFeed({ params }, call) {
      const feed = await feedSeenBy(params.name, call, deps)
      const row = await (await describer(call, deps))(feed)
      const [state, [last], figures, shares, sources, origins] = await Promise.all([
        store.publicationState(feed.id),
        store.publications(feed.id, { limit: 1 }),
        feedFigures(feed, deps),
        services.shares.ofFeed(feed.id),
        directory.byId(),
        services.queries.origins(),
      ])
      const visible = new Set((await visibleFeeds(call, deps)).map(({ name }) => name))
      const readBy = [...origins].filter(
        ([name, of]) => visible.has(name) && of.some((origin) => origin.kind === 'feed' && origin.name === feed.name),
      )
      return {
        ...row,
        wish: row.isMine ? wishRow(feed.wish, await services.wishes.ofFeed(feed.id)) : null,
        publications: state.count,
        ...figures,
        lastPublishedAt: last?.publishedAt ?? null,
        selectivity: shares
          .map(({ feedId: _, ...one }) => ({ ...one, sourceName: nameOf(one.sourceId, sources) }))
          .sort((a, b) => b.share - a.share),
        reads: (origins.get(feed.name) ?? [])
          .filter(({ kind, name }) => kind !== 'feed' || visible.has(name))
          .map(({ name }) => name),
        readBy: readBy.map(([name]) => name),
        tokens: row.isMine
          ? (await store.feedTokens(feed.id)).map(({ id, label, createdAt }) => ({ id, label, createdAt }))
          : [],
      }
    },
    async setQueryFeed({ params, body }, call) {
      const feed = await feedChangedBy(params.name, call, deps)
      const { isPrivate = feed.isPrivate, weight = feed.weight, wish = feed.wish } = body
      if (!isPrivate && feed.isPrivate) await demandPublishable(feed, deps)
      await store.updateQueryFeed(feed.id, { isPrivate, weight, wish })
      changed()
      return (await describer(call, deps))({ ...feed, isPrivate, weight, wish })
    },
    async dropQueryFeed({ params }, call) {
      const { name } = await feedChangedBy(params.name, call, deps)
      await services.queries.apply(`DROP FEED ${name};`, {
        replace: false,
        backFill: 'none',
        by: call.caller,
      })
      changed()
      return undefined
    },
    async addFeedToken({ params, body }, call) {
      const feed = await feedChangedBy(params.name, call, deps)
      const secret = `hw_${randomSecret()}`
      const token = { hash: tokenHash(secret), label: body.label }
      const add = () => store.addFeedToken(feed.id, token, clock.now())
      const { id } = await services.limits.within(call.user.id, 'tokens', 1, add)
      return { id, secret, urls: urlsOf(feed, feeds.baseUrl, `?token=${secret}`) }
    },
    async removeFeedToken({ params }, call) {
      const feed = await feedChangedBy(params.name, call, deps)
      const isIts = (await store.feedTokens(feed.id)).some(({ id }) => id === params.id)
      if (!isIts) throw new HeadwaterError('TOKEN_NOT_FOUND', String(params.id))
      await store.removeFeedToken(params.id)
      return undefined
    },
  }
}

/** Nobody makes public what its owner may not publish. */
async function demandPublishable({ id, name }: QueryFeed, { access }: HandlerDeps): Promise<void> {
  const view = await access()
  const feed = view.withId(id)
  const hidden = feed === null ? [] : view.unreadable({ ...feed, isPrivate: false })
  if (hidden.length === 0) return
  const words = hidden.map((input) => input.words).join(', ')
  throw new HeadwaterError('RIGHT_MISSING', `to publish what ${name} reads: ${words}`)
}

/** Of items as they arrived, also those that the feed was filled with when it was made. */
async function feedFigures(
  { id }: QueryFeed,
  { store, clock }: Pick<HandlerDeps, 'store' | 'clock'>,
): Promise<{ itemsPerDay: number; lastItemAt: InstantMs | null }> {
  const now = clock.now()
  const [after, upTo, [first], [last]] = await Promise.all([
    store.itemSeqBefore(now - FIGURES_OVER_MS),
    store.lastItemSeq(),
    store.titlesAfter(0, 1),
    store.publications(id, { limit: 1 }),
  ])
  const items = await store.publishedSeqs(id, { after, upTo, limit: MOST_COUNTED })
  // What came in the first hours of a node says little of a day.
  const overMs = Math.max(DAY_MS, Math.min(FIGURES_OVER_MS, now - (first?.firstSeenAt ?? now)))
  return { itemsPerDay: items.length / (overMs / DAY_MS), lastItemAt: last?.item.firstSeenAt ?? null }
}

function nameOf(id: number, sources: ReadonlyMap<number, { readonly name: string }>): string {
  return sources.get(id)?.name ?? `Source ${id}`
}

function urlsOf({ name }: QueryFeed, baseUrl: string, rest = ''): { rss: string; atom: string; json: string } {
  const url = `${baseUrl}${feedPath({ kind: 'query', name })}`
  return { rss: `${url}.rss${rest}`, atom: `${url}.atom${rest}`, json: `${url}.json${rest}` }
}

/** Names of feeds that the caller may not see are in no text. */
function isReadable({ inputs }: AccessFeed, view: AccessView, { caller }: CallContext): boolean {
  return inputs.every(({ feed: name }) => {
    const read = name === null ? null : view.findFeed(name)
    return read === null || view.may(caller, 'see', read)
  })
}

/** One answer for both: what is not there, and what its owner may not read. */
async function lacksOf(feed: AccessFeed, view: AccessView, store: HandlerDeps['store']): Promise<string[]> {
  const closed = new Set(view.unreadable(feed))
  const named = feed.inputs.filter((input) => input.isName && input.feed === null)
  const sources = named.length === 0 ? [] : await store.sources({ names: named.map(({ words }) => words) })
  const there = new Set(sources.map(({ name }) => name))
  const lacking = feed.inputs.filter((input) => closed.has(input) || (named.includes(input) && !there.has(input.words)))
  return [...new Set(lacking.map(({ words }) => words))]
}

type Row = z.input<typeof queryFeed>

async function describer(call: CallContext, deps: HandlerDeps): Promise<(feed: QueryFeed) => Promise<Row>> {
  const { store, feeds, access } = deps
  const view = await access()
  const [owners, users, subscriptions, lastSeq, follows] = await Promise.all([
    store.queryFeedOwners(),
    store.users(),
    store.subscriptions(),
    store.lastItemSeq(),
    store.follows(),
  ])
  const followers = followersByFeed(follows)
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return async (feed) => {
    const owner = owners.get(feed.id)
    const known = view.withId(feed.id)
    const isMine = known !== null && view.may(call.caller, 'change', known)
    return {
      name: feed.name,
      title: feed.title,
      text: known === null || isReadable(known, view, call) ? feed.text : `CREATE FEED ${feed.name} AS RETURN …`,
      limit: feed.limit,
      isPrivate: feed.isPrivate,
      weight: feed.weight,
      owner: owner === undefined ? null : (names.get(owner) ?? null),
      isMine,
      lacks: known === null || !isMine ? [] : await lacksOf(known, view, store),
      isShown: known !== null && view.shows(known),
      createdAt: feed.createdAt,
      alteredAt: feed.alteredAt,
      backFill: feed.catchUpAfter === null ? null : lastSeq === 0 ? 1 : Math.min(1, feed.catchUpAfter / lastSeq),
      urls: urlsOf(feed, feeds.baseUrl),
      subscriptions: subscriptions.filter(({ feedId }) => feedId === feed.id).length,
      followers: followers.get(feedPath({ kind: 'query', name: feed.name })) ?? 0,
    }
  }
}
