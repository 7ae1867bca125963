import type { z } from 'zod'
import type { Source, SourceId } from '../../model/index.ts'
import { feedPath } from '../../publisher/addresses.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import { ERRORS, type ErrorCode, pageHintOf } from '../../runtime/errors.ts'
import type { StoredModel } from '../../store/scheduling.ts'
import type { sourceDetail } from '../operations/sources.ts'
import { clausesOf } from '../reason-clauses.ts'
import type { CallContext } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { shownFeeds } from './feed-rights.ts'
import { sourceRowOf } from './source-directory.ts'

type Deps = Pick<HandlerDeps, 'store' | 'access' | 'services' | 'feeds' | 'clock'>

async function pushOf(id: SourceId, { store }: Deps): Promise<z.input<typeof sourceDetail>['push']> {
  const [push] = await store.pushes({ afterId: id - 1, limit: 1 })
  if (push?.sourceId !== id) return null
  const { kind, hub, status, leaseEndsAt, pushedAt, pushes, refused, repeated, lastError } = push
  return { kind, hub, status, leaseEndsAt, pushedAt, pushes, refused, repeated, lastError }
}

/** All about a source, secrets hidden. */
export async function detailOf(source: Source, call: CallContext, deps: Deps): Promise<z.input<typeof sourceDetail>> {
  const { store, services, feeds } = deps
  const { user } = call
  const [models, items, trust, importance, follows] = await Promise.all([
    store.models([source.id]),
    store.itemCount(source.id),
    store.trust(user.id),
    services.importance(),
    store.follows(),
  ])
  const model = models.get(source.id) ?? null
  const { state } = source
  const [newest] = await store.items({ scope: { kind: 'source', sourceId: source.id }, limit: 1 })
  const path = feedPath({ kind: 'source', sourceId: source.id })
  const summary = {
    ...source,
    ...state,
    isSaturated: state.saturation !== null,
    lastLosses: state.lastLosses ?? [],
    isRefused: state.refusal !== null,
    errorCode: state.lastError?.code ?? null,
    items,
    model,
  }
  return {
    ...sourceRowOf(summary, services.models, deps.clock.now()),
    windowSize: model?.windowSize ?? (state.window.length || null),
    siteUrl: state.siteUrl,
    title: state.title,
    feedCategories: [...state.feedCategories],
    ownName: source.name,
    format: state.format,
    status: state.status,
    paused: source.paused,
    addedAt: source.addedAt,
    intervalMs: source.intervalMs,
    minIntervalMs: source.minIntervalMs ?? null,
    maxIntervalMs: source.maxIntervalMs ?? null,
    dailyAllowance: source.dailyAllowance ?? null,
    pages: source.pages ?? 'off',
    pageSums: { ...(await store.pageSums(source.id)), ...services.sources.retention() },
    listing: source.listing ?? null,
    intake: await services.sources.intake(source),
    refusal: state.refusal,
    headers: Object.keys(source.headers),
    basicAuthUser: source.basicAuth?.user ?? null,
    userAgent: source.userAgent,
    proxyUrl: source.proxyUrl === null ? null : withoutCredentials(source.proxyUrl),
    lastSuccessAt: state.lastSuccessAt,
    nextCheckReason: state.nextCheckReason,
    nextCheckClauses: clausesOf(state.nextCheckReason),
    failureCount: state.failureCount,
    lastError: state.lastError && toldError(state.lastError),
    slowHostMs: await services.slowHostMs(source.url),
    movingTo: state.movingTo,
    datesCredible: state.datesCredible,
    hints: hintsOf(source),
    deltas: state.deltas ? { count: state.deltas.count, savedBytes: state.deltas.savedBytes } : null,
    push: await pushOf(source.id, deps),
    saturation: state.saturation,
    newestItemAt: newest?.sortAt ?? null,
    window: windowOf(source, model, deps),
    counts: await services.counts(source),
    trust: trust.get(source.id) ?? 1,
    importance: source.weight * (importance.of.get(source.id) ?? importance.others).relevance,
    subscribers: (importance.of.get(source.id) ?? importance.others).subscribers,
    isFollowed: follows.some(({ userId, feed }) => userId === user.id && feed === path),
    readBy: await readersOf(source, call, deps),
    feeds: {
      rss: `${feeds.baseUrl}${path}.rss`,
      atom: `${feeds.baseUrl}${path}.atom`,
      json: `${feeds.baseUrl}${path}.json`,
    },
  }
}

function toldError(error: NonNullable<Source['state']['lastError']>): z.input<typeof sourceDetail>['lastError'] {
  if (!Object.hasOwn(ERRORS, error.code)) return { ...error, hint: '', params: {} }
  const code = error.code as ErrorCode
  const start = `${ERRORS[code].summary}: `
  const params = error.message.startsWith(start) ? { detail: error.message.slice(start.length) } : {}
  return { ...error, hint: pageHintOf(code), params }
}

function hintsOf({ state }: Source): z.input<typeof sourceDetail>['hints'] {
  const { hints, notBefore } = state
  if (hints === null && notBefore === null) return null
  return {
    ttlMs: hints?.ttlMs ?? null,
    updateIntervalMs: hints?.updateIntervalMs ?? null,
    skipHours: [...(hints?.skipHours ?? [])],
    skipDays: [...(hints?.skipDays ?? [])],
    hubs: [...(hints?.hubs ?? [])],
    notBefore,
  }
}

/** How full the publication window is believed to be by now. */
function windowOf(
  { state }: Source,
  model: StoredModel | null,
  { services, clock }: Deps,
): z.input<typeof sourceDetail>['window'] {
  const size = model?.windowSize || state.window.length
  const since = state.lastSuccessAt
  if (since === null || size === 0) return null
  const expectedItems = services.models.expected(model, since, clock.now())
  return expectedItems === null ? null : { expectedItems, size, fullAt: services.models.reaches(model, since, size) }
}

type ReadBy = z.input<typeof sourceDetail>['readBy']

async function readersOf(source: Source, call: CallContext, deps: Deps): Promise<ReadBy> {
  const shown = new Map((await shownFeeds(call, deps)).map((feed) => [feed.id, feed]))
  const shares = await deps.services.shares.ofSource(source)
  return shares
    .flatMap(({ feedId, sourceId: _, ...share }) => {
      const feed = shown.get(feedId)
      return feed ? [{ feed: feed.name, title: feed.title ?? feed.name, ...share }] : []
    })
    .sort((a, b) => b.share - a.share)
}
