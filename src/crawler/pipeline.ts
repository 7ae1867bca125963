import type { InstantMs, ParseResult, Random, Source } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { RefreshRecord, Store } from '../store/store.ts'
import { bodyHash } from './dedup/hash.ts'
import { prepare, tellApart } from './dedup/tell-apart.ts'
import type { Fetcher, FetchOutcome, FetchRequest } from './fetch/fetcher.ts'
import {
  afterContent,
  afterFailure,
  afterUnchanged,
  type Failure,
  type Planner,
  unreadable,
  usualIntervalMs,
} from './outcome.ts'
import { nextAfterFailure } from './politeness/backoff.ts'

export interface PipelineDeps {
  readonly store: Pick<Store, 'knownItems' | 'recordRefresh'>
  readonly fetcher: Fetcher
  readonly parse: (body: Uint8Array, options: { contentType: string | null; url: string }) => ParseResult
  /** Learns from the observation and says when to look again. */
  readonly plan: Planner
  readonly clock: Clock
  readonly random: Random
}

export interface Refreshed {
  readonly fetched: FetchOutcome
  readonly record: RefreshRecord
  readonly added: number
  readonly changed: number
}

/**
 * The way of an item from its source into archive and buffer, as one refresh walks it:
 *
 *   fetch ─► unchanged? ─► parse ─► tell new from known ─► observe ─► plan the next check ─► record
 *
 * Everything is decided on values; the only effects are the request at the start and `recordRefresh` at the end, which
 * stores all of it or nothing. Killed anywhere in between, the refresh simply has not happened.
 */
export async function refreshSource(
  source: Source,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: PipelineDeps,
): Promise<Refreshed | 'aborted'> {
  const fetched = await deps.fetcher.fetch({ ...requestFor(source), ...request })
  if (request.signal?.aborted) return 'aborted'
  const record = await decide(source, fetched, deps.clock.now(), deps)
  return { fetched, record, ...(await deps.store.recordRefresh(record)) }
}

async function decide(
  source: Source,
  fetched: FetchOutcome,
  now: InstantMs,
  deps: PipelineDeps,
): Promise<RefreshRecord> {
  if (fetched.kind === 'failed') return failed(source, fetched, fetched.retryAt, now, deps)
  if (fetched.kind === 'not-modified') return afterUnchanged(source, fetched, now, deps.plan)

  const hash = bodyHash(fetched.body)
  if (hash === source.state.bodyHash) return afterUnchanged(source, fetched, now, deps.plan)

  const parsed = deps.parse(fetched.body, { contentType: fetched.contentType, url: fetched.finalUrl })
  const failure = unreadable(parsed)
  if (failure !== null) return failed(source, failure, null, now, deps)

  const prepared = prepare(parsed.items, source.state.window, source.state.lastSuccessAt === null)
  const archived =
    prepared.unsettled.length > 0 ? await deps.store.knownItems(source.id, prepared.unsettled) : new Map()
  const told = tellApart(prepared, archived)
  return afterContent(source, fetched, { parsed, told, bodyHash: hash }, now, deps.plan)
}

function failed(
  source: Source,
  failure: Failure,
  retryAt: InstantMs | null,
  now: InstantMs,
  deps: PipelineDeps,
): RefreshRecord {
  const next = nextAfterFailure({
    failureCount: source.state.failureCount + 1,
    code: failure.code,
    retryAt,
    now,
    baseIntervalMs: usualIntervalMs(source),
    random: deps.random,
  })
  return afterFailure(source, failure, now, next)
}

function requestFor(source: Source): FetchRequest {
  const { url, headers, basicAuth, userAgent, proxyUrl, state } = source
  return { url, headers, basicAuth, userAgent, proxyUrl, etag: state.etag, lastModified: state.lastModified }
}
