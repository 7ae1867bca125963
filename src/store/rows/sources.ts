import type { FeedFormat, Source, SourceSettings, SourceState } from '../../model/index.ts'
import type { Vault } from '../../runtime/vault.ts'
import { type FlagColumn, isSet, type ListColumn, listOf } from './columns.ts'
import { type PackedHash, unpackHash } from './hashes.ts'

/** A source with its state, as both databases give them but for the window. */
export interface SourceStateRow {
  readonly id: number
  readonly url: string
  readonly name: string | null
  readonly weight: number
  readonly interval_ms: number | null
  readonly min_interval_ms: number | null
  readonly max_interval_ms: number | null
  /** -1: off. */
  readonly daily_allowance: number | null
  /** null: off. */
  readonly pages: 'fetch' | 'follow' | null
  readonly paused: FlagColumn
  readonly added_at: number
  readonly categories: ListColumn
  readonly request: string | null
  readonly status: SourceState['status']
  readonly failure_count: number
  readonly last_check_at: number | null
  readonly next_check_at: number | null
  readonly last_success_at: number | null
  readonly last_new_item_at: number | null
  readonly dates_credible: FlagColumn
  readonly format: FeedFormat | null
  readonly title: string | null
  readonly site_url: string | null
  readonly etag: string | null
  readonly last_modified: string | null
  readonly body_hash: PackedHash | null
  readonly next_check_reason: string | null
  readonly rest: string | null
  /** null: none. */
  readonly former_urls: ListColumn
}

/** Of `source s`, `source_state t` and `source_window w`. */
export const SOURCE_STATE_COLUMNS = `s.id, s.url, s.name, s.weight, s.interval_ms, s.min_interval_ms, s.max_interval_ms,
    s.daily_allowance, s.pages, s.paused, s.added_at, s.categories, s.request, t.status, t.failure_count, t.last_check_at,
    t.next_check_at, t.last_success_at, t.last_new_item_at, t.dates_credible, t.format, t.title, t.site_url, t.etag,
    t.last_modified, t.body_hash, t.next_check_reason, t.rest, w.entries`

export const SOURCE_TABLES =
  'source s JOIN source_state t ON t.source_id = s.id LEFT JOIN source_window w ON w.source_id = s.id'

/** Settings that only few sources have, in one JSON column. Those that may hold a secret are sealed together. */
type Credentials = Pick<SourceSettings, 'headers' | 'basicAuth' | 'proxyUrl'>
interface Request extends Pick<SourceSettings, 'userAgent' | 'listing'> {
  /** JSON of the credentials, sealed. */
  readonly sealed: string | null
}
/** As it was before there was a vault; sealed when the database is opened (seal-plain.ts). */
export type PlainRequest = Credentials & Pick<SourceSettings, 'userAgent' | 'listing'>
/** Likewise of the state. */
type Rest = Pick<
  SourceState,
  'lastError' | 'movingTo' | 'hints' | 'notBefore' | 'saturation' | 'openGap' | 'refusal'
> & {
  /** null: none. */
  readonly guidChanges: number | null
  readonly feedCategories: readonly string[] | null
  readonly lastLosses: readonly number[] | null
  readonly deltas: SourceState['deltas'] | null
  readonly iconUrl: string | null
}

const NO_CREDENTIALS: Credentials = { headers: {}, basicAuth: null, proxyUrl: null }
const NO_REST: Rest = {
  lastError: null,
  movingTo: null,
  hints: null,
  notBefore: null,
  saturation: null,
  openGap: null,
  guidChanges: null,
  feedCategories: null,
  refusal: null,
  lastLosses: null,
  deltas: null,
  iconUrl: null,
}

/** How an allowance that was lifted is written. */
const LIFTED = -1

export function sourceOf(row: SourceStateRow, vault: Vault, window: SourceState['window']): Source {
  const request = row.request === null ? null : (JSON.parse(row.request) as Request | PlainRequest)
  const credentials = request === null ? NO_CREDENTIALS : credentialsOf(request, vault)
  const source: Writable<Source> = {
    id: row.id,
    url: row.url,
    name: row.name,
    categories: listOf(row.categories),
    weight: row.weight,
    intervalMs: row.interval_ms,
    minIntervalMs: row.min_interval_ms,
    maxIntervalMs: row.max_interval_ms,
    dailyAllowance: row.daily_allowance === LIFTED ? 'off' : row.daily_allowance,
    pages: row.pages ?? 'off',
    headers: credentials?.headers ?? NO_CREDENTIALS.headers,
    basicAuth: credentials?.basicAuth ?? null,
    userAgent: request?.userAgent ?? null,
    proxyUrl: credentials?.proxyUrl ?? null,
    isLocked: credentials === null,
    paused: isSet(row.paused),
    addedAt: row.added_at,
    state: stateOf(row, window),
  }
  if (request?.listing) source.listing = request.listing
  if (row.former_urls !== null) source.formerUrls = [...listOf(row.former_urls)].sort()
  return source
}

