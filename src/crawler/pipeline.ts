import {
  type DeltaSavings,
  dayOf,
  type InstantMs,
  isWatchedElement,
  type ParsedItem,
  type ParseResult,
  type Random,
  type ShardLease,
  type Source,
} from '../model/index.ts'
import type { TakenBecause } from '../refresh/scheduler/scheduler.ts'
import type { Clock } from '../runtime/clock.ts'
import { REMEMBER_DAYS } from '../store/intake.ts'
import type { RefreshRecord, Store } from '../store/store.ts'
import { deduplicate, prepare } from './dedup/deduplicate.ts'
import { bodyHash } from './dedup/hash.ts'
import { judgeDates } from './dedup/observe.ts'
import { afterDelta, isDelta, withFormerWindow } from './deltas.ts'
import type { Fetcher, FetchOutcome, FetchRequest } from './fetch/fetcher.ts'
import { admit } from './intake/admit.ts'
import { firstIntakeLimit, type IntakeLimit, intakeLimitOf } from './intake/allowance.ts'
import { deferEdits } from './intake/defer-edits.ts'
import { isLoss } from './loss.ts'
import type { ReadDocument } from './parse/read-document.ts'
import type { Planner } from './planner.ts'
import { nextAfterFailure } from './politeness/backoff.ts'
import {
  afterContent,
  afterFailure,
  afterUnchanged,
  type Failure,
  type FeedReading,
  type RefreshOutcome,
  unreadable,
  usualIntervalMs,
  withReadOn,
} from './refresh-outcome.ts'
import { type Gap, type PageTurns, readOlderPages } from './repair/read-older-pages.ts'
import { readOn } from './repair/read-on.ts'
import { usualRate } from './repair/usual-rate.ts'
import { readSitemaps, type SitemapsReading } from './sitemaps/read-sitemaps.ts'

export interface PipelineDeps {
  readonly store: Pick<Store, 'knownItems' | 'recordRefresh' | 'observations' | 'intake' | 'arrivals'>
  readonly fetcher: Fetcher
  readonly parse: ReadDocument
  /** Learns from the observation and says when to look again. */
  readonly plan: Planner
  /** Why this refresh is made, to be stored with what it brings. */
  readonly why?: TakenBecause
  /** By which the source is this crawler's; absent: there is no other. */
  readonly lease?: ShardLease
  /** Leave to read older pages of a feed whose window has turned over; absent: they are not read. */
  readonly pages?: PageTurns
  /** Older pages that one refresh may read; the rest is left to the next. */
  readonly mostPages: number
  /** Folders of whose sources the pages of new items are fetched. */
  readonly pageFolders: readonly string[]
  readonly clock: Clock
  readonly random: Random
}

export interface SourceRefresh {
  /** Of the source, as it was asked. */
  readonly url: string
  readonly fetched: FetchOutcome
  readonly record: RefreshRecord
  /** The time of the next check is fixed, whatever the price does. */
  readonly isFixed: boolean
  readonly added: number
  readonly changed: number
  /** All that its document shows; absent: it was as before, could not be read, or was one of several. */
  readonly items?: readonly ParsedItem[]
}

/**
 * The way of an item from its source into archive and buffer, as one refresh walks it:
 *
 *   fetch ─► unchanged? ─► parse ─► deduplicate ─► admit ─► observe ─► plan the next check ─► record
 *                                                            │
 *                                                            └─ nothing known? ─► read older pages until something is
 *
 * Everything is decided on values; the only effects are the requests at the start and `recordRefresh` at the end, which
 * stores all of it or nothing. Killed anywhere in between, the refresh simply has not happened.
 */
export async function refreshSource(
  source: Source,
  request: Pick<FetchRequest, 'signal' | 'enterHop' | 'watch'>,
  deps: PipelineDeps,
): Promise<SourceRefresh | 'aborted'> {
  const fetched = source.isLocked ? LOCKED : await deps.fetcher.fetch({ ...requestFor(source), ...request })
  if (request.signal?.aborted || isCalledOff(fetched)) return 'aborted'
  const outcome = await decide(source, fetched, request, deps)
  if (outcome === 'aborted') return 'aborted'
  const { isFixed, expected, items } = outcome
  const record = await closeGap(source, outcome.record, request, deps)
  if (request.signal?.aborted) return 'aborted'
  const decided = deps.why === undefined ? record : { ...record, decision: { ...deps.why, expected } }
  const { lease } = deps
  const { added, changed } = await deps.store.recordRefresh({
    ...decided,
    ...(lease && { lease }),
    ...(wantsPages(source, deps.pageFolders) && { fetchesPages: true }),
  })
  return { url: source.url, fetched, record, isFixed, added, changed, ...(items && { items }) }
}

