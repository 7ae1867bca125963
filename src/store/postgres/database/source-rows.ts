import type { FeedFormat, Source, SourceSettings, SourceState, WindowEntry } from '../../../model/index.ts'
import type { Vault } from '../../../runtime/vault.ts'
import { packWindow, unpackWindow } from '../../sqlite/database/codec.ts'
import { unpackHash } from './hashes.ts'

export interface SourceColumns {
  readonly id: number
  readonly url: string
  readonly name: string | null
  readonly weight: number
  readonly interval_ms: number | null
  readonly min_interval_ms: number | null
  readonly max_interval_ms: number | null
  /** -1: off. */
  readonly daily_allowance: number | null
  readonly paused: boolean
  readonly added_at: number
  readonly categories: readonly string[]
  readonly request: string | null
  readonly status: SourceState['status']
  readonly failure_count: number
  readonly last_check_at: number | null
  readonly next_check_at: number | null
  readonly last_success_at: number | null
  readonly last_new_item_at: number | null
  readonly dates_credible: boolean
  readonly format: FeedFormat | null
  readonly title: string | null
  readonly site_url: string | null
  readonly etag: string | null
  readonly last_modified: string | null
  readonly body_hash: Buffer | null
  readonly next_check_reason: string | null
  readonly rest: string | null
  readonly entries: Buffer | null
  readonly former_urls: readonly string[] | null
}

export const SELECT_SOURCE = `
  SELECT s.id, s.url, s.name, s.weight, s.interval_ms, s.min_interval_ms, s.max_interval_ms, s.daily_allowance, s.paused,
    s.added_at, s.categories, s.request, t.status, t.failure_count, t.last_check_at, t.next_check_at, t.last_success_at,
    t.last_new_item_at, t.dates_credible, t.format, t.title, t.site_url, t.etag, t.last_modified, t.body_hash,
    t.next_check_reason, t.rest, w.entries,
    (SELECT array_agg(f.url ORDER BY f.url) FROM former_url f WHERE f.source_id = s.id) AS former_urls
  FROM source s JOIN source_state t ON t.source_id = s.id LEFT JOIN source_window w ON w.source_id = s.id`

/** Settings that only few sources have, as JSON. Those that may hold a secret are sealed together. */
type Credentials = Pick<SourceSettings, 'headers' | 'basicAuth' | 'proxyUrl'>
interface Request extends Pick<SourceSettings, 'userAgent'> {
  /** JSON of the credentials, sealed. */
  readonly sealed: string | null
}
/** Likewise of the state; what is not given has its usual value. */
type Rest = Pick<
  SourceState,
  | 'lastError'
  | 'movingTo'
  | 'hints'
  | 'notBefore'
  | 'saturation'
  | 'openGap'
  | 'refusal'
  | 'guidChanges'
  | 'feedCategories'
>

const NO_CREDENTIALS: Credentials = { headers: {}, basicAuth: null, proxyUrl: null }
const NO_REST: Rest = {
  lastError: null,
  movingTo: null,
  hints: null,
  notBefore: null,
  saturation: null,
  openGap: null,
  refusal: null,
  guidChanges: 0,
  feedCategories: [],
}

/** How an allowance that was lifted is written. */
const LIFTED = -1

export function sourceOf(row: SourceColumns, vault: Vault): Source {
  const request = row.request === null ? null : (JSON.parse(row.request) as Request)
  const credentials = request === null ? NO_CREDENTIALS : credentialsOf(request, vault)
  return {
    id: row.id,
    url: row.url,
    name: row.name,
    categories: row.categories,
    weight: row.weight,
    intervalMs: row.interval_ms,
    minIntervalMs: row.min_interval_ms,
    maxIntervalMs: row.max_interval_ms,
    dailyAllowance: row.daily_allowance === LIFTED ? 'off' : row.daily_allowance,
    ...(credentials ?? NO_CREDENTIALS),
    userAgent: request?.userAgent ?? null,
    isLocked: credentials === null,
    paused: row.paused,
    addedAt: row.added_at,
    state: stateOf(row),
    ...(row.former_urls === null ? {} : { formerUrls: row.former_urls }),
  }
}

/** null: they are there but cannot be opened. */
function credentialsOf({ sealed }: Request, vault: Vault): Credentials | null {
  if (sealed === null) return NO_CREDENTIALS
  const text = vault.open(sealed)
  return text === null ? null : (JSON.parse(text) as Credentials)
}

function stateOf(row: SourceColumns): SourceState {
  const rest = row.rest === null ? NO_REST : { ...NO_REST, ...(JSON.parse(row.rest) as Partial<Rest>) }
  return {
    status: row.status,
    format: row.format,
    title: row.title,
    siteUrl: row.site_url,
    etag: row.etag,
    lastModified: row.last_modified,
    bodyHash: row.body_hash === null ? null : unpackHash(row.body_hash),
    window: windowOf(row.entries),
    lastCheckAt: row.last_check_at,
    lastSuccessAt: row.last_success_at,
    lastNewItemAt: row.last_new_item_at,
    nextCheckAt: row.next_check_at,
    nextCheckReason: row.next_check_reason,
    failureCount: row.failure_count,
    datesCredible: row.dates_credible,
    ...rest,
  }
}

const BRACKET = 0x5b

/** JSON where it has entries of an unusual form. */
export function windowBytes(window: readonly WindowEntry[]): Buffer {
  const packed = packWindow(window)
  return typeof packed === 'string' ? Buffer.from(packed) : packed
}

export function windowOf(entries: Buffer | null): WindowEntry[] {
  return unpackWindow(entries?.[0] === BRACKET ? entries.toString() : entries)
}

/** Columns of `source` in the order of `settingsValues`. */
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
    settings.paused,
    settings.categories,
    request,
    settings.dailyAllowance === 'off' ? LIFTED : (settings.dailyAllowance ?? null),
  ]
}

export function packRequest(
  { headers, basicAuth, userAgent, proxyUrl }: Credentials & Pick<SourceSettings, 'userAgent'>,
  vault: Vault,
): string | null {
  const isOpen = basicAuth === null && proxyUrl === null && Object.keys(headers).length === 0
  if (isOpen) return userAgent === null ? null : JSON.stringify({ userAgent, sealed: null } satisfies Request)
  const sealed = vault.seal(JSON.stringify({ headers, basicAuth, proxyUrl } satisfies Credentials))
  return JSON.stringify({ userAgent, sealed } satisfies Request)
}

/** Of a source whose credentials cannot be opened: they stay as they are. */
export function repackLocked(request: string, userAgent: string | null): string {
  return JSON.stringify({ ...(JSON.parse(request) as Request), userAgent })
}

/** null: all as usual. */
export function packStateRest(state: SourceState): string | null {
  const { lastError, movingTo, hints, notBefore, saturation, openGap, refusal, guidChanges, feedCategories } = state
  const rest: Rest = {
    lastError,
    movingTo,
    hints,
    notBefore,
    saturation,
    openGap,
    refusal,
    guidChanges,
    feedCategories,
  }
  const isUsual = (value: unknown) => value === null || value === 0 || (Array.isArray(value) && value.length === 0)
  const given = Object.entries(rest).filter(([, value]) => !isUsual(value))
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given))
}

/** Of a state that was packed. */
export function withoutMove(rest: string | null): string | null {
  if (rest === null) return null
  const { movingTo: _, ...others } = JSON.parse(rest) as Partial<Rest>
  return Object.keys(others).length === 0 ? null : JSON.stringify(others)
}
