import type { Source, SourceSettings, SourceState } from '../../../model/index.ts'
import type { Vault } from '../../../runtime/vault.ts'
import { packHash } from '../../rows/hashes.ts'
import {
  packStateRest,
  SOURCE_STATE_COLUMNS,
  SOURCE_TABLES,
  type SourceStateRow,
  settingsValues,
  sourceOf,
} from '../../rows/sources.ts'
import { unpackWindow } from '../../rows/windows.ts'

export interface SourceTableRow extends SourceStateRow {
  readonly entries: Buffer | string | null
}

export const SELECT_SOURCE = `
  SELECT ${SOURCE_STATE_COLUMNS},
    CASE WHEN EXISTS (SELECT 1 FROM former_url f WHERE f.source_id = s.id)
      THEN (SELECT json_group_array(f.url) FROM former_url f WHERE f.source_id = s.id) END AS former_urls
  FROM ${SOURCE_TABLES}`

export function wholeSourceOf(row: SourceTableRow, vault: Vault): Source {
  return sourceOf(row, vault, unpackWindow(row.entries))
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

/** In the order of SETTINGS_COLUMNS. */
export function storedSettings(settings: SourceSettings, request: string | null): unknown[] {
  return settingsValues(settings, request, {
    paused: settings.paused ? 1 : 0,
    categories: settings.categories.length === 0 ? null : JSON.stringify(settings.categories),
  })
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
    packStateRest(state),
  ]
}
