import type { DueIcon, InstantMs, SourceIcon, SourceId } from '../model/index.ts'
import type { SourcePart } from './shards.ts'

/** What one look for an icon has brought. */
export interface IconRecord extends DueIcon {
  readonly at: InstantMs
  readonly dueAt: InstantMs
  /** Why there is none; null: there is one. */
  readonly failure: string | null
  /** `none`: there is none to show; null: what was found before stays. */
  readonly found: Omit<SourceIcon, 'sourceId'> | 'none' | null
}

/** Icons of sources (docs/decisions/0132-icons.md). They are looked for where somebody wants to see them, and go with their sources. */
export interface IconStore {
  /** Of sources that nobody has wanted one of before; those that are gone are left out. */
  wantIcons(ids: readonly SourceId[], now: InstantMs): Promise<void>
  /** Hashes by source; null: none was found so far; absent: nobody has wanted it. */
  iconHashes(ids: readonly SourceId[]): Promise<ReadonlyMap<SourceId, string | null>>
  /** Those that were found, in the order of sources. */
  icons(ids: readonly SourceId[]): Promise<readonly SourceIcon[]>
  /** Those to look for, the longest due first; of a part, or of all. */
  dueIcons(
    now: InstantMs,
    query: { readonly limit: number; readonly part?: SourcePart | undefined },
  ): Promise<readonly DueIcon[]>
  /** False: the source is gone. */
  recordIcon(record: IconRecord): Promise<boolean>
}
