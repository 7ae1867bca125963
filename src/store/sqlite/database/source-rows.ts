import type { FeedFormat, Source, SourceSettings, SourceState } from '../../../model/index.ts'
import type { Vault } from '../../../runtime/vault.ts'
import { type PackedHash, packHash, unpackHash, unpackWindow } from './codec.ts'

export interface SourceTableRow {
  readonly id: number
  readonly url: string
  readonly name: string | null
  readonly weight: number
  readonly interval_ms: number | null
  readonly min_interval_ms: number | null
  readonly max_interval_ms: number | null
  /** -1: off. */
  readonly daily_allowance: number | null
  readonly paused: number
  readonly added_at: number
  readonly categories: string | null
  readonly request: string | null
  readonly status: SourceState['status']
  readonly failure_count: number
  readonly last_check_at: number | null
  readonly next_check_at: number | null
  readonly last_success_at: number | null
  readonly last_new_item_at: number | null
  readonly dates_credible: number
  readonly format: FeedFormat | null
  readonly title: string | null
  readonly site_url: string | null
  readonly etag: string | null
  readonly last_modified: string | null
  readonly body_hash: PackedHash | null
  readonly next_check_reason: string | null
  readonly rest: string | null
  readonly entries: Buffer | string | null
  /** JSON; null: none. */
  readonly former_urls: string | null
}

const SOURCE_FROM = `
  FROM source s JOIN source_state t ON t.source_id = s.id LEFT JOIN source_window w ON w.source_id = s.id`

export const SELECT_SOURCE = `
  SELECT s.id, s.url, s.name, s.weight, s.interval_ms, s.min_interval_ms, s.max_interval_ms, s.daily_allowance, s.paused, s.added_at, s.categories, s.request,
    t.status, t.failure_count, t.last_check_at, t.next_check_at, t.last_success_at, t.last_new_item_at,
    t.dates_credible, t.format, t.title, t.site_url, t.etag, t.last_modified, t.body_hash, t.next_check_reason, t.rest,
    w.entries,
    CASE WHEN EXISTS (SELECT 1 FROM former_url f WHERE f.source_id = s.id)
      THEN (SELECT json_group_array(f.url) FROM former_url f WHERE f.source_id = s.id) END AS former_urls
    ${SOURCE_FROM}`

/** Settings that only few sources have, in one JSON column. Those that may hold a secret are sealed together. */
type Credentials = Pick<SourceSettings, 'headers' | 'basicAuth' | 'proxyUrl'>
interface Request extends Pick<SourceSettings, 'userAgent'> {
  /** JSON of the credentials, sealed. */
  readonly sealed: string | null
}
/** As it was before there was a vault; sealed when the database is opened (seal-plain.ts). */
export type PlainRequest = Credentials & Pick<SourceSettings, 'userAgent'>
/** Likewise of the state. */
type Rest = Pick<
  SourceState,
  'lastError' | 'movingTo' | 'hints' | 'notBefore' | 'saturation' | 'openGap' | 'refusal'
> & {
  /** null: none. */
  readonly guidChanges: number | null
  readonly feedCategories: readonly string[] | null
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
}

/** How an allowance that was lifted is written. */
const LIFTED = -1

export function sourceOf(
  row: SourceTableRow,
  vault: Vault,
  window: SourceState['window'] = unpackWindow(row.entries),
): Source {
  const request = row.request === null ? null : (JSON.parse(row.request) as Request | PlainRequest)
  const credentials = request === null ? NO_CREDENTIALS : credentialsOf(request, vault)
  return {
    id: row.id,
    url: row.url,
    name: row.name,
    categories: row.categories === null ? [] : (JSON.parse(row.categories) as string[]),
    weight: row.weight,
    intervalMs: row.interval_ms,
    minIntervalMs: row.min_interval_ms,
    maxIntervalMs: row.max_interval_ms,
    dailyAllowance: row.daily_allowance === LIFTED ? 'off' : row.daily_allowance,
    headers: credentials?.headers ?? NO_CREDENTIALS.headers,
    basicAuth: credentials?.basicAuth ?? null,
    userAgent: request?.userAgent ?? null,
    proxyUrl: credentials?.proxyUrl ?? null,
    isLocked: credentials === null,
    paused: row.paused === 1,
    addedAt: row.added_at,
    state: stateOf(row, window),
    ...(row.former_urls === null ? {} : { formerUrls: (JSON.parse(row.former_urls) as string[]).sort() }),
  }
}

