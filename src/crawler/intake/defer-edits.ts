import type { WindowEntry } from '../../model/index.ts'
import type { DedupResult } from '../dedup/deduplicate.ts'

/**
 * An edit is written and indexed like a new item, some 80 µs. A feed of 9,000 items that all changed at every poll took most of
 * the node: others were refreshed five times more rarely. Few real windows have as many items.
 */
const MOST_EDITS_AT_ONCE = 1_000

export interface DeferredEdits {
  /** As if the document had not yet shown what is deferred. */
  readonly dedup: DedupResult
  readonly deferred: number
}

/**
 * Of the edited items of a document, those that one refresh stores: as documents list them, the newest first. The others are
 * remembered as they are stored, so that the next refresh finds them edited still, and comes to them.
 */
export function deferEdits(dedup: DedupResult): DeferredEdits {
  const deferred = dedup.changed.slice(MOST_EDITS_AT_ONCE)
  if (deferred.length === 0) return { dedup, deferred: 0 }
  const stored = new Map(deferred.map(({ key, formerHash }) => [key, formerHash]))
  const asStored = (entry: WindowEntry): WindowEntry => {
    const contentHash = stored.get(entry.key)
    return contentHash === undefined ? entry : { ...entry, contentHash }
  }
  return {
    dedup: { ...dedup, changed: dedup.changed.slice(0, MOST_EDITS_AT_ONCE), window: dedup.window.map(asStored) },
    deferred: deferred.length,
  }
}
