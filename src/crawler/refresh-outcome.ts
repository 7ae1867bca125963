import {
  type DayIntake,
  type DeltaSavings,
  type DurationMs,
  dayOf,
  type InstantMs,
  type ParsedItem,
  type ParseResult,
  type Refusal,
  type Source,
  type SourceState,
} from '../model/index.ts'
import { tallyOf, tallyOfFailure } from '../quality/live.ts'
import { ERRORS, type ErrorCode } from '../runtime/errors.ts'
import type { NewItem, RefreshRecord } from '../store/store.ts'
import type { DedupResult } from './dedup/deduplicate.ts'
import { observeContent, observeUnchanged, type RefreshFacts, sortTime } from './dedup/observe.ts'
import { isDelta } from './deltas.ts'
import type { FetchOutcome } from './fetch/fetcher.ts'
import { withLinks } from './hints/with-links.ts'
import { refusalInWords } from './intake/words.ts'
import { lossesWith, overlapAfterRepair } from './loss.ts'
import { type DecidedCheck, decideNextCheck } from './next-check.ts'
import type { NextCheck, Planner } from './planner.ts'
import { confirmMove } from './politeness/moves.ts'
import type { RepairResult } from './repair/read-older-pages.ts'
import type { ReadOn } from './repair/read-on.ts'

type AnsweredFetch = Exclude<FetchOutcome, { readonly kind: 'failed' }>
type Content = Extract<FetchOutcome, { readonly kind: 'content' }>

/** What a refresh came to. */
export interface RefreshOutcome {
  readonly record: RefreshRecord
  /** The time of the next check is fixed: after a failure, a loss or a refusal the price may not move it. */
  readonly isFixed: boolean
  /** Items that were believed to have come; null: unknown. */
  readonly expected: number | null
  /** All that the document shows; absent: it was as before, or could not be read. */
  readonly items?: readonly ParsedItem[]
}

/** A 304, or a body that is the same to the byte: nothing to read, and that is what was learnt. */
export function afterUnchanged(source: Source, answer: AnsweredFetch, now: InstantMs, plan: Planner): RefreshOutcome {
  const observation = observeUnchanged(refreshFacts(source, answer, now))
  const { state, intervalMs } = source
  const hints = { http: answer.hints, feed: state.hints }
  const next = decideNextCheck(observation, { state, hints, ownInterval: intervalMs !== null, repaired: null }, plan)
  const { movedTo, movingTo } = redirectState(source, answer)
  const etag = answer.etag ?? state.etag
  const lastModified = answer.lastModified ?? state.lastModified
  const record = {
    sourceId: source.id,
    movedTo,
    state: { ...state, ...success(now, next), etag, lastModified, movingTo },
    observation,
    renamedItems: [],
    newItems: [],
    changedItems: [],
    intake: null,
    quality: tallyOf(observation, { requests: 1, bytes: answer.bytes, repaired: 0, windowSize: state.window.length }),
  }
  return { record, isFixed: isFixed(next, state.refusal), expected: next.expected }
}

function isFixed({ loss }: DecidedCheck, refusal: Refusal | null): boolean {
  return (loss?.isFixed ?? false) || (refusal?.until ?? null) !== null
}

export interface FeedReading {
  readonly parsed: ParseResult
  readonly dedup: DedupResult
  readonly bodyHash: string
  /** Items in the document, refused ones included. */
  readonly windowSize: number
  readonly datesCredible: boolean
  /** What of it was not admitted: `dedup` is without it. */
  readonly refusal: Refusal | null
  /** Everything that it showed is stored. */
  readonly isWhole: boolean
  /** From older pages, where the window showed nothing known; null: it did. */
  readonly repaired: RepairResult | null
  readonly usualPerHour: number | null
  /** What deltas have spared so far; absent: there were none. */
  readonly deltas?: DeltaSavings | undefined
  /** Requests beside the first, for the sitemaps that an index names; null or absent: none. */
  readonly parts?: { readonly requests: number; readonly bytes: number } | null
}