/**
 * One of many. Hardly anybody who lists sources looks at what their documents showed last, and 32 hostile ones with ten thousand
 * items each were 100 MB of it: it is unpacked when it is read.
 */
export function listedSourceOf(row: SourceTableRow, vault: Vault): Source {
  const source = sourceOf(row, vault, NO_WINDOW)
  const { entries } = row
  if (entries === null) return source
  let window: SourceState['window'] | null = null
  const get = () => {
    window ??= unpackWindow(entries)
    return window
  }
  Object.defineProperty(source.state, 'window', { get, enumerable: true, configurable: true })
  return source
}

const NO_WINDOW: SourceState['window'] = []

/** null: they are there but cannot be opened. */
function credentialsOf(request: Request | PlainRequest, vault: Vault): Credentials | null {
  if (!('sealed' in request)) return request
  if (request.sealed === null) return NO_CREDENTIALS
  const text = vault.open(request.sealed)
  return text === null ? null : (JSON.parse(text) as Credentials)
}

function stateOf(row: SourceTableRow, window: SourceState['window']): SourceState {
  const rest = row.rest === null ? NO_REST : { ...NO_REST, ...(JSON.parse(row.rest) as Partial<Rest>) }
  return {
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
    datesCredible: row.dates_credible === 1,
    hints: rest.hints,
    notBefore: rest.notBefore,
    saturation: rest.saturation,
    // Not there in what was written before there were any.
    openGap: rest.openGap ?? null,
    guidChanges: rest.guidChanges ?? 0,
    feedCategories: rest.feedCategories ?? [],
    refusal: rest.refusal,
  }
}

export const SETTINGS_COLUMNS =
  'url, name, weight, interval_ms, min_interval_ms, max_interval_ms, paused, categories, request, daily_allowance'

export function settingsValues(settings: SourceSettings, request: string | null): unknown[] {
  return [
    settings.url,
    settings.name,
    settings.weight,
    settings.intervalMs,
    settings.minIntervalMs ?? null,
    settings.maxIntervalMs ?? null,
    settings.paused ? 1 : 0,
    settings.categories.length === 0 ? null : JSON.stringify(settings.categories),
    request,
    settings.dailyAllowance === 'off' ? LIFTED : (settings.dailyAllowance ?? null),
  ]
}

export function packRequest({ headers, basicAuth, userAgent, proxyUrl }: PlainRequest, vault: Vault): string | null {
  const isOpen = basicAuth === null && proxyUrl === null && Object.keys(headers).length === 0
  if (isOpen) return userAgent === null ? null : JSON.stringify({ userAgent, sealed: null } satisfies Request)
  const sealed = vault.seal(JSON.stringify({ headers, basicAuth, proxyUrl } satisfies Credentials))
  return JSON.stringify({ userAgent, sealed } satisfies Request)
}

/** Of a source whose credentials cannot be opened: they stay as they are. */
export function repackLockedRequest(request: string, userAgent: string | null): string {
  return JSON.stringify({ ...(JSON.parse(request) as Request), userAgent })
}

export const WRITE_STATE = `
  INSERT OR REPLACE INTO source_state (source_id, status, failure_count, last_check_at, next_check_at, last_success_at,
    last_new_item_at, dates_credible, format, title, site_url, etag, last_modified, body_hash, next_check_reason, rest)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Of a source that is there; its values are those of WRITE_STATE, with the id behind them once more. */
export const UPDATE_STATE = `
  UPDATE source_state SET source_id = ?, status = ?, failure_count = ?, last_check_at = ?, next_check_at = ?,
    last_success_at = ?, last_new_item_at = ?, dates_credible = ?, format = ?, title = ?, site_url = ?, etag = ?,
    last_modified = ?, body_hash = ?, next_check_reason = ?, rest = ? WHERE source_id = ?`

export function stateValues(sourceId: number, state: SourceState): unknown[] {
  return [
    sourceId,
    state.status,
    state.failureCount,
    state.lastCheckAt,
    state.nextCheckAt,
    state.lastSuccessAt,
    state.lastNewItemAt,
    state.datesCredible ? 1 : 0,
    state.format,
    state.title,
    state.siteUrl,
    state.etag,
    state.lastModified,
    state.bodyHash === null ? null : packHash(state.bodyHash),
    state.nextCheckReason,
    packRest(state),
  ]
}

function packRest(state: SourceState): string | null {
  const { lastError, movingTo, hints, notBefore, saturation, openGap, refusal } = state
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
  }
  return Object.values(rest).every((value) => value === null) ? null : JSON.stringify(rest)
}
