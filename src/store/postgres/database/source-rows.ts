import type { Source, SourceSettings } from '../../../model/index.ts'
import type { Vault } from '../../../runtime/vault.ts'
import {
  SOURCE_STATE_COLUMNS,
  SOURCE_TABLES,
  type SourceStateRow,
  settingsValues,
  sourceOf,
} from '../../rows/sources.ts'
import { windowOfBytes } from '../../rows/windows.ts'

export interface SourceTableRow extends SourceStateRow {
  readonly entries: Buffer | null
}

export const SELECT_SOURCE = `
  SELECT ${SOURCE_STATE_COLUMNS},
    (SELECT array_agg(f.url ORDER BY f.url) FROM former_url f WHERE f.source_id = s.id) AS former_urls
  FROM ${SOURCE_TABLES}`

export function wholeSourceOf(row: SourceTableRow, vault: Vault): Source {
  return sourceOf(row, vault, windowOfBytes(row.entries))
}

/** In the order of SETTINGS_COLUMNS. */
export function storedSettings(settings: SourceSettings, request: string | null): unknown[] {
  return settingsValues(settings, request, settings)
}