function wantsPages({ pages = 'off', categories }: Source, folders: readonly string[]): boolean {
  if (pages !== 'off') return true
  return folders.some((folder) => categories.some((path) => path === folder || path.startsWith(`${folder}/`)))
}

/** Called off while the signal says nothing: its slot was needed. */
function isCalledOff(fetched: FetchOutcome): boolean {
  return fetched.kind === 'failed' && fetched.code === 'FETCH_ABORTED'
}

/** Never without its log-in: the site would see a stranger, and might send what strangers get. */
const LOCKED: FetchOutcome = {
  kind: 'failed',
  code: 'CREDENTIALS_LOCKED',
  message: 'nothing was requested',
  status: null,
  retryAt: null,
  host: '',
  bytes: 0,
  latencyMs: 0,
}

async function decide(
  source: Source,
  fetched: FetchOutcome,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: PipelineDeps,
): Promise<RefreshOutcome | 'aborted'> {
  const now = deps.clock.now()
  if (fetched.kind === 'failed') return failureRecord(source, fetched, fetched.retryAt, fetched.bytes, now, deps)
  if (fetched.kind === 'not-modified') return afterUnchanged(source, fetched, now, deps.plan)

  const hash = bodyHash(fetched.body)
  const isPart = isDelta(fetched)
  if (hash === source.state.bodyHash && !isPart) return afterUnchanged(source, fetched, now, deps.plan)

  const { contentType, finalUrl: url } = fetched
  const last = source.listing == null ? null : await lastState(source, deps)
  const document = deps.parse(fetched.body, { contentType, url, listing: source.listing ?? null, last })
  const parts = document.format === 'sitemap-index' ? await sitemapsOf(document, source, url, request, deps) : null
  const parsed = parts === null ? document : { ...document, items: parts.items }
  const failure = unreadable(parsed)
  if (failure !== null) return failureRecord(source, failure, null, fetched.bytes, now, deps)

  const { limit, deferred, ...items } = await readPartOrWhole(source, parsed.items, { at: now, isPart }, deps)
  const read = {
    ...items,
    parsed,
    bodyHash: hash,
    // What an index names changes without it.
    isWhole: items.refusal === null && deferred === 0 && parts === null,
    parts,
    deltas: await deltaSavings(source, fetched, deps),
  }
  const gap = { ...read, source, feed: parsed.feed, url }
  const behind = isLoss(items.dedup.overlap) ? await lookBehind(gap, limit, request, deps) : NOTHING_BEHIND
  if (request.signal?.aborted) return 'aborted'
  return { ...afterContent(source, fetched, { ...read, ...behind }, now, deps.plan), items: parsed.items }
}

/** What of a document is new, edited or known, as far as it is taken. */
export interface ItemsReading extends Pick<FeedReading, 'dedup' | 'windowSize' | 'datesCredible' | 'refusal'> {
  readonly limit: IntakeLimit
  /** Edits that wait for the next refresh. */
  readonly deferred: number
}

/** `isPart`: what is not among these items may still be in the feed. */
export async function readPartOrWhole(
  source: Source,
  items: readonly ParsedItem[],
  { at, isPart }: { readonly at: InstantMs; readonly isPart: boolean },
  deps: Pick<PipelineDeps, 'store'>,
): Promise<ItemsReading> {
  const { datesCredible: before, lastSuccessAt, lastNewItemAt, guidChanges, window } = source.state
  // Items may have been imported from another reader before it was ever read.
  const prepared = prepare(items, window, lastSuccessAt === null && lastNewItemAt === null)
  const archived =
    prepared.unsettled.length > 0 ? await deps.store.knownItems(source.id, prepared.unsettled) : new Map()
  const shown = deduplicate(prepared, archived, {
    guidChanges,
    sinceLastMs: at - (lastSuccessAt ?? 0),
    isDelta: isPart,
  })
  const dedup = isPart ? withFormerWindow(shown, window) : shown
  const datesCredible = judgeDates(before, dedup, items, at, lastSuccessAt)
  const limit = dedup.added.length === 0 ? NO_LIMIT_NEEDED : await intakeLimitToday(source, at, deps)
  const admitted = admit(dedup, limit, { lastWindow: window, guidChanges, at })
  const { dedup: settled, deferred } = deferEdits(admitted.dedup)
  return { dedup: settled, windowSize: dedup.window.length, datesCredible, refusal: admitted.refusal, limit, deferred }
}