/** null: they are there but cannot be opened. */
function credentialsOf(request: Request | PlainRequest, vault: Vault): Credentials | null {
  if (!('sealed' in request)) return request
  if (request.sealed === null) return NO_CREDENTIALS
  const text = vault.open(request.sealed)
  return text === null ? null : (JSON.parse(text) as Credentials)
}

function stateOf(row: SourceStateRow, window: SourceState['window']): SourceState {
  const rest = row.rest === null ? NO_REST : { ...NO_REST, ...(JSON.parse(row.rest) as Partial<Rest>) }
  const state: Writable<SourceState> = {
    status: row.status,
    format: row.format,
    title: row.title,
    siteUrl: row.site_url,
    etag: row.etag,
    lastModified: row.last_modified,
    bodyHash: row.body_hash === null ? null : unpackHash(row.body_hash),
    window,
    lastCheckAt: row.last_check_at,
    lastSuccessAt: row.last_success_at,
    lastNewItemAt: row.last_new_item_at,
    nextCheckAt: row.next_check_at,
    nextCheckReason: row.next_check_reason,
    failureCount: row.failure_count,
    lastError: rest.lastError,
    movingTo: rest.movingTo,
    datesCredible: isSet(row.dates_credible),
    hints: rest.hints,
    notBefore: rest.notBefore,
    saturation: rest.saturation,
    // Not there in what was written before there were any.
    openGap: rest.openGap ?? null,
    guidChanges: rest.guidChanges ?? 0,
    feedCategories: rest.feedCategories ?? [],
    refusal: rest.refusal,
  }
  // Few sources have one of these, and to spread nothing into each takes as long as all the rest.
  if (rest.lastLosses != null) state.lastLosses = rest.lastLosses
  if (rest.deltas != null) state.deltas = rest.deltas
  if (rest.iconUrl != null) state.iconUrl = rest.iconUrl
  return state
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Columns of `source` in the order of `settingsValues`. */
export const SETTINGS_COLUMNS =
  'url, name, weight, interval_ms, min_interval_ms, max_interval_ms, paused, categories, request, daily_allowance, pages'

/** `paused` and `categories` as the database takes them. */
export function settingsValues(
  settings: SourceSettings,
  request: string | null,
  { paused, categories }: { readonly paused: unknown; readonly categories: unknown },
): unknown[] {
  return [
    settings.url,
    settings.name,
    settings.weight,
    settings.intervalMs,
    settings.minIntervalMs ?? null,
    settings.maxIntervalMs ?? null,
    paused,
    categories,
    request,
    settings.dailyAllowance === 'off' ? LIFTED : (settings.dailyAllowance ?? null),
    settings.pages === undefined || settings.pages === 'off' ? null : settings.pages,
  ]
}

export function packRequest(settings: PlainRequest, vault: Vault): string | null {
  const { headers, basicAuth, userAgent, proxyUrl } = settings
  const listing = settings.listing ? { listing: settings.listing } : {}
  const isOpen = basicAuth === null && proxyUrl === null && Object.keys(headers).length === 0
  if (isOpen && userAgent === null && !settings.listing) return null
  if (isOpen) return JSON.stringify({ userAgent, sealed: null, ...listing } satisfies Request)
  const sealed = vault.seal(JSON.stringify({ headers, basicAuth, proxyUrl } satisfies Credentials))
  return JSON.stringify({ userAgent, sealed, ...listing } satisfies Request)
}

/** Of a source whose credentials cannot be opened: they stay as they are. */
export function repackLockedRequest(
  request: string,
  { userAgent, listing = null }: Pick<SourceSettings, 'userAgent' | 'listing'>,
): string {
  const { sealed } = JSON.parse(request) as Request
  return JSON.stringify({ userAgent, sealed, ...(listing === null ? {} : { listing }) } satisfies Request)
}

/** null: it has none of them. */
export function packStateRest(state: SourceState): string | null {
  const { lastError, movingTo, hints, notBefore, saturation, openGap, refusal } = state
  const { lastLosses = null, deltas = null, iconUrl = null } = state
  if (
    lastError === null &&
    movingTo === null &&
    hints === null &&
    notBefore === null &&
    saturation === null &&
    openGap === null &&
    refusal === null &&
    lastLosses === null &&
    deltas === null &&
    iconUrl === null &&
    state.guidChanges === 0 &&
    state.feedCategories.length === 0
  )
    return null
  const guidChanges = state.guidChanges === 0 ? null : state.guidChanges
  const feedCategories = state.feedCategories.length === 0 ? null : state.feedCategories
  const rest: Rest = {
    lastError,
    movingTo,
    hints,
    notBefore,
    saturation,
    openGap,
    guidChanges,
    feedCategories,
    refusal,
    lastLosses,
    deltas,
    iconUrl,
  }
  return JSON.stringify(rest)
}

/** Of a state that was packed. */
export function withoutMove(rest: string | null): string | null {
  if (rest === null) return null
  const { movingTo: _, ...others } = JSON.parse(rest) as Partial<Rest>
  return Object.values(others).every((value) => value === null) ? null : JSON.stringify(others)
}