export function afterContent(
  source: Source,
  answer: Content,
  read: FeedReading,
  now: InstantMs,
  plan: Planner,
): RefreshOutcome {
  const { parsed, dedup, datesCredible, refusal, windowSize, repaired, usualPerHour, parts } = read
  const added = repaired === null ? dedup.added : [...repaired.added, ...dedup.added]
  const overlap = overlapAfterRepair(dedup.overlap, parsed.feed.hints.complete, repaired)
  const found = { added, windowSize, overlap, datesCredible, usualPerHour }
  const observation = observeContent(refreshFacts(source, answer, now), found)
  const hints = { http: answer.hints, feed: withLinks(parsed.feed.hints, answer.hints) }
  const ownInterval = source.intervalMs !== null
  const facts = { state: { window: dedup.window, datesCredible }, hints, ownInterval, repaired }
  const next = afterRefusal(decideNextCheck(observation, facts, plan), refusal)
  const move = redirectState(source, answer)
  const record = {
    sourceId: source.id,
    movedTo: move.movedTo,
    state: {
      ...source.state,
      ...success(now, next),
      ...lossesWith(source.state.lastLosses, observation),
      openGap: next.loss?.openGap ?? source.state.openGap,
      format: parsed.format,
      title: parsed.feed.title ?? source.state.title,
      siteUrl: parsed.feed.link ?? source.state.siteUrl,
      iconUrl: parsed.feed.icon ?? undefined,
      feedCategories: feedCategoriesOf(parsed),
      // What was not stored is to be seen again, though the document may be the same.
      etag: read.isWhole ? answer.etag : null,
      lastModified: read.isWhole ? answer.lastModified : null,
      bodyHash: read.isWhole && !isDelta(answer) ? read.bodyHash : null,
      ...(read.deltas && { deltas: read.deltas }),
      refusal,
      window: dedup.window,
      guidChanges: dedup.guidChanges,
      lastNewItemAt: added.length > 0 ? now : source.state.lastNewItemAt,
      movingTo: move.movingTo,
      datesCredible,
      hints: hints.feed,
    },
    observation,
    renamedItems: dedup.renamed,
    newItems: added.map((one) => newItem(one, now, languageOf(one.item, parsed))),
    changedItems: dedup.changed.map(({ item, key, contentHash }) => {
      return { ...item, language: languageOf(item, parsed), key, contentHash, changedAt: now }
    }),
    intake: intakeOf(source, read, now),
    quality: tallyOf(observation, {
      requests: 1 + (repaired?.requests ?? 0) + (parts?.requests ?? 0),
      bytes: answer.bytes + (repaired?.bytes ?? 0) + (parts?.bytes ?? 0),
      repaired: repaired?.added.length ?? 0,
      windowSize,
    }),
  }
  return { record, isFixed: isFixed(next, refusal), expected: next.expected }
}

/** What the first document of a source holds does not count. */
export function intakeOf(
  { state }: Source,
  { dedup, repaired, refusal }: Pick<FeedReading, 'dedup' | 'repaired' | 'refusal'>,
  now: InstantMs,
): DayIntake | null {
  const added = dedup.added.length
  const refused = refusal?.items ?? 0
  if (state.lastSuccessAt === null || added + refused + (repaired?.added.length ?? 0) === 0) return null
  return { day: dayOf(now), taken: added, repaired: repaired?.added.length ?? 0, refused }
}

/** Until there is room again each look would cost a request and bring nothing. */
function afterRefusal(next: DecidedCheck, refusal: Refusal | null): DecidedCheck {
  if (refusal === null || refusal.until === null || refusal.until <= next.at) return next
  return { ...next, at: refusal.until, reason: `tomorrow: ${refusalInWords(refusal)}` }
}

/** Late, but not lost: what was counted as lost and came after all is taken off again. */
export function withReadOn(record: RefreshRecord, read: ReadOn, lostBefore: number, now: InstantMs): RefreshRecord {
  const { added, requests, bytes, openGap } = read
  const before = record.quality
  const found = Math.min(added.length, lostBefore)
  const quality = before && {
    ...before,
    requests: before.requests + requests,
    bytes: before.bytes + bytes,
    repaired: before.repaired + added.length,
    items: before.items + added.length,
    lost: before.lost - found,
    lostAtLeast: before.lostAtLeast - found,
    lostAtMost: before.lostAtMost - found,
  }
  return {
    ...record,
    state: { ...record.state, openGap },
    newItems: [...added.map((one) => newItem(one, now, one.item.language)), ...record.newItems],
    intake: withRepaired(record.intake, added.length, now),
    ...(quality === undefined ? {} : { quality }),
  }
}

/** A source keeps few and short ones: they are read with it each time. */
const MOST_CATEGORIES = 30
const LONGEST_CATEGORY = 100

function feedCategoriesOf({ feed }: ParseResult): readonly string[] {
  return feed.categories.slice(0, MOST_CATEGORIES).map((category) => category.slice(0, LONGEST_CATEGORY))
}