/** The last document that was no delta is found in the observations, before the first delta. */
async function deltaSavings(
  { id, state }: Source,
  fetched: Extract<FetchOutcome, { kind: 'content' }>,
  { store }: PipelineDeps,
): Promise<DeltaSavings | undefined> {
  const { deltas } = state
  const { bytes } = fetched
  if (!isDelta(fetched)) return deltas && { ...deltas, wholeBytes: bytes }
  if (deltas !== undefined) return afterDelta(deltas, bytes, deltas.wholeBytes)
  const observations = await store.observations(id, { limit: USUAL_REFRESHES })
  return afterDelta(undefined, bytes, observations.find(({ notModified }) => !notModified)?.bytes ?? null)
}

const NO_SITEMAPS: SitemapsReading = { items: [], requests: 0, bytes: 0 }

async function sitemapsOf(
  index: ParseResult,
  source: Source,
  url: string,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: PipelineDeps,
): Promise<SitemapsReading> {
  const { pages } = deps
  return pages === undefined ? NO_SITEMAPS : readSitemaps(index, source, url, request, { ...deps, pages })
}

/** What an element said when it was stored last: each change is an item. */
async function lastState({ id, listing }: Source, { store }: PipelineDeps): Promise<ParsedItem | null> {
  if (listing == null || !isWatchedElement(listing)) return null
  const [last] = await store.arrivals({ kind: 'source', sourceId: id }, 1)
  return last ?? null
}

/** Of a document without news. */
const NO_LIMIT_NEEDED = firstIntakeLimit(0)

async function intakeLimitToday(
  source: Source,
  now: InstantMs,
  { store }: Pick<PipelineDeps, 'store'>,
): Promise<IntakeLimit> {
  const to = dayOf(now)
  if (source.state.lastSuccessAt === null) return firstIntakeLimit(to)
  return intakeLimitOf(source, await store.intake(source.id, { from: to - REMEMBER_DAYS, to }), to)
}

/** What an earlier refresh had left of a gap, where this one was fine and has not found another. */
async function closeGap(
  source: Source,
  record: RefreshRecord,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: PipelineDeps,
): Promise<RefreshRecord> {
  const { openGap } = source.state
  const { pages, mostPages } = deps
  const isFine = record.observation !== null && record.state.saturation === null
  if (openGap === null || pages === undefined || mostPages === 0 || !isFine) return record
  const now = deps.clock.now()
  if ((await intakeLimitToday(source, now, deps)).olderItems === 0) return record
  return withReadOn(record, await readOn(source, openGap, request, { ...deps, pages }), openGap.lost, now)
}

/** How many refreshes show the usual pace of a source whose dates say nothing. */
const USUAL_REFRESHES = 50
const NOTHING_BEHIND = { repaired: null, usualPerHour: null }

/** The window shows nothing known: what older pages have, and what is usual for the source. */
async function lookBehind(
  gap: Gap,
  limit: IntakeLimit,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: PipelineDeps,
): Promise<Pick<FeedReading, 'repaired' | 'usualPerHour'>> {
  const { pages, mostPages, store } = deps
  const hasMore = pages !== undefined && mostPages > 0 && !gap.feed.hints.complete && limit.olderItems > 0
  const repaired = hasMore ? await readOlderPages(gap, request, { ...deps, pages }) : null
  const observations = await store.observations(gap.source.id, { limit: USUAL_REFRESHES })
  return { repaired, usualPerHour: usualRate(observations) }
}

function failureRecord(
  source: Source,
  failure: Failure,
  retryAt: InstantMs | null,
  bytes: number,
  now: InstantMs,
  deps: PipelineDeps,
): RefreshOutcome {
  // A person who tries again must not make the source wait longer for it.
  const isManual = deps.why?.cause === 'asked' && source.state.status === 'failing'
  const failureCount = source.state.failureCount + (isManual ? 0 : 1)
  const next = nextAfterFailure({
    failureCount,
    code: failure.code,
    retryAt,
    now,
    baseIntervalMs: usualIntervalMs(source),
    random: deps.random,
  })
  return afterFailure(source, failure, failureCount, now, isManual ? sooner(next, source, retryAt) : next, bytes)
}

/** Not later than it was to be tried anyway, unless the site has just asked for more. */
function sooner<Next extends { readonly at: InstantMs; readonly reason: string }>(
  next: Next,
  { state }: Source,
  retryAt: InstantMs | null,
): Next {
  const { nextCheckAt } = state
  return nextCheckAt === null || nextCheckAt >= next.at || (retryAt ?? 0) > nextCheckAt
    ? next
    : { ...next, at: nextCheckAt }
}

function requestFor(source: Source): FetchRequest {
  const { url, headers, basicAuth, userAgent, proxyUrl, state } = source
  const acceptsDelta = source.listing == null
  const { etag, lastModified } = state
  return { url, headers, basicAuth, userAgent, proxyUrl, etag, lastModified, acceptsDelta }
}