function withRepaired(intake: DayIntake | null, repaired: number, now: InstantMs): DayIntake | null {
  if (repaired === 0) return intake
  const before = intake ?? { day: dayOf(now), taken: 0, repaired: 0, refused: 0 }
  return { ...before, repaired: before.repaired + repaired }
}

/** An item that says nothing else is in the language of its feed; queries ask for it. */
function languageOf(item: ParsedItem, { feed }: ParseResult): string | null {
  return item.language ?? feed.language
}

/** Field by field: spreading fifteen fields of twenty items took 3 % of a cold refresh. */
export function newItem(
  { item, key, contentHash }: DedupResult['added'][number],
  now: InstantMs,
  language: string | null,
): NewItem {
  return {
    id: item.id,
    title: item.title,
    link: item.link,
    published: item.published,
    updated: item.updated,
    authors: item.authors,
    categories: item.categories,
    summary: item.summary,
    content: item.content,
    enclosures: item.enclosures,
    language,
    commentsUrl: item.commentsUrl,
    image: item.image,
    ...(item.imageSize && { imageSize: item.imageSize }),
    extensions: item.extensions,
    key,
    contentHash,
    firstSeenAt: now,
    sortAt: sortTime(item.published, now),
  }
}

export interface Failure {
  readonly code: ErrorCode
  readonly message: string
}

/** Nothing was learnt about publication; the source keeps all that it had and rests until `next`. */
export function afterFailure(
  source: Source,
  failure: Failure,
  /** In a row, with this one. */
  failureCount: number,
  now: InstantMs,
  next: NextCheck,
  bytes: number,
): RefreshOutcome {
  const retired = failure.code === 'HTTP_GONE'
  const record: RefreshRecord = {
    ...emptyRecord(source),
    state: {
      ...source.state,
      status: retired ? 'retired' : 'failing',
      lastCheckAt: now,
      failureCount,
      lastError: { code: failure.code, message: failure.message, at: now },
      nextCheckAt: retired ? null : next.at,
      nextCheckReason: retired ? 'retired: the site says that the feed is gone for good' : next.reason,
    },
    quality: tallyOfFailure(bytes),
  }
  return { record, isFixed: !retired, expected: null }
}

/** Problems that leave nothing of a document. */
const UNREADABLE: Readonly<Record<string, ErrorCode>> = {
  'refused-charset': 'PARSE_CHARSET',
  'not-html': 'LISTING_NOT_HTML',
  'bad-selector': 'SELECTOR_INVALID',
  'costly-selector': 'SELECTOR_TOO_COSTLY',
  'nothing-selected': 'LISTING_EMPTY',
}

/** A document that arrived but is no feed; null where it is one. */
export function unreadable(parsed: ParseResult): Failure | null {
  if (parsed.format !== 'unknown') return null
  for (const { code, message } of parsed.problems) {
    const known = UNREADABLE[code]
    if (known !== undefined) return { code: known, message }
  }
  const code = parsed.problems.some((problem) => problem.code === 'empty') ? 'PARSE_EMPTY' : 'PARSE_NOT_A_FEED'
  return { code, message: ERRORS[code].summary }
}

function refreshFacts(source: Source, answer: AnsweredFetch, now: InstantMs): RefreshFacts {
  return {
    sourceId: source.id,
    previousAt: source.state.lastSuccessAt,
    at: now,
    bytes: answer.bytes,
    latencyMs: answer.latencyMs,
  }
}

function emptyRecord(source: Source): Omit<RefreshRecord, 'state'> {
  return {
    sourceId: source.id,
    movedTo: null,
    observation: null,
    renamedItems: [],
    newItems: [],
    changedItems: [],
    intake: null,
  }
}

function success(now: InstantMs, next: DecidedCheck) {
  return {
    status: 'active' as const,
    lastCheckAt: now,
    lastSuccessAt: now,
    failureCount: 0,
    lastError: null,
    nextCheckAt: next.at,
    nextCheckReason: next.reason,
    notBefore: next.notBefore,
    saturation: next.loss?.saturation ?? null,
  }
}

function redirectState(
  source: Source,
  answer: AnsweredFetch,
): { movedTo: string | null; movingTo: SourceState['movingTo'] } {
  return confirmMove(source.state.movingTo, answer.permanentUrl, source.url)
}

/** How long a healthy source waits, as the measure for backing off. */
export function usualIntervalMs(source: Source): DurationMs | null {
  if (source.intervalMs !== null) return source.intervalMs
  const { lastSuccessAt, nextCheckAt, failureCount } = source.state
  return failureCount === 0 && lastSuccessAt !== null && nextCheckAt !== null ? nextCheckAt - lastSuccessAt : null
}
